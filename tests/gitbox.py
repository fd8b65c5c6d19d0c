"""Real git repositories for tests: made in temporary folders, with a fixed identity and clock."""

import os
import subprocess
from pathlib import Path

from doll.vcs import plumbing
from doll.vcs.plumbing import Repository

CLOCK = {
    "GIT_AUTHOR_DATE": "2026-08-20T14:32:05Z",
    "GIT_COMMITTER_DATE": "2026-08-20T14:32:05Z",
}


def git(folder: Path, *arguments: str, code: int | None = 0, **variables: str) -> str:
    """Run git in `folder`, hold it to its exit code (None: any), return what it printed."""
    done = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env=os.environ | CLOCK | variables,
        capture_output=True,
        check=False,
    )
    printed = (done.stdout + done.stderr).decode("utf-8", "surrogateescape")
    assert code is None or done.returncode == code, printed
    return printed.strip()


def make(folder: Path, *options: str) -> Path:
    """Make a repository with one commit of `README`."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main", *options)
    put(folder, "README", "hello\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "first")
    return folder


def put(folder: Path, path: str, text: str) -> Path:
    """Write a file and the folders above it."""
    place = folder / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")
    return place


def found(folder: Path, *, own: bool = False) -> Repository:
    """Find the repository of a folder that has one."""
    repository = plumbing.find(folder, own=own)
    assert repository is not None
    return repository


def hook(folder: Path, text: str, name: str = "pre-commit") -> Path:
    """Write an executable hook where git looks for it."""
    place = plumbing.hooks_folder(found(folder)) / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(os.fsencode(text))
    place.chmod(0o755)
    return place
