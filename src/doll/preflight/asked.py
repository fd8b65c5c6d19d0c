"""Which capabilities a request is about: those of its actions, or any while no action is given."""

from collections.abc import Iterator
from typing import NamedTuple

from doll.preflight.context import Context
from doll.preflight.matching import Match, Matched, Part
from doll.records.model import Record


class Asked(NamedTuple):
    """A capability, and how the request comes to it.

    `actions` is unknown where none is given, and `project` where only some project's paths mean it.
    """

    record: Record
    match: Match


def asked(context: Context) -> Iterator[Asked]:
    """Yield each capability once, in the order of the actions, with the first that it is of."""
    actions = context.request.actions
    if actions is None:
        for record in context.registry.records:
            yield Asked(record, Match((), ("actions",), targeted=False))
        return
    seen = set()
    for action in (*actions, *context.possible):
        unknown: tuple[Part, ...] = () if action in actions else ("project",)
        for record in context.registry.of(action):
            if record.path not in seen:
                seen.add(record.path)
                matched = Matched("id", record.id, action)
                yield Asked(record, Match((matched,), unknown, targeted=True))
