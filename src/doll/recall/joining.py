"""Two indexes searched as one: the serials of the second become negative. Pure."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

import msgspec

from doll.recall.rows import Row


class Searchable(Protocol):
    """An index: postings by term, and all its terms."""

    def postings(self, term: str) -> Sequence[tuple[int, float]]:
        """Return (serial, weight) of each document with `term`, dead ones included."""

    def terms(self) -> Sequence[str]:
        """Return every term, those of dead documents included, in no order."""


class Joined(NamedTuple):
    """Two indexes as one."""

    first: Searchable
    second: Searchable

    def postings(self, term: str) -> Sequence[tuple[int, float]]:
        """Return (serial, weight) of each document with `term`, dead ones included."""
        others = ((-serial, weight) for serial, weight in self.second.postings(term))
        return [*self.first.postings(term), *others]

    def terms(self) -> Sequence[str]:
        """Return every term once, those of dead documents included, in no order."""
        return list({*self.first.terms(), *self.second.terms()})


def of_second(rows: Iterable[Row]) -> tuple[Row, ...]:
    """Return the rows of the second index as the two together have them."""
    return tuple(msgspec.structs.replace(row, serial=-row.serial) for row in rows)
