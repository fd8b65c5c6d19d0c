"""One memory of a PAM store as the fields of a record; whatever has no field becomes a claim.

Nothing foreign becomes a status, a confidence, a permission or an instruction of doll's. Null
counts as absent everywhere; an empty list or object counts as absent where it is the published
default of a field, not inside `metadata`, where every value was somebody's own.
Source: the table in `doll.interchange.pam.fields`.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from doll.interchange.pam.fields import FIELDS, MEMORY
from doll.interchange.pointers import join, parts
from doll.interchange.strict_json import text_of
from doll.records import times
from doll.records.model import Memory

ADAPTER = "pam"

_NO_KINDS = ("custom", "instruction")
_BEGINNING = 200
_SHORT = 80
_KNOWN = tuple(
    parts(rule.field.removeprefix(MEMORY))
    for rule in FIELDS
    if rule.field.startswith(MEMORY) and not rule.field.endswith("/*")
)
_POINTERS = {path: join("", *path) for path in _KNOWN}
_METADATA = frozenset(path[1] for path in _KNOWN if path[0] == "metadata")


class Mapped(NamedTuple):
    """The fields of a memory and the text that its stem is made from."""

    fields: Memory
    name: str


def mapped(
    memory: Mapping[str, Any], owner: str, digest: str, relations: Sequence[tuple[str, Any]]
) -> Mapped:
    """Return the fields of a memory whose shape is right.

    `digest` is SHA-256 (64 hex digits) of the memory, `relations` are those that start from it,
    each with its pointer in the document.
    """
    temporal = memory["temporal"]
    summary = memory.get("summary")
    fields = Memory(
        summary=summary if _says_something(summary) else None,
        kind=None if memory["type"] in _NO_KINDS else memory["type"],
        tags=tuple(memory.get("tags", ())),
        created=_moment(temporal["created_at"]),
        updated=_moment(temporal.get("updated_at")),
        exportable=memory.get("access", {}).get("exportable", True),
        origin="import",
        origin_adapter=ADAPTER,
        origin_source=owner,
        origin_id=memory["id"],
        origin_sha256=digest,
        claims=dict(_claims(memory, relations)),
    )
    return Mapped(fields, fields.summary or memory["content"].lstrip()[:_BEGINNING])


def mark(memory: Mapping[str, Any]) -> str:
    """Return the status of a memory that the source does not call active, else ""."""
    status: str = memory.get("status", "active")
    return "" if status == "active" else status


def _says_something(summary: str | None) -> bool:
    return summary is not None and summary.strip() != ""


def _moment(text: str | None) -> datetime | None:
    """Return the moment that an RFC 3339 text names, or None where Python has no such moment."""
    if text is None:
        return None
    try:
        return times.parse(text)
    except ValueError:
        return None


def _claims(
    memory: Mapping[str, Any], relations: Sequence[tuple[str, Any]]
) -> Iterator[tuple[str, str]]:
    """Yield pointer and JSON text of every value that no field holds, in the table's order."""
    for path in _KNOWN:
        value: Any = memory
        for part in path:
            value = value.get(part) if value is not None else None
        absent = value is None or value in ([], {})
        if not absent and not _has_a_field(path, value):
            yield _POINTERS[path], _shared(text_of(value))
    for name, value in sorted(memory.get("metadata", {}).items()):
        if name not in _METADATA and value is not None:
            yield join("/metadata", name), text_of(value)
    for pointer, relation in relations:
        yield pointer, text_of(relation)


def _shared(text: str) -> str:
    """Return a text as one that others share: stores say the same thousands of times."""
    return sys.intern(text) if len(text) <= _SHORT else text


def _has_a_field(path: tuple[str, ...], value: Any) -> bool:
    match path:
        case ("id" | "content" | "tags",):
            return True
        case ("type",):
            return value not in _NO_KINDS
        case ("summary",):
            return _says_something(value)
        case ("access", "exportable"):
            return value is False
        case ("temporal", "created_at" | "updated_at"):
            moment = _moment(value)
            return moment is not None and times.render_exact(moment) == value
    return False
