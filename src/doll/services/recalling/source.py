"""Where ranking and showing read records again: each file at most once for an answer."""

from collections.abc import Mapping
from pathlib import Path

from doll.recall.ranking import Text
from doll.recall.rows import Row
from doll.records.codec import parse
from doll.vault import files
from doll.vault.layout import expected_type


class Source:
    """The records behind an index, by serial."""

    def __init__(self, root: Path, rows: Mapping[int, Row]) -> None:
        self._root = root
        self._rows = rows
        self._read: dict[int, Text | None] = {}

    def read(self, serial: int) -> Text | None:
        """Return a record, None when its file is no longer the one that was indexed."""
        if serial not in self._read:
            self._read[serial] = self._again(self._rows[serial])
        return self._read[serial]

    def _again(self, row: Row) -> Text | None:
        data = files.read_as(self._root, row.path, row.digest)
        if data is None:
            return None
        record, _, body = parse(data, row.path, row.id, expected_type(row.path))
        return None if record is None else Text(record, body)
