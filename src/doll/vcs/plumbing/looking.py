"""What can be asked of a repository to see whether it is sound: flags, what is ignored, times.

Only `doll doctor` and its like ask this; nothing here is on a hot path.
"""

import os
from collections.abc import Sequence
from typing import NamedTuple

from doll.vcs.plumbing.ignoring import refuse_never_ending
from doll.vcs.plumbing.index_file import Flagged
from doll.vcs.plumbing.objects import records_of
from doll.vcs.plumbing.repository import Repository, ask


class Dated(NamedTuple):
    """A commit, the time of its committer in seconds since 1970, and its parents."""

    commit: str
    seconds: int
    parents: tuple[str, ...]


def flagged(repository: Repository, paths: Sequence[str]) -> Flagged:
    """Return which files at or below `paths` carry skip-worktree or assume-unchanged."""
    lines = records_of(ask(repository, "ls-files", "-v", "-z", "--full-name", "--", *paths).stdout)
    skipped, assumed = list[str](), list[str]()
    for tag, _, path in (line.partition(" ") for line in lines):
        if tag in "Ss":
            skipped.append(path)
        elif tag.islower():
            assumed.append(path)
    return Flagged(tuple(skipped), tuple(assumed))


def ignored_files(repository: Repository, paths: Sequence[str]) -> tuple[str, ...]:
    """Return the files at or below `paths` that are there, and that git leaves out as ignored."""
    refuse_never_ending(repository, [f"{path}/" for path in paths])
    which = ("ls-files", "-o", "-i", "--exclude-standard", "-z", "--full-name")
    return tuple(records_of(ask(repository, *which, "--", *paths).stdout))


def dates(repository: Repository, commit: str, limit: int) -> tuple[Dated, ...]:
    """Return up to `limit` commits of the history of a commit, the newest first."""
    asked = ("log", f"--max-count={limit}", "--no-show-signature", "--format=%H %ct %P", commit)
    found = []
    for line in ask(repository, *asked).stdout.decode("ascii").splitlines():
        oid, seconds, *parents = line.split(" ")
        found.append(Dated(oid, int(seconds), tuple(p for p in parents if p)))
    return tuple(found)


def is_shallow(repository: Repository) -> bool:
    """Return whether a clone has its history cut off. Looks at the name of a file alone."""
    return os.path.lexists(repository.common_dir / "shallow")


def has_all_of(repository: Repository, commit: str) -> bool:
    """Return whether no object of the history of a commit was left out. Nothing is fetched."""
    asked = ("rev-list", "--objects", "--no-object-names", "--missing=print", commit)
    return b"\n?" not in b"\n" + ask(repository, *asked).stdout
