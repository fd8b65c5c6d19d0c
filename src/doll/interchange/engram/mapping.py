"""One engram as the fields of a memory, one episode as those of an experience entry.

The statement is the body, the rationale a section under it; whatever has no field becomes a claim.
Null counts as absent; so do an empty list and an empty mapping, but in `structured_data`, where
every value was somebody's own.
Source: the table in `doll.interchange.engram.fields`.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from doll.interchange import experience
from doll.interchange.base import Options
from doll.interchange.pointers import join
from doll.interchange.yaml_scalars import is_null, json_text
from doll.records import times
from doll.records.model import Experience, Fields, Memory

ADAPTER = "engram"

_BEGINNING = 200
_FIELDS = frozenset(["id", "statement", "tags"])
_TIMES = ("created_at", "updated_at")
_OWN = "structured_data"


class Mapped(NamedTuple):
    """The fields of a candidate, its body, and the text that its name is made from."""

    fields: Fields
    body: str
    name: str


def engram(entry: dict[str, Any], source: str, digest: str) -> Mapped:
    """Return an engram, whose shape is right, as a memory; `digest` is that of the entry."""
    summary = _text(entry.get("summary"))
    if summary is not None and not summary.strip():
        summary = None
    created, updated = (_moment(_text(entry.get(name))) for name in _TIMES)
    fields = Memory(
        summary=summary,
        tags=_tags(entry),
        created=created,
        updated=updated,
        origin="import",
        origin_adapter=ADAPTER,
        origin_source=source,
        origin_id=str(entry["id"]),
        origin_sha256=digest,
        claims=dict(_claims(entry)),
    )
    body = str(entry["statement"])
    rationale = _text(entry.get("rationale"))
    if rationale is not None and rationale.strip():
        body = f"{body}\n\n## Rationale\n\n{rationale}"
    return Mapped(fields, body, summary or entry["statement"].lstrip()[:_BEGINNING])


def episode(entry: dict[str, Any], source: str, digest: str, options: Options) -> Mapped:
    """Return an episode, whose shape is right, as an observation of the project that was named."""
    said = experience.said(str(entry["summary"]))
    stated = _text(entry.get("timestamp"))
    at = experience.moment(stated, options.as_of)
    tags = _tags(entry)
    claims = {
        join("", name): json_text(entry[name])
        for name in ("agent", "channel", "session_id")
        if not is_null(entry.get(name))
    }
    if stated is not None and not experience.is_exact(stated, at):
        claims["/timestamp"] = json_text(entry["timestamp"])
    fields = Experience(
        project=options.project,
        kind="observation",
        assertion="imported_external",
        at=at or experience.UNKNOWN,
        summary=said.summary,
        tags=tags if at else (*tags, experience.TIME_UNKNOWN),
        origin="import",
        origin_adapter=ADAPTER,
        origin_source=source,
        origin_id=_text(entry.get("id")) or None,
        origin_sha256=digest,
        claims=claims,
    )
    return Mapped(fields, said.body, said.summary)


def _text(value: Any) -> str | None:
    return None if is_null(value) else str(value)


def _tags(entry: dict[str, Any]) -> tuple[str, ...]:
    tags = entry.get("tags")
    return () if is_null(tags) else tuple(str(tag) for tag in tags or ())


def _moment(text: str | None) -> datetime | None:
    try:
        return None if text is None else times.parse(text)
    except ValueError:
        return None


def _claims(entry: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield pointer and JSON text of every value that no field holds, in the entry's order."""
    for name, value in entry.items():
        if name in _FIELDS or is_null(value) or value in ([], {}) or _has_a_field(name, value):
            continue
        pointer = join("", name)
        if not isinstance(value, dict):
            yield pointer, json_text(value)
            continue
        for part, item in value.items():
            if not is_null(item) and (item not in ([], {}) or name == _OWN):
                yield join(pointer, part), json_text(item)


def _has_a_field(name: str, value: Any) -> bool:
    if name in ("summary", "rationale"):
        return bool(value.strip())
    if name in _TIMES:
        return experience.is_exact(str(value), _moment(str(value)))
    return False
