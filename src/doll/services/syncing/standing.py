"""Whether HEAD is still where a sync left it: asked right before the sync goes on from there."""

import shlex

from doll.errors import BusyError, ConflictError
from doll.services.opening import Vault
from doll.services.syncing.values import Stop, Target
from doll.vcs import porcelain
from doll.vcs.plumbing.refs import standing

_FOUND = 1
_BRANCHES = "refs/heads/"


def moved(vault: Vault) -> Stop | None:
    """Return the stop where HEAD is on another branch than it was, or at another commit."""
    ref = f"{_BRANCHES}{vault.branch}"
    checked_out, commits = standing(vault.repository, (ref,))
    if checked_out != ref:
        return elsewhere(vault)
    if commits[ref] != vault.head:
        return Stop(BusyError.exit_code, "HEAD moved while this was fetched", "doll sync")
    return None


def conclude(vault: Vault, target: Target) -> Stop | None:
    """Remember that the remote has HEAD; return why it cannot be said that all is with it."""
    ref = f"{_BRANCHES}{vault.branch}"
    checked_out, commits = standing(vault.repository, (ref, target.seen))
    known = commits.get(target.seen, "")
    if known != vault.head:
        seen = porcelain.Move(target.seen, vault.head, known)
        porcelain.move(vault.repository, [seen], "doll sync")
    if checked_out != ref:
        return elsewhere(vault)
    if commits[ref] != vault.head:
        return Stop(
            _FOUND,
            f"{target.name} is at {vault.head[:12]}, and HEAD has moved on meanwhile",
            "doll sync",
        )
    return None


def elsewhere(vault: Vault) -> Stop:
    """Return the stop for a HEAD that is no longer on the branch of the vault."""
    git, branch = f"git -C {shlex.quote(str(vault.root))}", shlex.quote(vault.branch or "")
    return Stop(
        ConflictError.exit_code,
        f"HEAD was on {vault.branch} when this began, and is elsewhere now; nothing more was done",
        f"{git} switch {branch}    goes back to it, then doll sync",
    )
