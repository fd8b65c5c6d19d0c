"""The rows that an answer may show: perhaps very many, of which few are looked at."""

from collections.abc import Callable, Mapping, Sequence
from heapq import nlargest, nsmallest
from typing import overload

from doll.recall.rows import Row


class Shown(Sequence[Row]):
    """Rows by their serials; each is decoded when it is asked for, for there may be very many."""

    def __init__(self, serials: Sequence[int], rows: Mapping[int, Row]) -> None:
        self.serials = serials
        self._rows = rows

    def __len__(self) -> int:
        return len(self.serials)

    @overload
    def __getitem__(self, place: int) -> Row: ...

    @overload
    def __getitem__(self, place: slice) -> "Shown": ...

    def __getitem__(self, place: int | slice) -> "Row | Shown":
        if isinstance(place, slice):
            return Shown(self.serials[place], self._rows)
        return self._rows[self.serials[place]]

    def best(self, limit: int, score: Callable[[int], int]) -> list[Row]:
        """Return the first `limit` rows of an answer: best score of a serial, then id, then path.

        Only those that can be among the first are decoded.
        """
        scored = [(score(serial), serial) for serial in self.serials]
        least = min(nlargest(limit, scored), default=(0, 0))[0]
        found = [(-points, self._rows[serial]) for points, serial in scored if points >= least]
        key = [(points, row.id, row.path, row) for points, row in found]
        return [row for *_, row in nsmallest(limit, key, key=lambda one: one[:3])]
