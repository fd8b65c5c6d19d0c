"""What can be said of a push before anything is fetched: by what the remote had when last seen."""

from doll.services.opening import Vault
from doll.services.syncing import pushing
from doll.services.syncing.values import Stop, Target
from doll.vcs import plumbing
from doll.vcs.plumbing.refs import commits_of


def refusal(vault: Vault, target: Target) -> Stop | None:
    """Return why HEAD as it is would not be pushed; None where nothing is known against it."""
    repository = vault.repository
    known = commits_of(repository, (target.tracking, target.incoming, target.seen))
    tip = known.get(target.tracking) or known.get(target.incoming) or known.get(target.seen)
    base = plumbing.merge_base(repository, vault.head, tip) if tip else None
    if base is None or base == vault.head:
        return None
    return pushing.refusal(vault, target, base, is_judged=False)
