"""Real keys of `ssh-keygen` in a temporary folder, and commits that they sign."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.desk import Desk
from tests.gitbox import git

POLICY = "authority/policies/no.md"
DENY = "---\neffect: deny\nactions: db.drop\n---\n"
ADVISE = "---\neffect: advise\nactions: db.drop\n---\n"
SIGNED = "authority:\n  signed: required\n"
ASKED = ("preflight", "--project", "atlas", "--action", "db.drop")
MAIL = "ada@example.org"
NEEDS_SSH = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed"
)


def make_key(folder: Path, name: str) -> Path:
    """Make a key pair without a passphrase; return the private half."""
    folder.mkdir(exist_ok=True)
    place = folder / name
    command = ("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(place))
    subprocess.run(command, check=True, capture_output=True)
    return place


def line_for(key: Path, options: str = "") -> str:
    """Return the line of a file of allowed signers that trusts a key."""
    public = key.with_name(f"{key.name}.pub").read_text(encoding="ascii")
    return f"{MAIL} {options + ' ' if options else ''}{public}"


def trust(root: Path, file: Path, *lines: str) -> None:
    """Write a file of allowed signers, and let the repository of `root` name it."""
    file.parent.mkdir(exist_ok=True, parents=True)
    file.write_text("".join(lines), encoding="ascii")
    git(root, "config", "doll.allowedSigners", str(file))


def sign_with(key: Path) -> tuple[str, ...]:
    """Return the options that make git sign with a key."""
    return ("-c", "gpg.format=ssh", "-c", f"user.signingKey={key}")


class Signer:
    """A person at a desk who commits with a key, and without."""

    def __init__(self, desk: Desk, key: Path) -> None:
        self.desk = desk
        self.key = key

    def signed(self, *changes: tuple[str, str | None], subject: str = "signed") -> str:
        """Write or remove files, commit that signed, return the commit."""
        self._stage(changes)
        options = sign_with(self.key)
        self.desk.git(*options, "commit", "-q", "-S", "--allow-empty", "-m", subject)
        return self.desk.git("rev-parse", "HEAD")

    def plain(self, *changes: tuple[str, str | None], subject: str = "plain") -> str:
        """Do the same without a signature."""
        self._stage(changes)
        self.desk.git("commit", "-q", "--allow-empty", "-m", subject)
        return self.desk.git("rev-parse", "HEAD")

    def _stage(self, changes: tuple[tuple[str, str | None], ...]) -> None:
        for path, text in changes:
            if text is None:
                (self.desk.root / path).unlink()
            else:
                self.desk.put(path, text)
        self.desk.git("add", "-A")


def asked(desk: Desk, *more: str) -> Any:
    """Ask about `db.drop`, with the cache, with it warm, and without it: one answer."""
    command = (*ASKED, "--as-of", "2026-09-01T00:00:00Z", "--json", *more)
    found = [desk.doll(*command) for _ in range(2)]
    kept, cache = desk.root.parent / "kept", desk.root / ".doll" / "cache"
    shutil.move(cache, kept)
    found.append(desk.doll(*command))
    shutil.rmtree(cache, ignore_errors=True)
    shutil.move(kept, cache)
    assert len({(each.code, each.out) for each in found}) == 1, [each.out for each in found]
    return found[0].json


def notes(report: Any) -> dict[str, str]:
    """Return the notes about what is not signed, by path."""
    return {n["path"]: n["message"] for n in report["notes"] if n["code"] == "authority.not_signed"}
