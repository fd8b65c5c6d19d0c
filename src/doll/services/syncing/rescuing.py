"""What is kept and said when a remote no longer has what it had: nothing is taken over.

A rescue ref names the commit that the remote had before, so that git never drops it.
"""

import shlex
from datetime import datetime

from doll.services.opening import Vault
from doll.services.syncing.aiming import OWN_REFS
from doll.services.syncing.losing import Lost
from doll.services.syncing.values import Stop, Target
from doll.vcs import porcelain
from doll.vcs.plumbing.refs import refs_below

FOLDER = f"{OWN_REFS}/rescue"

_CONFLICT = 5
_SHORT = 12
_SHOWN = 20


def rewritten(vault: Vault, target: Target, before: str, tip: str, now: datetime) -> Stop:
    """Return the stop for a remote whose branch has no longer the commit that it had."""
    kept = _keep(vault, before, now)
    git = _git(vault)
    return Stop(
        _CONFLICT,
        f"the history of {target.name} was rewritten: it had {before[:_SHORT]}, and what is there "
        f"now, {tip[:_SHORT]}, does not grow from that; nothing was taken over, and what it had is "
        f"kept as {kept}",
        f"{git} log --oneline {tip[:_SHORT]}..{kept}    shows what it lost\n"
        f"{git} log --oneline {kept}..{tip[:_SHORT]}    shows what it got instead\n"
        f"{git} merge {target.incoming}    then doll sync: keeps both\n"
        f"{_accept(vault, target)}    then doll sync: the change was meant",
    )


def losing(vault: Vault, target: Target, lost: Lost, before: str, tip: str, now: datetime) -> Stop:
    """Return the stop for a remote that lost experience, or most of the records."""
    kept = _keep(vault, before, now)
    git = _git(vault)
    parts = []
    if lost.gone:
        parts.append(f"{len(lost.gone):,} of the entries of experience are gone")
    if lost.changed:
        parts.append(f"{len(lost.changed):,} of the entries of experience were changed")
    if lost.records:
        parts.append(f"{lost.records:,} of {lost.of:,} records are gone")
    return Stop(
        _CONFLICT,
        f"in what {target.name} has now {' and '.join(parts)}; nothing was taken over, and what it "
        f"had is kept as {kept}",
        f"{git} log --oneline --stat {before[:_SHORT]}..{tip[:_SHORT]}    shows who did it\n"
        "to take it over and put everything back as it was:\n"
        f"{git} merge --no-ff --no-commit {target.incoming}\n"
        f"{git} checkout {kept} -- {_what(lost)}\n"
        f"{git} commit --no-edit    then doll sync",
        paths=lost.paths[:_SHOWN],
    )


def gone(vault: Vault, target: Target, before: str, now: datetime) -> Stop:
    """Return the stop for a branch that the remote had, and has no more."""
    kept = _keep(vault, before, now)
    git = _git(vault)
    return Stop(
        _CONFLICT,
        f"{target.remote} has no branch {target.branch} any more; nothing was pushed, and what it "
        f"had is kept as {kept}",
        f"{git} push {shlex.quote(target.remote)} HEAD:{shlex.quote(target.ref)}    "
        "makes it anew, then doll sync",
    )


def unrelated(vault: Vault, target: Target) -> Stop:
    """Return the stop for a remote that has another history altogether."""
    git = _git(vault)
    return Stop(
        _CONFLICT,
        f"{target.name} and HEAD have no commit in common, so this may be the wrong remote; "
        "nothing was taken over",
        f"{git} remote -v    shows which it is\n"
        f"{git} merge --allow-unrelated-histories {target.incoming}    then doll sync: joins them",
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
    return " && ".join(f"{git} update-ref {shlex.quote(n)} {target.incoming}" for n in names)


def _what(lost: Lost) -> str:
    if lost.records:
        return "confirmed experience authority"
    return " ".join(map(shlex.quote, lost.paths)) if len(lost.paths) <= _SHOWN else "experience"


def _git(vault: Vault) -> str:
    return f"git -C {shlex.quote(str(vault.root))}"
