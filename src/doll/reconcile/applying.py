"""Applying changes: the changed files are read, and the index gets them in one commit."""

from bisect import bisect_left
from collections.abc import Sequence
from pathlib import Path

import msgspec

from doll.recall.columns import merged, restamped
from doll.recall.index import Index
from doll.recall.table import Table
from doll.reconcile import manifest as manifests
from doll.reconcile.changes import Changes, Known
from doll.reconcile.manifest import Fault, Manifest
from doll.reconcile.parts import Part
from doll.reconcile.sharing import Progress, read_all
from doll.vault.snapshot import racy

# With more deleted documents than this, and more than a quarter of the live ones, all segments
# are merged and the deleted documents dropped.
MIN_DEAD = 256


class State(msgspec.Struct, frozen=True):
    """An index and what it was made from; `fleeting` faults are not remembered.

    `changed`: there is something to keep that was not kept before.
    """

    index: Index
    table: Table
    lasting: list[Fault]
    fleeting: list[Fault]
    seen_ns: int
    next_serial: int
    documents: int
    base: dict[str, int]
    slot: str = ""
    changed: bool = True

    @classmethod
    def empty(cls) -> "State":
        """Return the state of no files."""
        return cls(Index(), Table(), [], [], 0, 1, 0, {})

    @classmethod
    def of(cls, manifest: Manifest, index: Index) -> "State":
        """Return the state that was kept."""
        return cls(
            index,
            Table(manifest.columns, manifest.summary),
            manifest.faults,
            [],
            manifest.seen_ns,
            manifest.next_serial,
            manifest.documents,
            manifest.base,
            manifest.slot,
            changed=False,
        )

    @property
    def faults(self) -> list[Fault]:
        """The faults of all files that cannot be read."""
        return self.lasting + self.fleeting

    def known(self) -> Known:
        """Return what the disk is compared with."""
        return Known(self.table, {fault.path: fault for fault in self.lasting}, self.seen_ns)

    def manifest(self) -> Manifest:
        """Return the manifest to keep; its files and serials are the shelf's to place."""
        return Manifest(
            manifests.key(),
            self.seen_ns,
            self.next_serial,
            self.documents,
            self.base,
            self.slot,
            {},
            {},
            self.table.columns,
            self.table.summary,
            self.lasting,
        )


def apply(
    root: Path, state: State, todo: Changes, seen_ns: int, progress: Progress | None
) -> State:
    """Return the state after `todo`, whose files were looked at just after `seen_ns`.

    The index of `state` is changed in place. Raises BrokenIndexError.
    """
    parts = read_all(root, todo.reread, state.next_serial, progress)
    table = _table(state.table, todo, parts)
    documents = state.documents + sum(part.documents for part in parts)
    live = len(table) - table.serials.count(0)
    whole = documents - live > max(MIN_DEAD, live // 4)
    for part in parts:
        state.index.adopt(part.files, part.serials)
    if whole:
        state.index.drop(set(state.index.serials()).difference(table.serials))
        documents = live
    lasting = _lasting(state, todo, parts)
    return State(
        state.index,
        table,
        lasting,
        [fault for part in parts for fault in part.fleeting],
        seen_ns,
        state.next_serial + len(todo.reread),
        documents,
        state.base,
        state.slot,
        changed=table.columns != state.table.columns
        or lasting != state.lasting
        or _settled(todo, parts, seen_ns),
    )


def _table(old: Table, todo: Changes, parts: Sequence[Part]) -> Table:
    same = {path for part in parts for path in part.same}
    stamps = {item.path: item.stamp for item in todo.reread}
    gone: list[int] = []
    again: dict[int, bytes] = {}
    for path in (*stamps, *todo.gone):
        place = bisect_left(old.paths, path)
        if place == len(old.paths) or old.paths[place] != path:
            continue  # it is new, or could not be read
        if path in same:
            again[place] = stamps[path]
        else:
            gone.append(place)
    columns = restamped(old.columns, again)
    for part in parts:
        columns = merged(columns, gone, part.columns)
        gone = []
    return Table(columns)


def _lasting(state: State, todo: Changes, parts: Sequence[Part]) -> list[Fault]:
    again = {item.path for item in todo.reread}
    kept = [f for f in state.lasting if f.path not in again and f.path not in todo.gone]
    return sorted([*kept, *(fault for part in parts for fault in part.lasting)], key=_path)


def _path(fault: Fault) -> str:
    return fault.path


def _settled(todo: Changes, parts: Sequence[Part], seen_ns: int) -> bool:
    """Return whether a file that was read is racy no more: this is worth remembering."""
    fleeting = {fault.path for part in parts for fault in part.fleeting}
    stamps = [item.stamp for item in todo.reread if item.path not in fleeting]
    return len(racy(b"".join(stamps), seen_ns)) < len(stamps)
