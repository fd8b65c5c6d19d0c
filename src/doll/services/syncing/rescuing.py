"""What is kept and said when a remote no longer has what it had: nothing is taken over.

A rescue ref names the commit that the remote had before, so that git never drops it.
"""

from collections.abc import Sequence
from datetime import datetime

from doll.services.missing import ALLOWED
from doll.services.opening import Vault
from doll.services.restoring import bringing_back
from doll.services.syncing.aiming import OWN_REFS
from doll.services.syncing.aside import aside
from doll.services.syncing.losing import Lost
from doll.services.syncing.values import Stop, Target
from doll.services.syncing.wording import words
from doll.vault.typed import typed
from doll.vcs import porcelain
from doll.vcs.plumbing.refs import count_commits, refs_below

FOLDER = f"{OWN_REFS}/rescue"

_CONFLICT = 5
_RECORDS = ("confirmed", "experience", "authority")
_SHORT = 12
_SHOWN = 20


def rewritten(
    vault: Vault, target: Target, before: str, known: Sequence[str], tip: str, now: datetime
) -> Stop:
    """Return the stop for a remote whose branch has no longer the commit `before` that it had.

    `known` are all commits that the remote is known to have had.
    """
    kept = _keep(vault, before, now)
    git = _git(vault)
    return Stop(
        _CONFLICT,
        f"the history of {target.name} was rewritten: it had {before[:_SHORT]}, and what is there "
        f"now, {tip[:_SHORT]}, does not grow from that; nothing was taken over, and what it had is "
        f"kept as {kept}",
        f"{git} log --oneline {tip[:_SHORT]}..{kept}    shows what it lost\n"
        f"{git} log --oneline {kept}..{tip[:_SHORT]}    shows what it got instead\n"
        f"{_accept(vault, target)}    keeps both: then doll sync merges them\n"
        f"{_going_along(vault, target, kept, [each for each in known if each != before], tip)}",
    )


def _going_along(vault: Vault, target: Target, kept: str, others: Sequence[str], tip: str) -> str:
    """Return the line that takes over a history that was rewritten on purpose.

    What the remote had, `kept` and the `others`, does not come back; commits made here are put on
    the new history one by one.
    """
    git = _git(vault)
    # Not `seen`: a sync has to know what was taken out, so that no branch brings it back.
    moving = f"{going_over(vault, target.fetched)} && "
    moving += f"{git} update-ref {typed(target.meant)} {target.fetched}"
    had = [kept, *(each[:_SHORT] for each in others)]
    if not count_commits(vault.repository, vault.head, tip, *had, merges=False):
        return f"{moving}    the change was meant, then doll sync"
    name, keeping = keeping_own(vault)
    without = f" --not {' '.join(had[1:])}" if had[1:] else ""
    return (
        f"{keeping} && {moving} && {git} cherry-pick --no-merges {had[0]}..{name}{without}    "
        "the change was meant; puts your own commits on it, then doll sync"
    )


def going_over(vault: Vault, commit: str) -> str:
    """Return the line that has the branch go over to a commit that does not come after HEAD.

    Edits and what is staged stay; git refuses where these, or a file that it ignores, are in the
    way, and then nothing is done.
    """
    # Unlike this, `reset --keep` drops what is staged, and writes over what is ignored.
    to = f"-B {typed(vault.branch or 'HEAD')} {commit}"
    return f"{_git(vault)} checkout -q --no-overwrite-ignore {to} --"


def keeping_own(vault: Vault) -> tuple[str, str]:
    """Return the name, as a word, of a branch that keeps what HEAD has, and the line for it.

    That ends where something is staged: git would put no commit on another history then.
    """
    git, name = _git(vault), typed(free_branch(vault, f"{vault.branch}-before"))
    return name, f"{git} diff --cached --stat --exit-code && {git} branch {name}"


def free_branch(vault: Vault, wanted: str) -> str:
    """Return a name that a new branch can have."""
    known = refs_below(vault.repository, "refs/heads")
    name, number = wanted, 1
    while any(f"{ref}/".startswith(f"refs/heads/{name}/") for ref in known):
        number += 1
        name = f"{wanted}-{number}"
    return name


def losing(vault: Vault, target: Target, lost: Lost, before: str, tip: str, now: datetime) -> Stop:
    """Return the stop for a remote that lost experience, or most of the records.

    The line puts back on top of the tip what `before` had: what was written here since is merged
    with that by the next sync, as anything else.
    """
    kept = _keep(vault, before, now)
    lines = [
        f"{_git(vault)} log --oneline --stat {before[:_SHORT]}..{tip[:_SHORT]}    shows who did it",
        "to put everything back as it was, by a commit on top, made beside the vault:",
        _putting_back(vault, target, lost, kept),
    ]
    if lost.records and not lost.paths:
        lines.append(f"{ALLOWED}    takes them for deleted, as was meant")
    return Stop(
        _CONFLICT,
        f"in what {target.name} has now {' and '.join(_parts(lost))}; nothing was taken over, "
        f"and what it had is kept as {kept}",
        "\n".join(lines),
        paths=lost.paths[:_SHOWN],
    )


