"""Candidates: one record in the forms in which a pack may take it."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from doll.records import times
from doll.records.model import Record
from doll.render.context_values import Item, Quote, Section, Settling, Source
from doll.render.recall_values import Hit
from doll.secrets import mask
from doll.services.packing.quoting import quote


class Candidate:
    """A record that may be chosen, in its forms.

    They are: `long`, `half` as much text, its `name` alone, the `least` there is of it.

    Each is made when it is asked for: of most records none is, for there is no room. `bare` is the
    record without its text, which no form is shorter than.
    """

    def __init__(self, bare: Item, record: Record, body: str, bounds: "Bounds") -> None:
        self.bare = bare
        self.source = bare.source
        self._text = record, body
        self._bounds = bounds

    @cached_property
    def long(self) -> Item:
        """The record with its text, and of what resolves it the texts."""
        said = quote(*self._text, self._bounds.terms, self._bounds.limit)
        return self.bare._replace(quote=said)

    @cached_property
    def half(self) -> Item:
        """The record with half as much text, and of what resolves it the names."""
        return self.name._replace(
            quote=quote(*self._text, self._bounds.terms, self._bounds.limit // 2)
        )

    @cached_property
    def name(self) -> Item:
        """The record's name, and the names of what resolves it."""
        settled = tuple(map(_shortest, self.long.settled))
        return self.long._replace(quote=_name_of(self.long.quote), settled=settled)

    @cached_property
    def least(self) -> Item:
        """The record's name, and no more than the ids of what resolves it."""
        settled = tuple(each._replace(quote=None) for each in self.name.settled)
        return self.name._replace(settled=settled)

    def forms(self) -> Iterator[Item]:
        """Yield the forms, the longest first."""
        yield self.long
        yield self.half
        yield self.name
        if self.bare.settled:
            yield self.least


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
        Quote(()),
        settled,
        score,
    )
    return Candidate(item, record, body, bounds)


def source_of(record: Record) -> Source:
    """Return where a record's text is from."""
    return Source(record.id, record.path, record.type, record.digest)


def recalled(hit: Hit) -> str:
    """Return why the search brought a record: the words of the task that it has, a date, a link.

    Of a link the other end is not named: it may have a label that keeps it out.
    """
    said = [part.said for part in hit.parts]
    said += [each.said for each in hit.additions if each.kind == "date"]
    said += ["a link with what matches" for each in hit.additions if each.kind == "link"]
    return f"recalled: {', '.join(dict.fromkeys(said))}"


def moment(value: datetime | None) -> str:
    """Return a time as it is shown, "" for none."""
    return times.render(value) if value else ""


def _shortest(settling: Settling) -> Settling:
    quote = settling.quote
    return settling if quote is None else settling._replace(quote=_name_of(quote))


def _name_of(quote: Quote) -> Quote:
    """Return a quote of the first line alone, which is the record's name."""
    return quote if len(quote.lines) == 1 else Quote(quote.lines[:1], cut=True)
