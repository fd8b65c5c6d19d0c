"""Parts: a share of the files to read, read into rows and an index of its own. Writes nothing."""

from pathlib import Path

import msgspec

from doll.recall.columns import Columns, Packing
from doll.recall.index import Index, Writer
from doll.reconcile.changes import Item
from doll.reconcile.manifest import Fault
from doll.reconcile.reading import Reading, read

# Postings are in memory until their segment is written, so large parts become several segments.
SEGMENT, SEGMENTS = 12_000, 4


class Part(msgspec.Struct, frozen=True, array_like=True):
    """What some files gave.

    `columns` are the rows of new or changed records, `same` the paths of files whose bytes are as
    known. `fleeting` faults are not remembered. `files` and `serials` are those of an index of
    the `documents` in it; `files` do not travel with the rest.
    """

    columns: Columns
    same: list[str]
    lasting: list[Fault]
    fleeting: list[Fault]
    serials: dict[str, bytes]
    documents: int
    files: dict[str, bytes] = {}


class Reader:
    """Reads files one by one into a part. Its methods raise BrokenIndexError."""

    def __init__(self, root: Path, serial: int, files: int) -> None:
        """Take the vault's root, the first serial to give to a document, the number of files."""
        self._root = root
        self._serial = serial
        self._rows = Packing()
        self._same: list[str] = []
        self._lasting: list[Fault] = []
        self._fleeting: list[Fault] = []
        self._index = Index()
        self._writer: Writer | None = None
        self._written = self._documents = 0
        self._segment = max(SEGMENT, files // SEGMENTS + 1)

    def read(self, item: Item) -> None:
        """Read one file; files come in the order of their paths."""
        found = read(self._root, item, self._serial)
        if found.same:
            self._same.append(item.path)
        if found.row is not None:
            self._rows.add(found.row, item.stamp)
        if found.fault is not None:
            (self._lasting if found.lasting else self._fleeting).append(found.fault)
        self._index_it(found)

    def part(self) -> Part:
        """Return what was read; the reader is at its end."""
        self._commit()
        return Part(
            self._rows.columns(),
            self._same,
            self._lasting,
            self._fleeting,
            self._index.packed_serials(),
            self._documents,
            self._files() if self._documents else {},
        )

    def _files(self) -> dict[str, bytes]:
        return {name: bytes(data) for name, data in self._index.files.items()}

    def _index_it(self, found: Reading) -> None:
        if found.document is None:
            return
        if self._writer is None:
            self._writer = self._index.writer()
        self._writer.add(self._serial, found.document.terms)
        self._serial += 1
        self._documents += 1
        if self._documents - self._written >= self._segment:
            self._commit()

    def _commit(self) -> None:
        if self._writer is not None:
            self._writer.commit()
            self._writer, self._written = None, self._documents
