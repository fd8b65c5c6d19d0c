"""Applying changes: the changed files are read, and the index gets them in one commit."""

from collections.abc import Callable
from pathlib import Path

import msgspec

from doll.recall.index import Index, Writer
from doll.recall.rows import Row
from doll.reconcile import manifest as manifests
from doll.reconcile.changes import Changes, Known
from doll.reconcile.manifest import Fault, Manifest
from doll.reconcile.reading import read
from doll.vault.snapshot import Found, is_racy

# With more deleted documents than this, and more than a quarter of the live ones, all segments
# are merged and the deleted documents dropped.
MIN_DEAD = 256
_STEP = 50

Progress = Callable[[int, int], None]


class State(msgspec.Struct, frozen=True):
    """An index and what it was made from; `fleeting` faults are not remembered.

    `changed`: there is something to keep that was not kept before.
    """

    index: Index
    rows: list[Row]
    lasting: list[Fault]
    fleeting: list[Fault]
    seen_ns: int
    next_serial: int
    documents: int
    base: str = ""
    slot: str = ""
    changed: bool = True

    @classmethod
    def empty(cls) -> "State":
        """Return the state of no files."""
        return cls(Index(), [], [], [], 0, 1, 0)

    @classmethod
    def of(cls, manifest: Manifest, index: Index) -> "State":
        """Return the state that was kept."""
        return cls(
            index,
            manifest.rows,
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
        rows = {row.path: row for row in self.rows}
        return Known(rows, {fault.path: fault for fault in self.lasting}, self.seen_ns)

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
            self.rows,
            self.lasting,
        )


def apply(
    root: Path, state: State, todo: Changes, seen_ns: int, progress: Progress | None
) -> State:
    """Return the state after `todo`, whose files were looked at just after `seen_ns`.

    The index of `state` is changed in place. Raises BrokenIndexError.
    """
    work = _Work(root, state, todo)
    for done, (found, known) in enumerate(todo.reread):
        if progress is not None and done % _STEP == 0:
            progress(done, len(todo.reread))
        work.read(found, known, seen_ns)
    if progress is not None:
        progress(len(todo.reread), len(todo.reread))
    return work.finish(seen_ns)


class _Work:
    """One pass over the files to read again."""

    def __init__(self, root: Path, state: State, todo: Changes) -> None:
        self._root = root
        self._state = state
        self._rows = todo.rows
        self._lasting = todo.faults
        self._fleeting: list[Fault] = []
        self._old_faults = {fault.path: fault for fault in state.lasting}
        self._serial = state.next_serial
        self._writer: Writer | None = None
        self._changed = todo.gone > 0

    def read(self, found: Found, known: Row | None, seen_ns: int) -> None:
        row, document, fault, lasting = read(self._root, found, known, self._serial)
        if document is not None:
            self._open().add(self._serial, document.terms)
            self._serial += 1
        if row is not None:
            self._rows.append(row)
        if fault is not None:
            (self._lasting if lasting else self._fleeting).append(fault)
        before = known or self._old_faults.get(found.path)
        after = row or (fault if lasting else None)
        # A racy file that was found unchanged is remembered once it is racy no more.
        settled = after is not None and not is_racy(found.stamp, seen_ns)
        self._changed |= after != before or settled

    def finish(self, seen_ns: int) -> State:
        state = self._state
        documents = state.documents + self._serial - state.next_serial
        live = sum(row.serial > 0 for row in self._rows)
        whole = documents - live > max(MIN_DEAD, live // 4)
        if whole:
            dead = set(state.index.serials()) - {row.serial for row in self._rows}
            self._open().commit(dead, whole=True)
            documents = live
        elif self._writer is not None:
            self._writer.commit()
        return State(
            state.index,
            self._rows,
            self._lasting,
            self._fleeting,
            seen_ns,
            self._serial,
            documents,
            state.base,
            state.slot,
            changed=self._changed,
        )

    def _open(self) -> Writer:
        if self._writer is None:
            self._writer = self._state.index.writer()
        return self._writer
