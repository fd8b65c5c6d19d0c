"""The watcher of a vault: one that died, stopped, or cannot look, told from its heartbeat."""

from collections.abc import Iterator

from doll.errors import Problem
from doll.services.diagnosing.subject import Subject
from doll.services.watching.standing import Standing, standing
from doll.vault.typed import typed
from doll.vcs.plumbing.locks import age_in_words


def watcher(subject: Subject) -> Iterator[Problem]:
    """Yield a watcher that does not do what it is there for. Reads see every change without it."""
    found = standing(subject.vault, subject.now)
    place = str(subject.vault.state / "watch.json")
    if found.state == "dead":
        message = f"the watcher (process {found.process}) ended without a word; nobody watches now"
        hint = f"doll watch    starts another\nrm -- {typed(place)}    forgets that there was one"
        yield Problem(place, 0, 0, "state.watch", message, "warning", hint)
    elif found.state == "deaf" and found.elsewhere:
        message = (
            f"the watcher (process {found.process}) watches {found.elsewhere}, where this vault is"
            " no more"
        )
        hint = f"kill {found.process} && doll watch    starts another"
        yield Problem(place, 0, 0, "state.watch", message, "warning", hint)
    elif found.state == "deaf":
        message = f"the watcher (process {found.process}) lives and sees nothing{_since(found)}"
        hint = (
            f"kill -CONT {found.process}    goes on, if it was stopped\n"
            f"kill -KILL {found.process} && doll watch    starts another"
        )
        yield Problem(place, 0, 0, "state.watch", message, "warning", hint)
    elif found.fault and not found.mode:
        hint = "# it is written anew every few seconds: while it is not, find out why"
        yield Problem(
            place, 0, 0, "state.watch", f"a watcher lives; {found.fault}", "warning", hint
        )
    elif found.fault:
        message = f"the watcher (process {found.process}) cannot look: {found.fault}"
        yield Problem(place, 0, 0, "state.watch", message, "warning", "doll status    says more")


def _since(found: Standing) -> str:
    return f" since {age_in_words(found.silent)}" if found.silent else ""
