"""Rows by serial, and the questions that ranking has about all of them. Values only."""

from abc import abstractmethod
from collections.abc import Collection, Iterator, Mapping

from doll.recall.rows import Row
from doll.recall.table import Table
from doll.records.names import fold


class Rows(Mapping[int, Row]):
    """The rows of the live documents of an index, by serial."""

    @abstractmethod
    def lengths(self) -> dict[int, int]:
        """Return the weighted length in halves of each document."""

    @abstractmethod
    def moments(self) -> list[tuple[int, int]]:
        """Return (serial, moment) of each record that has one, in microseconds since 1970."""

    @abstractmethod
    def bearing(self, names: Collection[str]) -> dict[str, list[int]]:
        """Return for each folded name the serials of the records whose id or alias it is."""


class Listed(Rows):
    """Rows in a plain mapping."""

    def __init__(self, rows: Mapping[int, Row]) -> None:
        self._rows = rows

    def __getitem__(self, serial: int) -> Row:
        return self._rows[serial]

    def __iter__(self) -> Iterator[int]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def lengths(self) -> dict[int, int]:
        """Return the weighted length in halves of each document."""
        return {serial: row.length for serial, row in self._rows.items()}

    def moments(self) -> list[tuple[int, int]]:
        """Return (serial, moment) of each record that has one."""
        return [(n, row.moment) for n, row in self._rows.items() if row.moment is not None]

    def bearing(self, names: Collection[str]) -> dict[str, list[int]]:
        """Return for each folded name the serials of the records whose id or alias it is."""
        found: dict[str, list[int]] = {name: [] for name in names}
        for serial, row in self._rows.items():
            for name in found.keys() & {fold(row.id), *row.aliases}:
                found[name].append(serial)
        return found


class Tabled(Rows):
    """Rows of a table, each decoded when it is asked for."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._places = table.places

    def __getitem__(self, serial: int) -> Row:
        return self._table[self._places[serial]]

    def __iter__(self) -> Iterator[int]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, serial: object) -> bool:
        return serial in self._places

    def lengths(self) -> dict[int, int]:
        """Return the weighted length in halves of each document."""
        found = dict(zip(self._table.serials, self._table.lengths, strict=True))
        found.pop(0, None)
        return found

    def moments(self) -> list[tuple[int, int]]:
        """Return (serial, moment) of each record that has one."""
        serials = self._table.serials
        return [(serials[place], at) for place, at in self._table.moments() if serials[place]]

    def bearing(self, names: Collection[str]) -> dict[str, list[int]]:
        """Return for each folded name the serials of the records whose id or alias it is."""
        serials = self._table.serials
        return {
            name: [serials[place] for place in places if serials[place]]
            for name, places in self._table.bearing(names).items()
        }


class Both(Rows):
    """Rows of two indexes that share no serial."""

    def __init__(self, first: Rows, second: Rows) -> None:
        self._first, self._second = first, second

    def __getitem__(self, serial: int) -> Row:
        return self._first[serial] if serial in self._first else self._second[serial]

    def __iter__(self) -> Iterator[int]:
        yield from self._first
        yield from self._second

    def __len__(self) -> int:
        return len(self._first) + len(self._second)

    def lengths(self) -> dict[int, int]:
        """Return the weighted length in halves of each document."""
        return self._first.lengths() | self._second.lengths()

    def moments(self) -> list[tuple[int, int]]:
        """Return (serial, moment) of each record that has one."""
        return self._first.moments() + self._second.moments()

    def bearing(self, names: Collection[str]) -> dict[str, list[int]]:
        """Return for each folded name the serials of the records whose id or alias it is."""
        one, other = self._first.bearing(names), self._second.bearing(names)
        return {name: one[name] + other[name] for name in one}
