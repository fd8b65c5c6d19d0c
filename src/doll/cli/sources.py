"""What a command reads for its user: whole files and standard input, never without a bound."""

import os
import stat
import sys
from pathlib import Path

from doll.errors import InvalidDocumentError, UsageError

_MIB = 1024 * 1024


def read_file(place: Path, limit: int, *, instead: str) -> bytes:
    """Return the bytes of a regular file of at most `limit` bytes.

    UsageError where there is none. InvalidDocumentError for any other: what it is, and `instead`,
    what to give in place of it.
    Nothing is waited for, as a pipe without a writer would have it.
    """
    try:
        descriptor = os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise InvalidDocumentError(f"{place} is {_kind(status.st_mode)}", hint=instead)
            with os.fdopen(descriptor, "rb", closefd=False) as file:
                return _bounded(file.read(limit + 1), limit, str(place))
        finally:
            os.close(descriptor)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise UsageError(f"there is no file {place}", hint="check its path") from error
    except OSError as error:
        raise InvalidDocumentError(
            f"{place} cannot be read: {error.strerror}", hint="check its path and permissions"
        ) from error


def read_stdin(limit: int) -> bytes:
    """Return what standard input has; InvalidDocumentError where it has more than `limit` bytes."""
    return _bounded(sys.stdin.buffer.read(limit + 1), limit, "stdin")


def _bounded(data: bytes, limit: int, name: str) -> bytes:
    if len(data) > limit:
        raise InvalidDocumentError(
            f"{name} has more than {limit // _MIB} MiB, the most that is read; nothing was written",
            hint="give less at a time",
        )
    return data


def _kind(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a folder, and no file"
    return "a pipe, and no file" if stat.S_ISFIFO(mode) else "a device, and no file"
