"""What the remote has: fetched into a ref of its own, and looked at before anything takes it over.

Nothing is integrated here, and no ref but doll's own and the tracking ref moves.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from doll.errors import GitError
from doll.services.opening import Vault
from doll.services.syncing import dropping, losing, rescuing, shapes
from doll.services.syncing.elsewhere import apart
from doll.services.syncing.values import Stop, Target, Wish
from doll.services.syncing.wording import git, remote
from doll.vcs import plumbing, porcelain
from doll.vcs.plumbing.history import cut_off, is_ancestor
from doll.vcs.plumbing.refs import commits_of, refs_at

_REASON = "doll sync"


class Fetched(NamedTuple):
    """What the remote has: `tip`, None where it has no such branch; or why that is not taken over.

    `base` is what HEAD and the tip have in common, None where there is no tip.
    """

    tip: str | None
    base: str | None = None
    stop: Stop | None = None


def fetch(vault: Vault, target: Target, wish: Wish) -> Fetched:
    """Fetch, and look whether the remote still has what it had. GitError when it is out of reach.

    The vault's `head` is HEAD as it is now.
    """
    repository = vault.repository
    try:
        is_there = porcelain.fetch(
            repository, target.remote, target.ref, target.incoming, attended=wish.attended
        )
    finally:
        refs = _refs(vault, target)
    before = _had(target, refs)
    if not is_there:
        if not before:
            return Fetched(None, stop=dropping.refusal(vault, target, None, refs))
        return Fetched(None, stop=rescuing.gone(vault, target, before[0], wish.now))
    tip = refs[target.incoming]
    base = tip if tip == vault.head else plumbing.merge_base(repository, vault.head, tip)
    missing = _missing(vault, target, refs, tip)
    if missing or target.meant in refs:
        refs = dropping.settled(vault, target, refs, missing, base)
    stop = (
        _rewritten(vault, target, wish, refs, base, missing)
        or (base != vault.head and dropping.refusal(vault, target, tip, refs))
        or _stop(vault, target, wish, refs, base)
    )
    if stop is None and refs.get(target.tracking) != tip and target.tracking:
        _track(vault, target, tip, refs.get(target.tracking, ""))
    return Fetched(tip, base, stop)


def _track(vault: Vault, target: Target, tip: str, old: str) -> None:
    """Move the tracking ref. GitError, where one of a branch that the remote had is in its way."""
    try:
        porcelain.move(vault.repository, [porcelain.Move(target.tracking, tip, old)], _REASON)
    except GitError as error:
        if old or "; cannot create" not in error.message:
            raise
        prune = f"{git(vault)} remote prune {remote(vault, target)}"
        hint = f"{prune}    drops what it has of branches that are gone there, then doll sync"
        raise GitError(error.message, hint=hint) from error


def _refs(vault: Vault, target: Target) -> dict[str, str]:
    """Return where the refs of a target are, `seen` where a first fetch found the tracking ref.

    A fetch by hand moves that one, and would hide what a later sync has to compare with.
    """
    names = (target.incoming, target.seen, target.tracking, target.meant)
    refs = refs_at(vault.repository, names, target.dropped)
    known = refs.get(target.tracking)
    if known is not None and target.seen not in refs and not apart(vault, target):
        note_seen(vault, target, known)
        refs[target.seen] = known
    return refs


def note_seen(vault: Vault, target: Target, tip: str) -> None:
    """Remember what the remote has, for the next sync to compare with."""
    known = commits_of(vault.repository, (target.seen,)).get(target.seen, "")
    if known != tip:
        porcelain.move(vault.repository, [porcelain.Move(target.seen, tip, known)], _REASON)


def _had(target: Target, refs: Mapping[str, str]) -> tuple[str, ...]:
    """Return the commits that the remote is known to have had: at the last sync, when fetched."""
    return tuple(dict.fromkeys(refs[n] for n in (target.seen, target.tracking) if n in refs))


def _missing(vault: Vault, target: Target, refs: Mapping[str, str], tip: str) -> list[str]:
    """Return the commits that the remote had, and that are no part of `tip`, which it has now."""
    # What was fetched last has most of what the remote had.
    found = [
        known
        for known in reversed(_had(target, refs))
        if known != tip and not is_ancestor(vault.repository, known, tip)
    ]
    seen = refs.get(target.seen)
    if any(known != seen for known in found) and apart(vault, target):
        # A push by hand set the tracking ref, to where nothing is fetched from.
        return [known for known in found if known == seen]
    return found


def _rewritten(
    vault: Vault,
    target: Target,
    wish: Wish,
    refs: Mapping[str, str],
    base: str | None,
    missing: Sequence[str],
) -> Stop | None:
    """Return the stop for a history that was rewritten, None where that is settled."""
    tip, before = refs[target.incoming], _had(target, refs)
    for known in missing:
        if known not in before:
            continue  # the user said that it was meant
        # One that the user merged by hand is settled; one that only went back is not.
        if base != tip or is_ancestor(vault.repository, tip, known):
            return rescuing.rewritten(vault, target, known, before, tip, wish.now)
    return None


def _stop(
    vault: Vault, target: Target, wish: Wish, refs: Mapping[str, str], base: str | None
) -> Stop | None:
    """Return why the tip is not taken over, None where nothing speaks against it."""
    repository, tip, before = vault.repository, refs[target.incoming], _had(target, refs)
    if base is None:
        if cut_off(repository):
            return rescuing.shallow(vault)
        return rescuing.unrelated(vault, target)
    if base == tip:
        return _lost_by_hand(vault, target, wish, before, tip)
    bases = [base, *(known for known in before if not is_ancestor(repository, known, base))]
    for known in bases:
        found = losing.lost(vault, known, tip)
        if found and (found.paths or not wish.allow_mass_delete):
            # A folder that is none explains what is gone with it.
            none = shapes.found(vault, target, base, tip)
            return none or rescuing.losing(vault, target, found, known, tip, wish.now)
    return None


def _lost_by_hand(
    vault: Vault, target: Target, wish: Wish, before: tuple[str, ...], tip: str
) -> Stop | None:
    """Return the stop for what the tip lost since the last sync, where HEAD has it in already.

    That is what a `git pull` or `git push` by hand leaves. What HEAD has put back is settled.
    """
    for known in before:
        found = losing.lost(vault, known, tip) if known != tip else None
        if found is not None and tip != vault.head:
            found = losing.both(found, losing.lost(vault, known, vault.head))
        if found and (found.paths or not wish.allow_mass_delete):
            return rescuing.lost_by_hand(vault, target, found, known, tip, wish.now)
    return None
