"""Which files to read again: a scan of the disk against what the index was made from. Pure."""

from collections.abc import Mapping
from typing import NamedTuple

from doll.recall.columns import STAMP
from doll.recall.table import Table
from doll.reconcile.manifest import Fault
from doll.vault.snapshot import Scan, racy


class Known(NamedTuple):
    """What an index was made from: rows, faults by path, and when the disk was looked at."""

    table: Table
    faults: Mapping[str, Fault]
    seen_ns: int


class Item(NamedTuple):
    """A file to read, its packed stamp, and the digest of its known bytes, "" for none."""

    path: str
    stamp: bytes
    digest: str


class Changes(NamedTuple):
    """The files to read, in the order of their paths, and the paths that are there no more.

    `differing` counts those that are new or have another stamp; the others are only racy.
    """

    reread: tuple[Item, ...] = ()
    gone: frozenset[str] = frozenset()
    differing: int = 0

    @property
    def nothing(self) -> bool:
        """Whether the index agrees with the disk as it is."""
        return not self.reread and not self.gone


def changes(found: Scan, known: Known) -> Changes:
    """Compare the disk with what is known: one stamp against the other, by git's racy rule."""
    faults = known.faults.values()
    stamps = known.table.columns.stamps + b"".join(fault.stamp for fault in faults)
    paths = [*known.table.paths, *known.faults]
    doubtful = frozenset(racy(stamps, known.seen_ns))
    there = found.stamps
    absent = b""
    now = [there.get(path, absent) for path in paths]
    # Almost always nothing has changed: so all is first compared as one.
    if not doubtful and len(there) == len(paths) and b"".join(now) == stamps:
        return Changes()
    then = [stamps[at : at + STAMP] for at in range(0, len(stamps), STAMP)]
    other = [place for place, stamp in enumerate(then) if now[place] != stamp]
    gone = frozenset(paths[place] for place in other if not now[place])
    items = [
        Item(paths[place], now[place], _digest(known, place))
        for place in doubtful.union(other)
        if now[place]
    ]
    held = set(paths)
    new = [Item(path, stamp, "") for path, stamp in there.items() if path not in held]
    differing = len(other) - len(gone) + len(new)
    return Changes(tuple(sorted(items + new)), gone, differing)


def _digest(known: Known, place: int) -> str:
    """Return the digest of the known bytes at a place, "" behind the rows: those are faults."""
    return known.table.digest(place) if place < len(known.table) else ""
