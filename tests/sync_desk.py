"""Two clones of a vault and the bare repository between them, to sync through."""

import shutil
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.desk import Desk, Result, make_vault
from tests.gitbox import git, make

MEMORY = "---\nschema: doll/memory/1\ntitle: {0}\n---\n\n{1}\n"
POLICY = "---\nschema: doll/policy/1\ntitle: {0}\neffect: {1}\nactions: [db.drop]\n---\n"


class Two(NamedTuple):
    """The bare repository `hub` and two clones of it, each with somebody at work in it."""

    hub: Path
    one: Desk
    other: Desk

    @property
    def tip(self) -> str:
        """The commit that the remote has."""
        return git(self.hub, "rev-parse", "main")


def make_two(folder: Path) -> None:
    """Make `hub.git`, `one` and `other` in a folder."""
    make_vault(folder / "one")
    git(folder, "clone", "-q", "--bare", "one", "hub.git")
    git(folder / "one", "remote", "add", "origin", str(folder / "hub.git"))
    git(folder / "one", "fetch", "-q", "origin")
    git(folder / "one", "branch", "-q", "-u", "origin/main")
    git(folder, "clone", "-q", "hub.git", "other")


def copied_two(made: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> Two:
    """Return a copy of what `make_two` made in the folder `made`."""
    hub = folder / "hub.git"
    for name in ("hub.git", "one", "other"):
        shutil.copytree(made / name, folder / name)
    for name in ("one", "other"):
        git(folder / name, "remote", "set-url", "origin", str(hub))
    return Two(hub, Desk(folder / "one", capsys), Desk(folder / "other", capsys))


def make_shared(folder: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    """Make a code repository `work` that has a remote, with the vault in its folder `notes`."""
    made = make_vault(folder / "made")
    shutil.rmtree(made / ".git")
    code = make(folder / "code")
    shutil.copytree(made, code / "notes")
    git(code, "add", "-A")
    git(code, "commit", "-qm", "notes")
    git(folder, "clone", "-q", "--bare", "code", "hub.git")
    git(folder, "clone", "-q", "hub.git", "work")
    return Desk(folder / "work" / "notes", capsys)


def memory(desk: Desk, name: str, text: str = "Words.") -> str:
    """Write a memory as an editor would; return its path."""
    path = f"confirmed/{name}.md"
    desk.put(path, MEMORY.format(name.capitalize(), text))
    return path


def log(desk: Desk, summary: str) -> str:
    """Log an attempt; return its path."""
    return desk.ok("log", "attempt", summary, "--project", "atlas").path


def synced(desk: Desk, *options: str) -> Result:
    """Sync, and hold it to having come through."""
    result = desk.ok("sync", *options)
    assert "synced: origin/main is at " in result.out, result
    return result


def values(desk: Desk, *options: str, code: int = 0) -> Any:
    """Sync with `--json`, hold it to its exit code, and return the document."""
    result = desk.doll("sync", "--json", *options)
    assert result.code == code, result
    return result.json


def head(desk: Desk) -> str:
    """Return the commit at HEAD."""
    return desk.git("rev-parse", "HEAD")