def lost_by_hand(
    vault: Vault, target: Target, lost: Lost, before: str, tip: str, now: datetime
) -> Stop:
    """Return the stop for a loss that HEAD and the remote have both: it went past doll."""
    kept = _keep(vault, before, now)
    lines = [
        f"{_git(vault)} log --oneline --stat {before[:_SHORT]}..{tip[:_SHORT]}    shows who did it",
        "to put it back, by a commit on top, made beside the vault:",
        _putting_back(vault, target, lost, kept),
        f"{_accept(vault, target)}    it was meant, then doll sync",
    ]
    return Stop(
        _CONFLICT,
        f"since the last sync {' and '.join(_parts(lost))}, here and in {target.name}, by a pull "
        f"or push that was not doll's; what it had is kept as {kept}",
        "\n".join(lines),
        paths=lost.paths[:_SHOWN],
    )


def _putting_back(vault: Vault, target: Target, lost: Lost, kept: str) -> str:
    """Return the line that puts back at the remote what is lost of `kept`.

    Where much is gone, it looks for that when it is typed.
    """
    gone = _RECORDS if lost.records else ("experience",) if len(lost.gone) > _SHOWN else lost.gone
    beside, steps = aside(vault, target.fetched), list[str]()
    if gone:
        steps.append(bringing_back(beside.git, map(vault.in_git, gone), kept))
    if lost.changed:
        paths = words(list(map(vault.in_git, lost.changed)))
        steps.append(f"{beside.git} --literal-pathspecs checkout -q {kept} -- {paths}")
    return beside.pushed(vault, target, steps, "put back what was lost")


def _parts(lost: Lost) -> list[str]:
    """Return in words what is lost."""
    parts = []
    if lost.gone:
        parts.append(f"{len(lost.gone):,} of the entries of experience are gone")
    if lost.changed:
        parts.append(f"{len(lost.changed):,} of the entries of experience were changed")
    if lost.records:
        parts.append(f"{lost.records:,} of {lost.of:,} records are gone")
    return parts


def gone(vault: Vault, target: Target, before: str, now: datetime) -> Stop:
    """Return the stop for a branch that the remote had, and has no more."""
    kept = _keep(vault, before, now)
    git = _git(vault)
    names = [target.seen, *([target.tracking] if target.tracking else [])]
    # No push: a sync looks first at what it would publish.
    forgetting = " && ".join(f"{git} update-ref -d {typed(name)}" for name in names)
    return Stop(
        _CONFLICT,
        f"{target.shown} has no branch {target.branch} any more; nothing was pushed, and what it "
        f"had is kept as {kept}",
        f"{forgetting}    makes it anew, then doll sync",
    )


def unrelated(vault: Vault, target: Target) -> Stop:
    """Return the stop for a remote that has another history altogether."""
    git = _git(vault)
    return Stop(
        _CONFLICT,
        f"{target.name} and HEAD have no commit in common, so this may be the wrong remote; "
        "nothing was taken over",
        f"{git} remote -v    shows which it is\n"
        f"{git} merge --allow-unrelated-histories {target.fetched}    joins them, then doll sync",
    )


def shallow(vault: Vault) -> Stop:
    """Return the stop for a clone that has too little history to say how it relates."""
    return Stop(
        _CONFLICT,
        "this is a shallow clone, and what it has in common with the remote was left out of it; "
        "nothing was taken over",
        f"{_git(vault)} fetch --unshallow    then doll sync",
    )


def _keep(vault: Vault, commit: str, now: datetime) -> str:
    """Return the rescue ref of a commit, which is made where there is none yet."""
    known = refs_below(vault.repository, FOLDER)
    found = next((name for name, oid in known.items() if oid == commit), None)
    if found is not None:
        return found
    name = f"{FOLDER}/{now:%Y%m%dT%H%M%SZ}"
    number = 1
    while name in known:
        number += 1
        name = f"{FOLDER}/{now:%Y%m%dT%H%M%SZ}-{number}"
    porcelain.move(vault.repository, [porcelain.Move(name, commit, "")], "doll sync: rescue")
    return name


def _accept(vault: Vault, target: Target) -> str:
    """Return the line after which what the remote has now counts as what it had."""
    git = _git(vault)
    names = [target.seen, *([target.tracking] if target.tracking else [])]
    return " && ".join(f"{git} update-ref {typed(n)} {target.fetched}" for n in names)


def _git(vault: Vault) -> str:
    return f"git -C {typed(str(vault.root))}"
