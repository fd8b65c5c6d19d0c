"""Actions that nothing knows: a wrong name matches no rule, and its silence must not look clear.

Owns the note that says so; it changes no status, since a project need not register its actions.
"""

from collections.abc import Iterator

from doll.preflight.context import Context
from doll.preflight.inputs import Inputs
from doll.preflight.matching import action_matches
from doll.preflight.report import Note
from doll.preflight.request import is_action, is_pattern

CODE = "request.unknown_action"


def unknown_actions(context: Context, inputs: Inputs) -> Iterator[Note]:
    """Yield a note for each action of the request that no capability, rule, entry or map knows."""
    asked = context.request.actions or ()
    # What is no action at all is a fault of the request already.
    doubtful = [a for a in asked if (is_action(a) or is_pattern(a)) and not context.registry.of(a)]
    names = _names(context, inputs) if doubtful else frozenset()
    for action in doubtful:
        if not any(action_matches(n, action) or action_matches(action, n) for n in names):
            yield Note(CODE, f"nothing here knows the action {action}{_meant(action, names)}")


def _names(context: Context, inputs: Inputs) -> frozenset[str]:
    """Return every action that a record or the map names."""
    records = (
        *(record for records in context.authority.values() for record in records),
        *(entry.record for entry in context.experience),
    )
    named = {
        action
        for record in records
        for field in ("actions", "required_for")
        for action in getattr(record.fields, field, ())
    }
    mapped = {action for rule in inputs.action_map for action in rule.actions}
    return frozenset(named | mapped | {record.id for record in context.registry.records})


def _meant(action: str, names: frozenset[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(action, sorted(names), 1)
    return f"; did you mean {near[0]}?" if near else ""
