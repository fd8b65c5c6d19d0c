"""Which files to read again: a snapshot of the disk against what the index was made from. Pure."""

from collections.abc import Mapping
from typing import NamedTuple

from doll.recall.rows import Row
from doll.reconcile.manifest import Fault
from doll.vault.snapshot import Found, Snapshot, is_racy


class Known(NamedTuple):
    """What an index was made from: rows and faults by path, and when the disk was looked at."""

    rows: Mapping[str, Row]
    faults: Mapping[str, Fault]
    seen_ns: int


class Changes(NamedTuple):
    """What still holds, and the files to read, each with its row until now.

    `differing` counts those that are new or have another stamp; the others are only racy. `gone`
    counts paths that were known and are not there any more.
    """

    rows: list[Row]
    faults: list[Fault]
    reread: list[tuple[Found, Row | None]]
    differing: int
    gone: int

    @property
    def nothing(self) -> bool:
        """Whether the index agrees with the disk as it is."""
        return not self.reread and not self.gone


def changes(found: Snapshot, known: Known) -> Changes:
    """Compare the disk with what is known: one stamp against the other, by git's racy rule."""
    rows: list[Row] = []
    faults: list[Fault] = []
    reread: list[tuple[Found, Row | None]] = []
    met = differing = 0
    for file in found.files:
        row = known.rows.get(file.path)
        fault = known.faults.get(file.path) if row is None else None
        held = row or fault
        met += held is not None
        if held is None or held.stamp != file.stamp:
            reread.append((file, row))
            differing += 1
        elif is_racy(file.stamp, known.seen_ns):
            reread.append((file, row))
        elif row is not None:
            rows.append(row)
        elif fault is not None:
            faults.append(fault)
    gone = len(known.rows) + len(known.faults) - met
    return Changes(rows, faults, reread, differing, gone)
