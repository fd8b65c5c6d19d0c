"""Permissions: what the user allows, denies, or wants to be asked about, per capability.

The absence of a permission is one more answer: a registered capability that nobody was permitted
to use is blocked. An excluded capability needs no permission, for none can lift that.
"""

from collections.abc import Iterator
from typing import cast

from doll.preflight.asked import Asked, asked
from doll.preflight.context import Context
from doll.preflight.findings import Aside, Finding, finding, line_to_type
from doll.preflight.grants import Ruling, Verdict, rule
from doll.preflight.matching import Matched
from doll.records.model import Capability, Permission, Record

_SAID: dict[Verdict, tuple[str, str]] = {
    "deny": ("permission.denied", "a permission denies this"),
    "ask": ("permission.ask", "a permission wants a person to be asked first"),
    "allow_once": (
        "permission.allow_once",
        "this is allowed once, and doll cannot know whether that was used",
    ),
    "expired": ("permission.expired", "the permission for this has expired"),
    "elsewhere": (
        "permission.ask",
        "no permission of this capability is about this project and scope",
    ),
    "missing": ("permission.missing", "no permission exists for this capability"),
}
_OPEN = "whether this is permitted depends on what is not given"
_KEYS: dict[str, str] = {"expired": "valid_until", "missing": "release", "elsewhere": "release"}


def find(context: Context) -> Iterator[Finding | Aside]:
    """Yield what the permissions of each capability come to; nothing where they allow it."""
    by_capability = _by_capability(context)
    for one in asked(context):
        if cast("Capability", one.record.fields).release != "excluded":
            ruling = rule(context, by_capability.get(one.record.id, ()))
            if ruling.verdict != "allow":
                yield _said(one, ruling, context)


def _by_capability(context: Context) -> dict[str, list[Record]]:
    """Return the permissions by the id of their capability, by each that the name may mean."""
    found: dict[str, list[Record]] = {}
    for record in context.authority.get("permission", ()):
        named = cast("Permission", record.fields).capability
        for capability in context.resolver.resolve(named, "capability").ids:
            found.setdefault(capability, []).append(record)
    return found


def _said(one: Asked, ruling: Ruling, context: Context) -> Finding | Aside:
    unknown = tuple(dict.fromkeys((*one.match.unknown, *ruling.unknown)))
    record = ruling.record or one.record
    if "actions" in one.match.unknown and ruling.verdict != "deny":
        return Aside("request.not_given", record.id, unknown)
    code, detail = _SAID[ruling.verdict]
    if ruling.unknown and code == "permission.ask":
        detail = _OPEN
    match = one.match._replace(matched=_matched(one, ruling), unknown=unknown)
    key = _KEYS.get(ruling.verdict, "mode")
    said = finding(code, record, match, key, detail, hook=context.request.hook)
    if isinstance(said, Finding) and ruling.record is None:
        return said._replace(alternative=_permit(one.record))
    return said


def _matched(one: Asked, ruling: Ruling) -> tuple[Matched, ...]:
    """Return what matched; a permission names its capability in a field, not as its id."""
    if ruling.record is None:
        return one.match.matched
    named = cast("Permission", ruling.record.fields).capability
    mine = (m._replace(field="capability", pattern=named) for m in one.match.matched)
    return (*mine, *ruling.matched)


def _permit(capability: Record) -> str:
    """Return the line that makes a permission for a capability, to be edited and committed."""
    slug = capability.id.replace(".", "-")
    about = ("--set", f"capability={capability.id}", "--set", "mode=ask")
    return line_to_type("new", "permission", f"ask-{slug}", *about)
