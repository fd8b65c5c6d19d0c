"""What goes to the remote: nothing secret, faulty or not the vault's, nothing that lost experience.

It is looked at before a line is printed that pushes by hand.
"""

from doll.services.opening import Vault
from doll.services.restoring import bringing_back
from doll.services.syncing import leaking, losing, shapes
from doll.services.syncing.aside import aside
from doll.services.syncing.judging import brings
from doll.services.syncing.values import Stop, Target
from doll.services.syncing.verdicts import brings_errors
from doll.services.syncing.wording import git, listed, remote, words
from doll.vault import layout
from doll.vault.typed import typed
from doll.vcs.plumbing.history import authored_paths

_FOUND = 1
_LISTED = 20
_SHORT = 12


def refusal(vault: Vault, target: Target, tip: str | None, *, is_judged: bool) -> Stop | None:
    """Return why HEAD is not pushed to a remote that has `tip` (None: nothing); None if it is.

    `is_judged`: the errors that it brings were looked for. Raises GitError.
    """
    lost = losing.lost(vault, tip, vault.head) if tip is not None else None
    if tip is not None and lost is not None and lost.paths:
        return _lost(vault, lost, tip)
    if stop := leaking.refusal(vault, target, tip):
        return stop
    if tip is not None and (stop := shapes.unpushed(vault, tip)):
        return stop
    if not is_judged and (problems := brings(vault, tip)):
        return brings_errors(problems)
    # Last, since its line pushes all that the others let pass.
    if vault.prefix:
        found = authored_paths(vault.repository, vault.head, tip)
        others = sorted(path for path in found if not _is_ours(vault, path))
        if others:
            return _not_ours(vault, target, others)
    return None


def _is_ours(vault: Vault, path: str) -> bool:
    inside = vault.in_vault(path)
    return inside is not None and (
        layout.is_own(inside) or inside in (layout.ATTRIBUTES, layout.IGNORE)
    )


def _not_ours(vault: Vault, target: Target, others: list[str]) -> Stop:
    push = f"{git(vault)} push {remote(vault, target)} {typed(f'HEAD:{target.ref}')}"
    return Stop(
        _FOUND,
        f"not pushed: commits of yours also change {listed(others)}, which is not the vault's",
        f"{push}    pushes them all, then doll sync",
    )


def _lost(vault: Vault, lost: losing.Lost, tip: str) -> Stop:
    here, had = git(vault), tip[:_SHORT]
    # Where they are many, what is gone is looked for when the line is typed.
    gone = ("experience",) if len(lost.gone) > _LISTED else lost.gone
    beside, steps = aside(vault, "HEAD"), list[str]()
    if gone:
        steps.append(bringing_back(beside.git, map(vault.in_git, gone), had))
    if lost.changed:
        paths = words(list(map(vault.in_git, lost.changed)))
        steps.append(f"{beside.git} --literal-pathspecs checkout -q {had} -- {paths}")
    area = typed(vault.in_git("experience"))
    lines = [
        f"{here} log --oneline -m --stat {had}..HEAD -- {area}    shows which do",
        "to put it back:",
        beside.taken_over(steps, "put back what is kept"),
    ]
    return Stop(
        _FOUND,
        f"not pushed: commits of yours take away or change {len(lost.paths):,} of the entries of "
        "experience that the remote has",
        "\n".join(lines),
        paths=lost.paths,
    )
