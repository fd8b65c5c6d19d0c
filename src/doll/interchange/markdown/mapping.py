"""One note, or one section of it, as the fields of a memory.

A property with a field sets it only where its value fits; whatever else was said is a claim.
Source: the table in `doll.interchange.markdown.fields`.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from doll.interchange import experience
from doll.interchange.markdown import fields as table
from doll.interchange.markdown import tags as inline_tags
from doll.interchange.pointers import join
from doll.interchange.yaml_scalars import Plain, is_null, json_text
from doll.records import times
from doll.records.model import Memory

ADAPTER = "markdown"

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_LINE = 300
_COMMAS = re.compile(r"[,\s]+")


class Piece(NamedTuple):
    """What becomes one candidate: its text, the name it goes by, and its properties."""

    body: str
    title: str
    properties: Mapping[str, Any]


class Origin(NamedTuple):
    """Where a piece comes from: key of the source, id in it, SHA-256 of its bytes."""

    source: str
    source_id: str
    digest: str


class _Stated(NamedTuple):
    """What properties say that has a field; `exact` are those of which nothing is lost."""

    title: str | None
    summary: str | None
    tags: tuple[str, ...]
    created: datetime | None
    updated: datetime | None
    exportable: bool
    exact: frozenset[str]


def memory(piece: Piece, origin: Origin) -> Memory:
    """Return a piece as a memory that nobody has reviewed."""
    stated = _stated(piece.properties)
    return Memory(
        title=stated.title or piece.title,
        summary=stated.summary,
        created=stated.created,
        updated=stated.updated,
        tags=tuple(dict.fromkeys([*stated.tags, *inline_tags.inline(piece.body)])),
        exportable=stated.exportable,
        origin="import",
        origin_adapter=ADAPTER,
        origin_source=origin.source,
        origin_id=origin.source_id,
        origin_sha256=origin.digest,
        claims=dict(_claims(piece.properties, stated.exact)),
    )


def _stated(said: Mapping[str, Any]) -> _Stated:
    exact = set[str]()

    def first(names: tuple[str, ...]) -> str | None:
        for name in names:
            if text := _line(said.get(name)):
                exact.add(name)
                return text
        return None

    def moment(names: tuple[str, ...]) -> datetime | None:
        for name in names:
            text = said.get(name)
            found = _moment(text) if isinstance(text, str) else None
            if found is not None:
                if experience.is_exact(str(text), found):
                    exact.add(name)
                return found
        return None

    tags = _tags(said.get(table.TAGS))
    if tags == said.get(table.TAGS):
        exact.add(table.TAGS)
    closed = said.get(table.EXPORTABLE)
    is_closed = closed.__class__ is Plain and closed in ("false", "False", "FALSE")
    if is_closed:
        exact.add(table.EXPORTABLE)
    return _Stated(
        title=first((table.TITLE,)),
        summary=first((table.SUMMARY, table.DESCRIPTION)),
        tags=tuple(tags),
        created=moment((table.CREATED, table.DATE)),
        updated=moment((table.UPDATED,)),
        exportable=not is_closed,
        exact=frozenset(exact),
    )


def _line(value: object) -> str | None:
    """Return a text of one short line that says something."""
    if not isinstance(value, str) or is_null(value) or len(value) > _LINE:
        return None
    return str(value) if value.strip() and value.splitlines() == [value] else None


def _tags(value: object) -> list[str]:
    """Return the tags of a list, or of a text with commas or spaces; the sign may stand there."""
    if isinstance(value, str):
        given: list[Any] = [] if is_null(value) else _COMMAS.split(value)
    else:
        given = value if isinstance(value, list) else []
    texts = (
        str(each).removeprefix("#") for each in given if isinstance(each, str) and not is_null(each)
    )
    return [text for text in texts if text.strip()]


def _moment(text: str) -> datetime | None:
    """Return the moment of a time; of a day its beginning in UTC, as nothing says where."""
    try:
        if _DAY.fullmatch(text):
            return datetime.fromisoformat(text).replace(tzinfo=UTC)
        return times.parse(str(text))
    except ValueError:
        return None


def _claims(said: Mapping[str, Any], exact: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield pointer and JSON text of every property that no field holds as it was said."""
    for name, value in said.items():
        if name not in exact and not is_null(value) and value not in ([], {}):
            yield join("", name), json_text(value)
