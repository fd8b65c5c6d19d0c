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

_MERGED = "GITHEAD_"


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


def merge_heads(repository: Repository, *, starting: bool = False) -> tuple[str, ...]:
    """Return the commits that the next commit merges into HEAD, none where it is no merge.

    `starting`: git has merged and made no mark yet, as in its pre-merge-commit hook; there it names
    them in the environment. Starts no process.
    """
    try:
        named = (repository.git_dir / "MERGE_HEAD").read_text(encoding="ascii").split()
    except (OSError, UnicodeDecodeError):
        named = []
    if starting and not named:
        named = [name.removeprefix(_MERGED) for name in os.environ if name.startswith(_MERGED)]
    return tuple(sorted(oid for oid in named if len(oid) in (40, 64) and oid.isalnum()))
