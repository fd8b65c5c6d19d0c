"""Candidates: one record in the forms in which a pack may take it."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from doll.records import times
from doll.records.model import Record
from doll.render.context_values import Item, Quote, Section, Settling, Source
from doll.render.recall_values import Hit
from doll.secrets import mask
from doll.services.packing.quoting import quote


class Candidate(NamedTuple):
    """A record that may be chosen, in its forms from the longest to its name alone."""

    forms: tuple[Item, ...]

    @property
    def source(self) -> Source:
        """Where its text is from."""
        return self.forms[0].source


class Bounds(NamedTuple):
    """What shapes a quote: the terms of the task, and the most tokens of one record's text.

    `terms` has the word of the task for each term.
    """

    terms: Mapping[str, str]
    limit: int


def candidate(
    section: Section,
    record: Record,
    body: str,
    bounds: Bounds,
    facts: dict[str, str],
    why: list[str],
    *,
    settled: tuple[Settling, ...] = (),
    score: int = 0,
) -> Candidate:
    """Return a record as a candidate; facts that are empty say nothing and are left out."""
    item = Item(
        section,
        source_of(record),
        tuple((name, mask(value)) for name, value in facts.items() if value),
        tuple(map(mask, why)),
        quote(record, body, bounds.terms, bounds.limit),
        settled,
        score,
    )
    half = item._replace(
        quote=quote(record, body, bounds.terms, bounds.limit // 2),
        settled=tuple(map(_shortest, settled)),
    )
    name = half._replace(quote=_name_of(item.quote))
    return Candidate(tuple(dict.fromkeys((item, half, name))))


def source_of(record: Record) -> Source:
    """Return where a record's text is from."""
    return Source(record.id, record.path, record.type, record.digest)


def recalled(hit: Hit) -> str:
    """Return why the search brought a record: the words of the task that it has."""
    said = dict.fromkeys(part.said for part in hit.parts)
    return f"recalled: {', '.join(said) or hit.why}"


def moment(value: datetime | None) -> str:
    """Return a time as it is shown, "" for none."""
    return times.render(value) if value else ""


def _shortest(settling: Settling) -> Settling:
    quote = settling.quote
    return settling if quote is None else settling._replace(quote=_name_of(quote))


def _name_of(quote: Quote) -> Quote:
    """Return a quote of the first line alone, which is the record's name."""
    return quote if len(quote.lines) == 1 else Quote(quote.lines[:1], cut=True)
