"""A file's bytes to its text, with what is wrong with the file as a whole.

Knows UTF-8 and git's conflict markers; it knows nothing of front matter.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from doll.errors import Problem
from doll.records.limits import MAX_FILE_BYTES, MAX_PROBLEMS

BOM = "\ufeff"

_MARKER = r"(?m)^(?:(<{7}|>{7}) |(={7})\r?$)"


class UnreadableError(ValueError):
    """A file or its front matter cannot be read; `problems` say where and why."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__()
        self.problems = problems


class Decoded(NamedTuple):
    """A file's text; `warnings` do no harm, and what is `broken` makes its part unreadable."""

    text: str
    warnings: tuple[Problem, ...]
    broken: tuple[Problem, ...]


def decode(data: bytes, path: str) -> Decoded:
    """Return the text of a file; UnreadableError when it is too large or not UTF-8."""
    if len(data) > MAX_FILE_BYTES:
        # No more of a larger file is read than tells that it is larger.
        size = f"the file has more than {MAX_FILE_BYTES:,} bytes, the most that are read"
        raise UnreadableError(Problem(path, 1, 1, "file.too_large", size, hint="split it up"))
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise UnreadableError(_not_utf8(data, error, path)) from error
    warnings: tuple[Problem, ...] = ()
    if text.startswith(BOM):
        message = "the file begins with a byte order mark"
        hint = "save it as UTF-8 without BOM"
        warnings = (Problem(path, 1, 1, "file.bom", message, "warning", hint),)
    broken = [*_nul(text, path), *_conflicts(text, path)]
    return Decoded(text, warnings, tuple(sorted(broken)))


def place(text: str, offset: int) -> tuple[int, int]:
    """Return line and column, from 1, of an offset in `text`; only a line feed ends a line."""
    before = text.rfind("\n", 0, offset)
    return text.count("\n", 0, offset) + 1, offset - before


class Places:
    """Line and column, as `place` has them, of many offsets in one text, up to `end`."""

    def __init__(self, text: str, end: int) -> None:
        self._breaks = [found.start() for found in re.finditer("\n", text[:end])]

    def at(self, offset: int) -> tuple[int, int]:
        """Return line and column, from 1, of an offset."""
        line = bisect_left(self._breaks, offset)
        return line + 1, offset - (self._breaks[line - 1] if line else -1)


def _not_utf8(data: bytes, error: UnicodeDecodeError, path: str) -> Problem:
    good = data[: error.start].decode()
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        message = "the file is UTF-16, not UTF-8"
    else:
        message = f"the byte 0x{data[error.start]:02x} is not UTF-8 (a file in Latin-1?)"
    hint = "save the file as UTF-8"
    return Problem(path, *place(good, len(good)), "file.not_utf8", message, hint=hint)


def _nul(text: str, path: str) -> Iterator[Problem]:
    if (offset := text.find("\0")) >= 0:
        message = "the file holds a NUL byte"
        hint = "save it as UTF-8 text without NUL bytes"
        yield Problem(path, *place(text, offset), "file.nul", message, hint=hint)


def _conflicts(text: str, path: str) -> list[Problem]:
    """Return a problem for each conflict: `<<<<<<< `, `=======` and `>>>>>>> ` in this order."""
    if "\n>>>>>>> " not in text:
        return []
    found: list[Problem] = []
    begin, parted = -1, False
    for marker in re.finditer(_MARKER, text):
        match marker[1] or marker[2]:
            case "<<<<<<<":
                begin, parted = marker.start(), False
            case "=======":
                parted = begin >= 0
            case _ if parted:
                found.append(_conflict(text, begin, path))
                begin, parted = -1, False
        if len(found) > MAX_PROBLEMS:
            break
    return found


def _conflict(text: str, offset: int, path: str) -> Problem:
    message = "an unresolved merge conflict begins here"
    hint = "keep one side, remove the lines with <<<<<<<, ======= and >>>>>>>, git add the file"
    return Problem(path, *place(text, offset), "file.conflict_marker", message, hint=hint)
