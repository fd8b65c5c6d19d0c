"""Links between records, as terms of the index: who links to a record is one list of postings.

Pure. Such a term begins with NUL, which no text can give: it counts for no length, and no query
asks for it. What it says is hashed: terms stay short, and hold no secret that a text has. A record
links to those it names (`related`, `supersedes`, `resolves` and the like, wikilinks), and shares a
work item, evidence, or a place in an import with others.
"""

import re
from collections.abc import Iterator
from hashlib import blake2b
from typing import NamedTuple

from doll.records import times
from doll.records.model import Experience, Memory, Record
from doll.records.names import fold
from doll.records.references import plain

# A text with more wikilinks is a list of what there is; its links say nothing about any of them.
MAX_WIKILINKS = 100
_MAX_TEXT = 1_048_576

_NAMES, _WORK_ITEM, _EVIDENCE, _PLACE, _MOMENT = "\0>", "\0w", "\0e", "\0p", "\0m"
_WIKILINK = re.compile(r"\[\[([^\[\]\n]{1,300})\]\]")
_LAST_NUMBER = re.compile(r"(.*?)([0-9]{1,12})([^0-9]*)", re.DOTALL)


class Way(NamedTuple):
    """One way from a record to others: those whose document has one of `terms`.

    `said` says to a person how the record that is reached is linked to this one.
    """

    said: str
    terms: tuple[str, ...]


def marks(record: Record, body: str) -> tuple[str, ...]:
    """Return the terms that the index keeps of a record's links, each once."""
    groups = (way.terms for way in _groups(record))
    place = [_place_term(record, place) for place in _place(record)]
    named = (_term(_NAMES, name) for name in names(record, body))
    return tuple(dict.fromkeys([*named, *(term for terms in groups for term in terms), *place]))


def names(record: Record, body: str) -> tuple[str, ...]:
    """Return the folded ids that a record names in its fields and its text, each once."""
    found = [fold(plain(name)) for name in (*_in_fields(record), *_wikilinks(body))]
    own = fold(record.id)
    return tuple(name for name in dict.fromkeys(found) if name and name != own)


def ways(record: Record) -> Iterator[Way]:
    """Yield the ways from a record to others, but for those that it names."""
    own = (fold(record.id), *map(fold, record.fields.aliases))
    yield Way("names it", tuple(_term(_NAMES, name) for name in dict.fromkeys(own)))
    yield from _groups(record)
    for place in _place(record):
        near = [_place_term(record, place._replace(number=place.number + n)) for n in (-1, 1)]
        yield Way("next to it in its import", tuple(near))


def _in_fields(record: Record) -> Iterator[str]:
    said = record.fields
    if isinstance(said, Memory):
        yield from (*said.related, *said.supersedes, *said.contradicts)
        if said.updates:
            yield said.updates
    elif isinstance(said, Experience):
        yield from (*said.resolves, *said.supersedes, *said.sources)
        yield from (found for text in said.evidence for found in _WIKILINK.findall(text))


def _wikilinks(body: str) -> tuple[str, ...]:
    if "[[" not in body:
        return ()
    found = tuple(dict.fromkeys(_WIKILINK.findall(body[:_MAX_TEXT])))
    return found if len(found) <= MAX_WIKILINKS else ()


def _groups(record: Record) -> Iterator[Way]:
    """Yield what a record shares with others of its kind."""
    said = record.fields
    if isinstance(said, Experience):
        if said.work_item:
            item = (fold(plain(said.project)), fold(plain(said.work_item)))
            yield Way("same work item", (_term(_WORK_ITEM, *item),))
        for text in dict.fromkeys(said.evidence):
            yield Way("same evidence", (_term(_EVIDENCE, text),))
    if said.origin == "import" and said.created is not None:
        moment = _term(_MOMENT, *_source(record), times.render(said.created))
        yield Way("of the same moment of its import", (moment,))


class _Place(NamedTuple):
    """Where an imported record stood in its source: what is around the last number of its id."""

    before: str
    number: int
    after: str


def _place(record: Record) -> Iterator[_Place]:
    said = record.fields
    found = _LAST_NUMBER.fullmatch(said.origin_id or "") if said.origin == "import" else None
    if found is not None:
        yield _Place(found[1], int(found[2]), found[3])


def _place_term(record: Record, place: _Place) -> str:
    return _term(_PLACE, *_source(record), *map(str, place))


def _source(record: Record) -> tuple[str, str]:
    return record.fields.origin_adapter or "", record.fields.origin_source or ""


def _term(kind: str, *said: str) -> str:
    data = "\0".join(said).encode("utf-8", "surrogatepass")
    return kind + blake2b(data, digest_size=10).hexdigest()
