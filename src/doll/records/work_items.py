"""The states of a work item, the ways between them, and the words that lead there. Pure.

The one place that knows which way is open. Source: docs/vault-format.md, "work-item".
"""

from typing import NamedTuple

# From each state, where a work item may go.
WAYS: dict[str, tuple[str, ...]] = {
    "proposed": ("ready", "cancelled"),
    "ready": ("in_progress", "blocked", "cancelled"),
    "in_progress": ("completed", "blocked", "cancelled"),
    "blocked": ("ready", "in_progress", "cancelled"),
    "completed": (),
    "cancelled": (),
}


class Verb(NamedTuple):
    """What is typed to move a work item: the state it leads to, and those it can start from."""

    target: str
    sources: tuple[str, ...]


def _sources(target: str) -> tuple[str, ...]:
    return tuple(state for state, targets in WAYS.items() if target in targets)


# Where several lead to one state from where a work item is, the first is proposed.
VERBS: dict[str, Verb] = {
    # Where it was before it was blocked is not in the file: whoever goes on with it types `start`.
    "unblock": Verb("ready", ("blocked",)),
    "ready": Verb("ready", _sources("ready")),
    "start": Verb("in_progress", _sources("in_progress")),
    "block": Verb("blocked", _sources("blocked")),
    "done": Verb("completed", _sources("completed")),
    "cancel": Verb("cancelled", _sources("cancelled")),
}
# Where the work goes on, what stood in its way is gone.
_UNBLOCKED = ("ready", "in_progress")


def open_ways(state: str) -> list[tuple[str, str]]:
    """Return the states that a work item can go to, each with the verb that leads there."""
    named = {VERBS[verb].target: verb for verb in reversed(VERBS) if state in VERBS[verb].sources}
    return [(named[target], target) for target in WAYS[state]]


def way_to_done(state: str) -> tuple[str, ...]:
    """Return the verbs that lead to `completed`, in the order to type them; () where none does."""
    steps = {"proposed": "ready", "ready": "start", "blocked": "start", "in_progress": "done"}
    way: list[str] = []
    while state in steps:
        way.append(steps[state])
        state = VERBS[way[-1]].target
    return tuple(way)


def ends_block(before: str, after: str) -> bool:
    """Return whether a move takes what stood in the way out of the record."""
    return before == "blocked" and after in _UNBLOCKED
