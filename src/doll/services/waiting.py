"""What git is in the middle of, and whether a sync began it: then a sync finishes or drops it.

Reads only; starts one process, and that only in the middle of a merge.
"""

import os
from contextlib import suppress
from typing import NamedTuple

from doll.vault.typed import typed
from doll.vcs.plumbing.refs import has_below
from doll.vcs.plumbing.repository import Repository
from doll.vcs.plumbing.underway import merge_heads, underway

# Where a sync keeps what it fetched.
INCOMING = "refs/doll/incoming"
# Files of a work tree in which a sync notes a merge, while it is made and when it stopped. Their
# first words are HEAD and the commit that is merged.
MERGING, MERGED = "merging", "merged"


class Waiting(NamedTuple):
    """An operation that waits: `what` it is, and the lines that finish it and that drop it."""

    what: str
    finish: str
    drop: str

    @property
    def is_of_sync(self) -> bool:
        """Whether a sync finishes it, which goes on to commit what else it may."""
        return self.finish.startswith("doll ")

    @property
    def lines(self) -> str:
        """The two lines, to be typed either one."""
        if self.finish == self.drop:
            return self.drop
        return f"{self.finish}    when the files are as they should be\n{self.drop}    drops it"

    def at(self, repository: Repository) -> "Waiting":
        """Return the same with lines that can be typed in any folder."""
        git = f"git -C {typed(str(repository.top))} "
        finish, drop = (
            git + line.removeprefix("git ") if line.startswith("git ") else line
            for line in (self.finish, self.drop)
        )
        return Waiting(self.what, finish, drop)


def find(repository: Repository) -> Waiting | None:
    """Return what waits, None where nothing does."""
    found = underway(repository)
    if found is None:
        return None
    if found.name == "merge" and is_of_sync(repository):
        return Waiting("a merge of `doll sync`", "doll sync --continue", "doll sync --abort")
    return Waiting(f"`git {found.name}`", found.finish, found.drop)


def is_of_sync(repository: Repository) -> bool:
    """Return whether the merge that waits is one that a sync began, or of what one fetched.

    The sync of another work tree may have fetched more by now.
    """
    heads = merge_heads(repository)
    if len(heads) != 1:
        return False
    return any(_is_noted(repository, name, heads[0]) for name in (MERGING, MERGED)) or has_below(
        repository, INCOMING, heads[0]
    )


def _is_noted(repository: Repository, name: str, commit: str) -> bool:
    with suppress(OSError):
        first, _, _ = (repository.git_dir / "doll" / name).read_bytes().partition(b"\0")
        return first.split()[1:] == [commit.encode()]
    return False


def away(repository: Repository) -> Waiting | None:
    """Return what took HEAD off its branch for a while, None where nothing did."""
    if os.path.lexists(repository.git_dir / "BISECT_LOG"):
        return Waiting("`git bisect`", "git bisect reset", "git bisect reset")
    return find(repository)
