"""Imports and reviews on a desk: PAM documents beside the vault, candidates in it."""

import json
from pathlib import Path
from typing import Any

from tests.desk import Desk, Result
from tests.pam_documents import Json, encoded, memory, store

AWS = "AKIA" + "QWERTYUIOPASDFGH"
GITHUB = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"


class ForeignDesk(Desk):
    """A desk with a folder for exports of other systems beside its vault."""

    def export(self, document: object, name: str = "store.json") -> Path:
        """Write an export beside the vault, and return its path."""
        data = document if isinstance(document, bytes) else encoded(document)
        place = self.root.parent / "exports" / name
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(data)
        return place

    def bring(self, document: object, *options: str, code: int = 0, **variables: str) -> Result:
        """Import an export with `--json`, and hold it to its exit code."""
        place = self.export(document)
        result = self.doll("import", "pam", str(place), "--json", *options, stdin=b"", **variables)
        assert result.code == code, result.err + result.out
        return result

    def committed(self, document: object, *options: str) -> list[Json]:
        """Import an export and commit it; return its candidates."""
        candidates: list[Json] = self.bring(document, "--commit", *options).json["candidates"]
        return candidates

    def review(self, *arguments: str, code: int = 0, **variables: str) -> Any:
        """Run a subcommand of `doll review` with `--json`, and return its document."""
        result = self.doll("review", *arguments, "--json", stdin=b"", **variables)
        assert result.code == code, result.err + result.out
        return json.loads(result.out)

    def approve(self, candidate: Json, *options: str) -> Any:
        """Approve a candidate by its digest."""
        return self.review("approve", candidate["id"], "--digest", candidate["sha256"], *options)

    def head(self) -> str:
        """Return the commit that HEAD names."""
        return self.git("rev-parse", "HEAD")

    def status(self) -> list[str]:
        """Return what git status prints, one change a line."""
        return self.git("status", "--porcelain", "--untracked-files=all").splitlines()


def three() -> Json:
    """Return a store of three small memories."""
    return store(
        memory("Prefers tea to coffee.", id="mem-1", summary="Tea, not coffee"),
        memory("Keeps three bees.", id="mem-2", summary="Three bees"),
        memory("Speaks Frisian at home.", id="mem-3", summary="Frisian"),
    )
