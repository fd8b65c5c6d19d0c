"""Whether git can commit just some files now: asked before anything is written.

git makes no commit of chosen files in the middle of a merge, and in a rebase it would become part
of what is being rebased.
"""

from doll.errors import ConflictError
from doll.services.identity import require_identity
from doll.services.waiting import find
from doll.vcs import plumbing


def require_committable(repository: plumbing.Repository | None) -> str:
    """Return the identity of the author, where git knows one and a commit can be made.

    ConflictError where not, with what to do. None is a repository that is still to be made.
    """
    identity = require_identity(repository)
    waiting = find(repository) if repository is not None else None
    if waiting:
        raise ConflictError(
            f"{waiting.what} is not finished, so nothing can be committed by itself; "
            "nothing was changed",
            hint=f"{waiting.finish}    or, to drop it: {waiting.drop}\nthen this again",
        )
    return identity


def first(repository: plumbing.Repository) -> str:
    """Return the line that has to be typed before one that commits some files, "" for none.

    It ends with a line feed, to stand before that.
    """
    waiting = find(repository)
    if waiting is None:
        return ""
    return f"{waiting.at(repository).finish}    finishes {waiting.what} first; then\n"
