"""`doll sync` from outside: what it would do, the whole of it, and the way back.

Everything is derived from git and the disk, so that a sync that was interrupted is simply run
again. The writer lock is held while a commit or a merge is made, never over the network.
"""

from doll.errors import ConflictError, DollError
from doll.records.collector import without_collector
from doll.services.opening import Vault
from doll.services.syncing import aiming, cut_short, finishing
from doll.services.syncing.planning import planned, require_whole
from doll.services.syncing.running import Run, Tell, moved
from doll.services.syncing.settling import require_settled
from doll.services.syncing.values import Plan, Report, Stop, Wish
from doll.services.writer import writing
from doll.vault import lock
from doll.vcs.plumbing.underway import merge_heads


def plan(vault: Vault, wish: Wish) -> Plan:
    """Return what a sync would do; changes nothing and asks no remote.

    ConflictError where no sync can begin: HEAD is on no branch, git is in the middle of something,
    most records are missing on disk.
    """
    aim = aiming.aim(vault)
    if finishing.require_nothing_underway(vault):
        require_settled(vault)
        return Plan(aim, merge=merge_heads(vault.repository)[0])
    if cut_short.found(vault):
        message = "a merge was cut off; a sync puts back what it left, then merges again"
        raise ConflictError(message, hint="doll sync")
    require_whole(vault)
    found = planned(vault, aim, wish)
    if aim.target is None:
        return found
    from doll.services.syncing import foreseeing

    return found._replace(refused=foreseeing.refusal(vault, aim.target))


def sync(vault: Vault, wish: Wish, tell: Tell | None = None) -> Report:
    """Sync the vault with the branch of the remote that its branch follows.

    Raises DollErrors while nothing is changed yet; what stops a sync later is in the report.
    `tell` is given what is being done.
    """
    with lock.syncing(vault.state), without_collector():
        run = Run(moved(vault), wish, tell or (lambda _: None))
        run.begin()
        try:
            run.exchange()
        except DollError as error:
            run.stop(Stop.of(error))
        run.refresh()
        return run.report


def abort(vault: Vault) -> None:
    """Go back to before the merge that a sync began; ConflictError where none waits."""
    with lock.syncing(vault.state), writing(vault):
        finishing.abort(vault)
