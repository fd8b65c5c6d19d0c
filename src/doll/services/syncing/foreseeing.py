"""What can be said of a push before anything is fetched: by what the remote had when last seen."""

from doll.services.opening import Vault
from doll.services.syncing import dropping, pushing
from doll.services.syncing.values import Stop, Target
from doll.vcs import plumbing
from doll.vcs.plumbing.refs import refs_at


def refusal(vault: Vault, target: Target) -> Stop | None:
    """Return why HEAD as it is would not be pushed; None where nothing is known against it."""
    repository = vault.repository
    names = (target.tracking, target.incoming, target.seen)
    known = refs_at(repository, names, target.dropped)
    tip = known.get(target.tracking) or known.get(target.incoming) or known.get(target.seen)
    base = plumbing.merge_base(repository, vault.head, tip) if tip else None
    if base is None or base == vault.head:
        return None
    if stop := dropping.refusal(vault, target, tip, known):
        return stop
    return pushing.refusal(vault, target, base, is_judged=False)
