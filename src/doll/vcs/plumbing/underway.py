"""What git is in the middle of, read from the marks that it leaves in its folder."""

import os
from typing import NamedTuple

from doll.vcs.plumbing.repository import Repository

# A rebase that stopped at a conflict leaves the mark of a cherry-pick too, so it comes first.
# Source: git, wt-status.c, `wt_status_get_state`.
_MARKS = (
    ("rebase-merge", "rebase"),
    ("rebase-apply/applying", "am"),
    ("rebase-apply", "rebase"),
    ("MERGE_HEAD", "merge"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
)


class Underway(NamedTuple):
    """An operation of git that waits to be finished or dropped; `name` is its command."""

    name: str

    @property
    def finish(self) -> str:
        """The line that finishes it."""
        return f"git {self.name} --continue"

    @property
    def drop(self) -> str:
        """The line that goes back to where it began."""
        return f"git {self.name} --abort"


def underway(repository: Repository) -> Underway | None:
    """Return what git is in the middle of in this work tree, None when nothing waits.

    Starts no process.
    """
    for mark, name in _MARKS:
        if os.path.lexists(repository.git_dir / mark):
            return Underway(name)
    return None
