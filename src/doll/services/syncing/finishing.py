"""A merge that stopped: going on with it when its conflicts are settled, or back to before it.

Only a merge that a sync began: one of what was fetched from the remote.
"""

from doll.errors import ConflictError
from doll.services.opening import Vault
from doll.services.syncing import made
from doll.services.syncing.integrating import conflict
from doll.services.syncing.settling import require_droppable, require_settled
from doll.services.waiting import Waiting, away, is_of_sync
from doll.vcs import porcelain
from doll.vcs.plumbing.refs import unmerged
from doll.vcs.plumbing.underway import Underway, underway


def require_nothing_underway(vault: Vault) -> bool:
    """Return whether a merge that a sync began waits, all settled; False when nothing waits.

    ConflictError where git is in the middle of anything else.
    """
    waiting = underway(vault.repository)
    if waiting is None:
        _require_no_bisection(vault)
        return False
    if waiting.name != "merge" or not is_of_sync(vault.repository):
        raise ConflictError(
            f"`git {waiting.name}` is not finished, and doll sync did not begin it; nothing was "
            "changed",
            hint=f"{_at(vault, waiting).lines}\nthen doll sync",
        )
    if paths := unmerged(vault.repository):
        stop = conflict(vault, paths)
        raise ConflictError(
            f"a merge of the remote's commits waits; not settled yet: {', '.join(stop.paths)}",
            hint=stop.hint,
        )
    return True


def finish(vault: Vault) -> tuple[str, made.Made]:
    """Commit the merge that waits, all settled; return what git and its hooks said, and what of.

    ConflictError as `require_settled`; GitError when a hook refuses.
    """
    require_settled(vault)
    files = made.staged(vault)
    said = porcelain.finish_merge(vault.repository)
    made.forget(vault)
    return said, files


def abort(vault: Vault) -> None:
    """Go back to before the merge that a sync began.

    ConflictError where there is none, and as `require_droppable`.
    """
    waiting = underway(vault.repository)
    if waiting is None:
        raise ConflictError("no merge waits, so there is nothing to go back from")
    if waiting.name != "merge" or not is_of_sync(vault.repository):
        raise ConflictError(
            f"`git {waiting.name}` is not finished, and doll sync did not begin it; nothing was "
            "changed",
            hint=f"{_at(vault, waiting).drop}    drops it",
        )
    if back := require_droppable(vault):
        # git goes back over no file that is not as the index has it.
        porcelain.put_files_back(vault.repository, back, ())
    porcelain.abort_merge(vault.repository)
    made.forget(vault)


def _at(vault: Vault, found: Underway) -> Waiting:
    """Return the lines that finish and drop what git is in the middle of, for any folder."""
    return Waiting(found.name, found.finish, found.drop).at(vault.repository)


def _require_no_bisection(vault: Vault) -> None:
    """Raise ConflictError where a bisection began: it goes by commits, and would go astray."""
    found = away(vault.repository)
    if found is not None:
        raise ConflictError(
            f"{found.what} is not finished, and doll sync did not begin it; nothing was changed",
            hint=f"{found.at(vault.repository).lines}\nthen doll sync",
        )
