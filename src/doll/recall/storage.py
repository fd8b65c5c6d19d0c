"""Where Whoosh reads an index from: bytes in memory, which are never copied.

Whoosh's own storage in memory copies a file for each place that it is opened at, which for a large
index takes longer than all that is read of it.
"""

import os
from typing import Any

from doll.recall import engine


class MemoryStorage(engine.RamStorage):  # type: ignore[misc]
    """Whoosh's storage in memory, but for how files are opened to be read."""

    def open_file(self, name: str, **_: object) -> Any:
        """Return the file to read; NameError where there is none, as Whoosh's does."""
        if name not in self.files:
            raise NameError(name)
        return ViewFile(self.files[name], name)


class ViewFile(engine.BufferFile):  # type: ignore[misc]
    """Whoosh's file of bytes; a part of it is a file on the same bytes."""

    def __init__(self, data: bytes | memoryview, name: str | None) -> None:
        self._buf = memoryview(data)
        self._name = name
        self.file = _Reading(self._buf)
        self.onclose = None
        self.is_real = False
        self.is_closed = False

    def subset(self, position: int, length: int, name: str | None = None) -> "ViewFile":
        """Return a part as a file."""
        return ViewFile(self._buf[position : position + length], name or self._name)

    def close(self) -> None:
        """Let the bytes go; others may still read them."""
        self.is_closed = True


class _Reading:
    """What Whoosh and pickle ask of a file that is read."""

    def __init__(self, data: memoryview) -> None:
        self._data = data
        self._at = 0

    def read(self, size: int | None = -1) -> bytes:
        start = self._at
        end = len(self._data) if size is None or size < 0 else start + size
        data = bytes(self._data[start:end])
        self._at = start + len(data)
        return data

    def readline(self) -> bytes:
        raise OSError("an index has no lines")

    def seek(self, position: int, whence: int = os.SEEK_SET) -> int:
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: len(self._data)}[whence]
        self._at = base + position
        return self._at

    def tell(self) -> int:
        return self._at
