"""Two indexes searched as one: the serials of the second become negative. Pure."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from doll.recall.ranking import Postings
from doll.recall.rows import Row


class Joined(NamedTuple):
    """Two indexes as one."""

    first: Postings
    second: Postings

    def postings(self, term: str) -> Sequence[tuple[int, float]]:
        """Return (serial, weight) of each document with `term`, dead ones included."""
        others = ((-serial, weight) for serial, weight in self.second.postings(term))
        return [*self.first.postings(term), *others]


def of_second(rows: Iterable[Row]) -> tuple[Row, ...]:
    """Return the rows of the second index as the two together have them."""
    return tuple(msgspec.structs.replace(row, serial=-row.serial) for row in rows)
