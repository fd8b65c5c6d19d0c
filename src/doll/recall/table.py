"""The table: the rows of all record files, sorted by path. Values only.

It is read at each recall. What every match needs (serial, length, whether it is plainly current)
lies in columns that cost nothing to load; a row is decoded when it is asked for. A table never
changes.
"""

from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, overload

import msgspec

from doll.recall.columns import ALIASED, DIGEST, HEAD, PLAIN, REPLACES, STAMP, Columns
from doll.recall.rows import Row
from doll.records.digest import sha256
from doll.records.names import fold
from doll.vault.layout import record_id

_TYPES: Any = tuple(field.type for field in msgspec.structs.fields(Row)[HEAD:])
_DETAILS: Any = msgspec.msgpack.Decoder(tuple[_TYPES])


class Summary(msgspec.Struct, frozen=True, array_like=True):
    """What is said of a table as a whole, made when it changes and kept with it.

    `digest` is the SHA-256 over the lines `digest path` of all searched records. `replacing` are
    the places of rows that replace others, `named` the places of those that bear a name so used.
    """

    digest: str
    replacing: list[int]
    named: dict[str, list[int]]


class Table(Sequence[Row]):
    """The rows of all record files, by place."""

    def __init__(self, columns: Columns | None = None, summary: Summary | None = None) -> None:
        self.columns = Columns() if columns is None else columns
        if summary is not None:
            self.summary = summary

    def __len__(self) -> int:
        return len(self.columns.marks)

    @overload
    def __getitem__(self, place: int) -> Row: ...

    @overload
    def __getitem__(self, place: slice) -> list[Row]: ...

    def __getitem__(self, place: int | slice) -> Row | list[Row]:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        columns = self.columns
        path = columns.names[place]  # an IndexError ends an iteration
        starts = columns.starts
        details = _DETAILS.decode(columns.details[starts[place] : starts[place + 1]])
        return Row(path, self.digest(place), self.serials[place], self.lengths[place], *details)

    @property
    def paths(self) -> list[str]:
        """The path of each row."""
        return self.columns.names

    @cached_property
    def serials(self) -> "array[int]":
        """The serial of each row, 0 for one that stands in no index."""
        return array("I", self.columns.serials)

    @cached_property
    def lengths(self) -> "array[int]":
        """The weighted length of each row, in halves."""
        return array("I", self.columns.lengths)

    @cached_property
    def summary(self) -> Summary:
        """What is said of the table as a whole."""
        return _summary(self)

    def digest(self, place: int) -> str:
        """Return the SHA-256 of the file behind a row."""
        return self.columns.digests[place * DIGEST : (place + 1) * DIGEST].hex()

    def stamp(self, place: int) -> bytes:
        """Return the packed stamp of the file behind a row."""
        return self.columns.stamps[place * STAMP : (place + 1) * STAMP]

    def is_plainly_current(self, place: int, moment: int) -> bool:
        """Return whether a row is current at `moment`, in microseconds since 1970, by itself.

        False says nothing: then ask the row.
        """
        return (
            self.columns.marks[place] & PLAIN == PLAIN
            and self._begins[place] <= moment < self._ends[place]
        )

    def replacing(self) -> list[Row]:
        """Return the rows that replace others."""
        return [self[place] for place in self.summary.replacing]

    def named(self, names: Collection[str]) -> dict[str, list[Row]]:
        """Return the rows with a folded id or alias of `names`, which rows name to replace it."""
        known = self.summary.named
        return {name: [self[place] for place in known.get(name, ())] for name in names}

    @cached_property
    def by_serial(self) -> "BySerial":
        """The rows that stand in the index, by serial."""
        return BySerial(self)

    @cached_property
    def _begins(self) -> "array[int]":
        return array("q", self.columns.begins)

    @cached_property
    def _ends(self) -> "array[int]":
        return array("q", self.columns.ends)


class BySerial(Mapping[int, Row]):
    """The rows that stand in the index, by serial; `places` are theirs in the table."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.places = dict(zip(table.serials, range(len(table)), strict=True))
        self.places.pop(0, None)

    def __getitem__(self, serial: int) -> Row:
        return self._table[self.places[serial]]

    def __iter__(self) -> Iterator[int]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    def __contains__(self, serial: object) -> bool:
        return serial in self.places

    def lengths(self) -> dict[int, int]:
        """Return the weighted length in halves of each row, by serial."""
        found = dict(zip(self._table.serials, self._table.lengths, strict=True))
        found.pop(0, None)
        return found


def _summary(table: Table) -> Summary:
    hexed, paths = table.columns.digests.hex(), table.paths
    lines = "".join(
        f"{hexed[64 * place : 64 * place + 64]} {paths[place]}\n"
        for place, serial in enumerate(table.serials)
        if serial
    )
    marks = table.columns.marks
    replacing = [place for place, mark in enumerate(marks) if mark & REPLACES]
    wanted = {name for place in replacing for name in table[place].replaces}
    named: dict[str, list[int]] = {}
    for place, path in enumerate(paths if wanted else ()):
        aliases = table[place].aliases if marks[place] & ALIASED else ()
        for name in wanted.intersection((fold(record_id(path)), *aliases)):
            named.setdefault(name, []).append(place)
    return Summary(sha256(lines.encode()), replacing, dict(sorted(named.items())))
