"""Moves of candidates into git: both sides staged, and committed where that is wanted.

What git refuses is taken back whole, so that a failed approval leaves what was there before.
"""

import shlex
from collections.abc import Callable, Sequence

from doll.errors import GitError
from doll.render.review_values import Approved, Move
from doll.services.opening import Vault
from doll.vcs import plumbing


def track(vault: Vault, done: Approved, undo: Callable[[], None], *, commit: bool) -> Approved:
    """Stage both sides of the moves, and commit just them where that is wanted.

    `undo` puts the files back. GitError when git refuses: then files and index are as before, or
    the hint says what is left to do.
    """
    from doll.vcs import porcelain

    paths = [vault.in_git(path) for move in done.moves for path in (move.source, move.path)]
    before = plumbing.head(vault.repository) if commit else None
    staged = False
    try:
        porcelain.stage(vault.repository, paths)
        staged = True
        if not commit:
            return done
        made = porcelain.commit(vault.repository, paths, message(done.moves))
    except BaseException as error:
        if commit and plumbing.head(vault.repository) != before:
            raise  # the commit is made, and what failed came after it
        undo()
        left = _left(vault, paths) if staged else ""
        if isinstance(error, GitError):
            raise _refused(error, left, commit=commit) from error
        raise
    return done._replace(commit=made)


def message(moves: Sequence[Move]) -> str:
    """Return the commit message of approvals."""
    if len(moves) == 1:
        return f"review: approve {moves[0].candidate}"
    ids = [f"- {move.candidate}" for move in moves]
    return "\n".join([f"review: approve {len(moves)} candidates", "", *ids])


def _left(vault: Vault, paths: Sequence[str]) -> str:
    """Put the index back; return the line that does it where git does not let doll."""
    from doll.vcs import porcelain

    try:
        porcelain.stage(vault.repository, paths)
    except GitError:
        names = " ".join(shlex.quote(path) for path in paths)
        return f"git -C {shlex.quote(str(vault.repository.top))} add --all -- {names}"
    return ""


def _refused(error: GitError, left: str, *, commit: bool) -> GitError:
    what = "commit" if commit else "stage"
    hint = "mend what git names, then approve again"
    state = "nothing was changed"
    if left:
        state = "the files are as before, and git's index is not"
        hint = f"{left}\n{hint}"
    return GitError(f"git did not {what} the approval, so {state}: {error.message}", hint=hint)
