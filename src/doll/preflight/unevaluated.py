"""What is accepted about a request and is not evaluated yet: permissions and capabilities.

Owns the note that says so, so that silence is never taken for an answer. It changes no status.
"""

from collections.abc import Iterator, Sequence
from typing import cast

from doll.preflight.context import Context
from doll.preflight.matching import action_matches, match
from doll.preflight.report import Note
from doll.records.model import Permission, Record

CODE = "authority.not_evaluated"
_MOST_NAMED = 3


def not_evaluated(context: Context) -> Iterator[Note]:
    """Yield one note about the permissions and capabilities that concern a requested action."""
    capabilities = [
        (record, actions)
        for record in context.authority.get("capability", ())
        if (actions := _about(context, record.id))
    ]
    permissions = [
        (record, actions)
        for record in context.authority.get("permission", ())
        if match(context, ("projects", cast("Permission", record.fields).projects))
        if (actions := _about(context, _capability(context, record)))
    ]
    found = [*permissions, *capabilities]
    if found:
        about = sorted({action for _, actions in found for action in actions})
        said = _said(len(permissions), len(capabilities), about)
        yield Note(CODE, said, total=len(found))


def _about(context: Context, capability: str) -> list[str]:
    """Return the requested actions that the capability is about."""
    given = context.request.actions or ()
    return [action for action in given if action_matches(capability, action)]


def _capability(context: Context, record: Record) -> str:
    named = cast("Permission", record.fields).capability
    found = context.resolver.record(named, "capability")
    return found.id if found else named


def _said(permissions: int, capabilities: int, actions: Sequence[str]) -> str:
    words = (
        (permissions, "permission", "permissions"),
        (capabilities, "capability", "capabilities"),
    )
    parts = [f"{number} {one if number == 1 else more}" for number, one, more in words if number]
    alone = permissions + capabilities == 1
    rest = len(actions) - _MOST_NAMED
    names = ", ".join([*actions[:_MOST_NAMED], *([f"{rest} more"] if rest > 0 else [])])
    return (
        f"{' and '.join(parts)} {'is' if alone else 'are'} about {names}; "
        f"this version does not evaluate {'it' if alone else 'them'}"
    )
