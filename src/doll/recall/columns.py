"""Columns: rows of record files packed side by side, and two such packings merged. Values only.

One item for each row, in the order of paths. Items of one width are cut and joined as bytes, so
that a change of one row costs no look at the others.
"""

from array import array
from bisect import bisect_left
from collections.abc import Collection, Mapping
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple
from zlib import crc32

import msgspec

from doll.recall.rows import Row
from doll.records.names import fold

# Between two paths: in none of them, for the path of a row can be printed.
_BETWEEN = "\0"
STAMP, DIGEST = 32, 32
EVER, NEVER = -(2**63), 2**63 - 1
# The first fields of a row are columns; the others are its details.
HEAD = 4
# What a row's mark says, bit by bit: active and reviewed; replaces others; has aliases.
PLAIN, REPLACES, ALIASED = 1, 2, 4

_WIDTHS = {
    "stamps": STAMP,
    "digests": DIGEST,
    "serials": 4,
    "lengths": 4,
    "marks": 1,
    "begins": 8,
    "ends": 8,
    "moments": 8,
    "checksums": 4,
    "sizes": 4,
}


class Columns(msgspec.Struct, frozen=True, array_like=True, dict=True):
    """Rows, packed.

    `paths` are joined; `stamps` are as in a scan; `digests` are 32 bytes each; `serials`,
    `lengths` and `sizes` (of the details) are 32-bit; `marks` are one byte each; `begins` and
    `ends` (of validity) and `moments` are 64-bit microseconds since 1970, EVER for none;
    `checksums` are 32-bit, of the folded ids; `details` are the rest of each row.
    """

    paths: bytes = b""
    stamps: bytes = b""
    digests: bytes = b""
    serials: bytes = b""
    lengths: bytes = b""
    marks: bytes = b""
    begins: bytes = b""
    ends: bytes = b""
    moments: bytes = b""
    checksums: bytes = b""
    sizes: bytes = b""
    details: bytes = b""

    @cached_property
    def names(self) -> list[str]:
        """The paths, one by one."""
        return self.paths.decode().split(_BETWEEN) if self.paths else []

    @cached_property
    def starts(self) -> list[int]:
        """Where the details of each row begin, and where the last ones end."""
        return [0, *accumulate(array("I", self.sizes))]


class Packing:
    """Rows being packed; they come in the order of their paths."""

    def __init__(self) -> None:
        self._paths: list[str] = []
        self._parts = {name: bytearray() for name in (*_WIDTHS, "details")}

    def add(self, row: Row, stamp: bytes) -> None:
        """Add one row and the packed stamp of its file."""
        details = msgspec.msgpack.encode(msgspec.structs.astuple(row)[HEAD:])
        begins = EVER if row.valid_from is None else row.valid_from
        ends = NEVER if row.valid_until is None else row.valid_until
        self._paths.append(row.path)
        parts = self._parts
        parts["stamps"] += stamp
        parts["digests"] += bytes.fromhex(row.digest)
        parts["serials"] += array("I", [row.serial]).tobytes()
        parts["lengths"] += array("I", [row.length]).tobytes()
        parts["marks"].append(_mark(row))
        parts["begins"] += array("q", [begins]).tobytes()
        parts["ends"] += array("q", [ends]).tobytes()
        moment = EVER if row.moment is None else row.moment
        parts["moments"] += array("q", [moment]).tobytes()
        parts["checksums"] += array("I", [checksum(fold(row.id))]).tobytes()
        parts["sizes"] += array("I", [len(details)]).tobytes()
        parts["details"] += details

    def columns(self) -> Columns:
        """Return the columns of all rows that were added."""
        made = {name: bytes(part) for name, part in self._parts.items()}
        return Columns(paths=_joined(self._paths), **made)


def checksum(name: str) -> int:
    """Return by what a folded name is looked for among very many: equal names have equal ones."""
    return crc32(name.encode())


def merged(old: Columns, gone: Collection[int], new: Columns) -> Columns:
    """Return `old` without the rows at the places `gone`, and `new`; no path may be in both."""
    pieces = _pieces(old, gone, new)
    paths: list[str] = []
    details: list[bytes] = []
    for of, start, stop in pieces:
        paths += of.names[start:stop]
        details.append(of.details[of.starts[start] : of.starts[stop]])
    made = {
        name: b"".join(
            getattr(of, name)[start * width : stop * width] for of, start, stop in pieces
        )
        for name, width in _WIDTHS.items()
    }
    return Columns(paths=_joined(paths), details=b"".join(details), **made)


def restamped(old: Columns, stamps: Mapping[int, bytes]) -> Columns:
    """Return `old` with other stamps at some places."""
    if not stamps:
        return old
    packed = bytearray(old.stamps)
    for place, stamp in stamps.items():
        packed[place * STAMP : (place + 1) * STAMP] = stamp
    return msgspec.structs.replace(old, stamps=bytes(packed))


class _Piece(NamedTuple):
    """A run of rows."""

    of: Columns
    start: int
    stop: int


def _pieces(old: Columns, gone: Collection[int], new: Columns) -> list[_Piece]:
    """Return the runs of `old` and `new` that make the merged columns, in order."""
    # (place in the old ones, place in the new ones); -1 for a row that goes.
    events = [(place, -1) for place in gone]
    events += [(bisect_left(old.names, path), place) for place, path in enumerate(new.names)]
    pieces: list[_Piece] = []
    at = 0
    for place, added in sorted(events):
        if place > at:
            pieces.append(_Piece(old, at, place))
            at = place
        if added < 0:
            at = place + 1
        elif pieces and pieces[-1].of is new:
            pieces[-1] = _Piece(new, pieces[-1].start, added + 1)
        else:
            pieces.append(_Piece(new, added, added + 1))
    pieces.append(_Piece(old, at, len(old.names)))
    return pieces


def _joined(paths: list[str]) -> bytes:
    return _BETWEEN.join(paths).encode()


def _mark(row: Row) -> int:
    plain = row.status == "active" and row.reviewed
    return PLAIN * plain | REPLACES * bool(row.replaces) | ALIASED * bool(row.aliases)
