"""What git is in the middle of, and whether a sync began it: then a sync finishes or drops it.

Reads only; starts one process, and that only in the middle of a merge.
"""

import os
from typing import NamedTuple

from doll.vault.typed import typed
from doll.vcs.plumbing.refs import refs_below
from doll.vcs.plumbing.repository import Repository
from doll.vcs.plumbing.underway import merge_heads, underway

# Where a sync keeps what it fetched.
INCOMING = "refs/doll/incoming"


class Waiting(NamedTuple):
    """An operation that waits: `what` it is, and the lines that finish it and that drop it."""

    what: str
    finish: str
    drop: str

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
    if found.name == "merge":
        incoming = set(refs_below(repository, INCOMING).values())
        if incoming & set(merge_heads(repository)):
            return Waiting("a merge of `doll sync`", "doll sync --continue", "doll sync --abort")
    return Waiting(f"`git {found.name}`", found.finish, found.drop)


def away(repository: Repository) -> Waiting | None:
    """Return what took HEAD off its branch for a while, None where nothing did."""
    if os.path.lexists(repository.git_dir / "BISECT_LOG"):
        return Waiting("`git bisect`", "git bisect reset", "git bisect reset")
    return find(repository)
