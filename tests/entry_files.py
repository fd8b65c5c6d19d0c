"""A vault's record files for tests of the parse cache, and ways to load them."""

import time
from pathlib import Path

import pytest

from doll.records.limits import MAX_FILE_BYTES
from doll.vault import files
from doll.vault.entries import Entries, Loader
from doll.vault.layout import AREAS
from doll.vault.sealed import Cache

GOOD = (
    "---\ntitle: {0}\ncreated: 2026-08-20T16:32:05+02:00\ntags: [a, b]\n"
    "claims: {{'/x': '1'}}\nfoo: kept\n---\n# Body\n"
)
BROKEN = "---\nstatus: odd\ntags: [[a]]\n---\n"
ENTRY = (
    "---\nproject: atlas\nkind: attempt\nassertion: user_recorded\n"
    "at: 2026-08-20T16:32:05.25-03:30\nsummary: It locked\n---\n"
)


class Reads:
    """Counts which files are read."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.paths: list[str] = []
        original = files.read

        def counted(root: Path, path: str, limit: int = MAX_FILE_BYTES) -> bytes:
            self.paths.append(path)
            return original(root, path, limit)

        patch.setattr(files, "read", counted)

    def since(self) -> list[str]:
        """Return the paths read since the last call, sorted."""
        found, self.paths = sorted(self.paths), []
        return found


def vault(folder: Path) -> Path:
    """Return a new vault's folder with some records, one of them broken."""
    place = folder / "vault"
    for path, text in {
        "confirmed/a.md": GOOD.format("A"),
        "confirmed/b.md": GOOD.format("B"),
        "confirmed/broken.md": BROKEN,
        "confirmed/build/c.md": GOOD.format("C"),
        "experience/atlas/e.md": ENTRY,
        "authority/policies/p.md": "---\neffect: deny\nvalid_untill: x\n---\n",
    }.items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_text(text, encoding="utf-8")
    return place


def loader(root: Path, *, cached: bool = True) -> Loader:
    return Loader(root, Cache(root, root.parent / "state") if cached else None)


def load(root: Path, *, cached: bool = True) -> Entries:
    """Load the vault as a new process does."""
    return loader(root, cached=cached).folders(AREAS)


def alike(one: Entries, other: Entries) -> bool:
    """Return whether two answers are the same, down to the offsets of times."""
    return one == other and repr(one) == repr(other)


def warmed(root: Path, patch: pytest.MonkeyPatch, later: float = 3.0) -> Entries:
    """Load twice, the second time as if some seconds had gone by, so that nothing is racy."""
    shifted(patch, later)
    load(root)
    return load(root)


def shifted(patch: pytest.MonkeyPatch, seconds: float) -> None:
    """Let the loader see a later moment than the file system does."""
    now = time.time_ns
    patch.setattr("doll.vault.entries.time.time_ns", lambda: now() + int(seconds * 1e9))
