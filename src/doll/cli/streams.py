"""The standard streams, made such that no command has to think of how they fail.

One that is closed when doll starts is `/dev/null`, as git has it: else the next file that is opened
would take its number, and be written into. A reader of stdout that goes away is no failure; what
else keeps stdout from being written ends the run with OutputError. Messages that stderr does not
take are lost: there is nowhere to say so.
"""

import errno
import io
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class OutputError(Exception):
    """stdout cannot be written; what is printed later goes nowhere."""


def prepare() -> None:
    """Replace the three streams of this process."""
    if None in (sys.stdin, sys.stdout, sys.stderr):
        _open_what_is_closed()
    sys.stdout = _stream(1, sys.stdout, _fail)
    sys.stderr = _stream(2, sys.stderr, _ignore)


def is_unread() -> bool:
    """Return whether the reader of stdout has gone away, so that who prints on and on may end."""
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return isinstance(raw, _Lasting) and raw.gone


def _open_what_is_closed() -> None:
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(number, True)
    os.close(number)
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115


def _stream(number: int, before: TextIO | None, failed: Callable[[OSError], None]) -> TextIO:
    raw = io.BufferedWriter(_Lasting(number, failed))
    if not isinstance(before, io.TextIOWrapper):
        return io.TextIOWrapper(raw, encoding="utf-8", line_buffering=number == 2)
    return io.TextIOWrapper(
        raw,
        encoding=before.encoding,
        errors=before.errors,
        line_buffering=before.line_buffering,
        write_through=before.write_through,
    )


class _Lasting(io.FileIO):
    """A descriptor that takes whatever comes after its first failure, and drops it."""

    def __init__(self, number: int, failed: Callable[[OSError], None]) -> None:
        super().__init__(number, "wb", closefd=False)
        self._failed = failed
        self.gone = False

    def write(self, data: "ReadableBuffer", /) -> int:
        try:
            while not self.gone:
                # None: somebody made the pipe non-blocking, and it is full now.
                if (count := super().write(data)) is not None:
                    return count
                self._wait()
        except OSError as error:
            self.gone = True
            if error.errno != errno.EPIPE:
                self._failed(error)
        return memoryview(data).nbytes

    def _wait(self) -> None:
        import select

        select.select([], [self], [])


def _fail(error: OSError) -> None:
    raise OutputError(error.strerror or str(error)) from error


def _ignore(_error: OSError) -> None:
    pass
