"""Commits that were taken out of a remote's history, as was meant: remembered, and not pushed.

Every branch and work tree of a clone may still have them, and a merge would publish them again.
What is remembered is a list of commit ids in a ref of doll's own: it keeps none of the commits.
Takes nothing over, and moves no ref but doll's own and the tracking ref.
"""

from collections.abc import Mapping, Sequence

from doll.services.opening import Vault
from doll.services.syncing.rescuing import going_over, keeping_own
from doll.services.syncing.values import Stop, Target
from doll.vault.typed import typed
from doll.vcs import plumbing, porcelain
from doll.vcs.plumbing.history import is_ancestor
from doll.vcs.plumbing.refs import commits_between, own_commits, refs_below

_CONFLICT = 5
_SHORT = 12
_REASON = "doll sync: as was meant"


def settled(
    vault: Vault, target: Target, refs: Mapping[str, str], missing: Sequence[str], base: str | None
) -> dict[str, str]:
    """Remember those of `missing` that were taken out as was meant; return the refs as they are.

    `missing` are commits that the remote had and has no more, `base` what HEAD has in common with
    what it has. The user said that it was meant, or HEAD went along by hand.
    """
    tip, meant = refs[target.incoming], refs.get(target.meant)
    is_said = meant is not None and (meant == tip or is_ancestor(vault.repository, meant, tip))
    gone = missing if is_said else [c for c in missing if _went_along(vault, c, tip, base)]
    moves = [
        porcelain.Move(name, _listed(vault, commit, tip), "")
        for commit in gone
        if (name := f"{target.dropped}/{commit}") not in refs
    ]
    if meant is not None and (is_said or not missing):
        moves.append(porcelain.Move(target.meant, "", meant))
    if is_said and gone:
        names = [name for name in (target.seen, target.tracking) if refs.get(name, tip) != tip]
        moves += [porcelain.Move(name, tip, refs[name]) for name in names]
    porcelain.move(vault.repository, moves, _REASON)
    now = {**refs, **{each.name: each.new for each in moves}}
    return {name: commit for name, commit in now.items() if commit}


def _went_along(vault: Vault, commit: str, tip: str, base: str | None) -> bool:
    """Return whether HEAD has what the remote has now, and no more what it had."""
    repository = vault.repository
    if base != tip or is_ancestor(repository, tip, commit):
        return False
    return not is_ancestor(repository, commit, vault.head)


def _listed(vault: Vault, commit: str, tip: str) -> str:
    """Return the blob that lists the commits which the history of `commit` has, and `tip` not."""
    found = commits_between(vault.repository, commit, tip)
    return porcelain.keep_bytes(vault.repository, "".join(f"{c}\n" for c in found).encode())


def refusal(vault: Vault, target: Target, tip: str | None, refs: Mapping[str, str]) -> Stop | None:
    """Return why HEAD is not pushed to a remote that has `tip` (None: no such branch).

    No process where nothing was taken out. A branch that is new is held against the remote's
    others: what these have is there still.
    """
    repository = vault.repository
    notes = {name: oid for name, oid in refs.items() if name.startswith(f"{target.dropped}/")}
    if not notes or tip == vault.head:
        return None
    there = [tip] if tip else refs_below(repository, f"refs/remotes/{target.remote}").values()
    here = commits_between(repository, vault.head, *there)
    lists = plumbing.blobs(repository, notes.values()) if here else {}
    taken = {name: set(lists[oid].decode("ascii").split()) for name, oid in notes.items() if here}
    found = [name for name, commits in sorted(taken.items()) if not commits.isdisjoint(here)]
    if not found:
        return None
    gone = set[str]().union(*(taken[name] for name in found))
    number = len(gone.intersection(here))
    are = "commit of this branch was" if number == 1 else "commits of this branch were"
    return Stop(
        _CONFLICT,
        f"{number:,} {are} taken out of a history of {target.shown}, as was meant; nothing was "
        "taken over or pushed",
        "\n".join([*_going_along(vault, tip, gone), _publishing(vault, found)]),
    )


def _going_along(vault: Vault, tip: str | None, gone: set[str]) -> list[str]:
    """Return the lines that go over to the history at `tip`, with the commits that are not gone."""
    git = f"git -C {typed(str(vault.root))}"
    if tip is None:
        return ["make your own commits anew on what the remote has, as by `git cherry-pick`"]
    new = tip[:_SHORT]
    shown = f"{git} log --oneline {new}..HEAD    shows what would come back, and what is yours"
    own = [c[:_SHORT] for c in own_commits(vault.repository, vault.head, tip) if c not in gone]
    moving = going_over(vault, new)
    if not own:
        return [shown, f"{moving}    goes along with that, then doll sync"]
    line = f"{keeping_own(vault)[1]} && {moving} && {git} cherry-pick {' '.join(own)}"
    return [shown, f"{line}    goes along with that, and puts your own on it; then doll sync"]


def _publishing(vault: Vault, notes: Sequence[str]) -> str:
    """Return the line after which these commits may go to the remote again."""
    git = f"git -C {typed(str(vault.root))}"
    forgetting = " && ".join(f"{git} update-ref -d {typed(name)}" for name in notes)
    return f"{forgetting}    lets all of it go there again, then doll sync"
