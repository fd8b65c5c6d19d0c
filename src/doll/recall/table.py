"""The table: the rows of all record files, sorted by path. Values only.

It is read at each recall. What every match needs (serial, length, whether it is plainly current)
lies in columns that cost nothing to load; a row is decoded when it is asked for. A table never
changes.
"""

from array import array
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import Any, overload

import msgspec

from doll.recall.columns import (
    ALIASED,
    DIGEST,
    EVER,
    HEAD,
    PLAIN,
    REPLACES,
    STAMP,
    Columns,
    checksum,
)
from doll.recall.rows import Row
from doll.records.digest import sha256
from doll.records.names import fold
from doll.vault.layout import record_id

_TYPES: Any = tuple(field.type for field in msgspec.structs.fields(Row)[HEAD:])
_DETAILS: Any = msgspec.msgpack.Decoder(tuple[_TYPES])


class Summary(msgspec.Struct, frozen=True, array_like=True):
    """What is said of a table as a whole, made when it changes and kept with it.

    `digest` is the SHA-256 over the lines `digest path` of all searched records. `replacing` are
    the places of rows that replace others, `aliased` of those that have aliases.
    """

    digest: str
    replacing: list[int]
    aliased: list[int]


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
    def places(self) -> dict[int, int]:
        """The place of each row that stands in the index, by serial."""
        found = dict(zip(self.serials, range(len(self)), strict=True))
        found.pop(0, None)
        return found

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
        """Return for each folded name the rows whose id or alias it is."""
        found = self.bearing(names)
        return {name: [self[place] for place in places] for name, places in found.items()}

    def bearing(self, names: Collection[str]) -> dict[str, list[int]]:
        """Return for each folded name the places of the rows whose id or alias it is."""
        found: dict[str, list[int]] = {name: [] for name in names}
        sums = frozenset(map(checksum, found))
        for place, one in enumerate(array("I", self.columns.checksums) if sums else ()):
            if one in sums and (name := fold(record_id(self.paths[place]))) in found:
                found[name].append(place)
        for place in self.summary.aliased if sums else ():
            for name in found.keys() & self[place].aliases:
                if place not in found[name]:
                    found[name].append(place)
        return found

    def moments(self) -> list[tuple[int, int]]:
        """Return (place, moment) of each row that has a moment."""
        moments = array("q", self.columns.moments)
        return [(place, moment) for place, moment in enumerate(moments) if moment != EVER]

    @cached_property
    def _begins(self) -> "array[int]":
        return array("q", self.columns.begins)

    @cached_property
    def _ends(self) -> "array[int]":
        return array("q", self.columns.ends)


def _summary(table: Table) -> Summary:
    hexed, paths = table.columns.digests.hex(), table.paths
    lines = "".join(
        f"{hexed[64 * place : 64 * place + 64]} {paths[place]}\n"
        for place, serial in enumerate(table.serials)
        if serial
    )
    replacing = [place for place, mark in enumerate(table.columns.marks) if mark & REPLACES]
    aliased = [place for place, mark in enumerate(table.columns.marks) if mark & ALIASED]
    return Summary(sha256(lines.encode()), replacing, aliased)
