"""The watcher of a vault: one that died, stopped, or cannot look, told from its heartbeat."""

from collections.abc import Iterator

from doll.errors import Problem
from doll.services.diagnosing.subject import Subject
from doll.services.watching.standing import Standing, standing
from doll.vault import heartbeat
from doll.vault.obstacles import in_the_way
from doll.vault.typed import typed
from doll.vcs.plumbing.locks import age_in_words


def watcher(subject: Subject) -> Iterator[Problem]:
    """Yield a watcher that does not do what it is there for. Reads see every change without it."""
    found = standing(subject.vault, subject.now)
    place = str(heartbeat.place(subject.vault.state))
    if found.state == "unknown":
        obstacle = in_the_way(heartbeat.locked(subject.vault.state))
        told = f"whether anybody watches is not known: {found.fault}"
        hint = obstacle[1] if obstacle else "doll status    says more"
    elif found.state == "dead":
        told, hint = _dead(found, place)
    elif found.state == "deaf":
        told, hint = _deaf(found)
    elif found.fault and not found.mode:
        told = f"a watcher lives; {found.fault}"
        hint = "# it is written anew every few seconds: while it is not, find out why"
    elif found.fault:
        told = f"the watcher (process {found.process}) cannot look: {found.fault}"
        hint = "doll status    says more"
    else:
        return
    yield Problem(place, 0, 0, "state.watch", told, "warning", hint)


def _dead(found: Standing, place: str) -> tuple[str, str]:
    hint = f"{found.again}    starts another\nrm -- {typed(place)}    forgets that there was one"
    if not found.elsewhere:
        who = f"the watcher (process {found.process})"
        return f"{who} ended without a word; nobody watches now", hint
    who = f"a watcher (process {found.process}) of {found.elsewhere}"
    return f"{who} left its heartbeat here; nobody watches here now", hint


def _deaf(found: Standing) -> tuple[str, str]:
    who, anew = f"the watcher (process {found.process})", f"{found.anew}    starts another"
    going_on = f"kill -CONT {found.process}"
    if not found.elsewhere:
        hint = f"{going_on}    goes on, if it was stopped\n{anew}"
        return f"{who} lives and sees nothing{_since(found)}", hint
    told = f"{who} watches {found.elsewhere}, where this vault is no more"
    if found.is_silent:
        return told, f"{anew}\n{going_on}    goes on there, if it was stopped"
    return told, anew


def _since(found: Standing) -> str:
    return f" since {age_in_words(found.silent)}" if found.silent else ""
