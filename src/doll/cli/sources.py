"""What a command reads for its user: whole files, folders and standard input, never unbounded."""

import errno
import os
import stat
import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from doll.errors import InvalidDocumentError, UsageError
from doll.interchange.base import Document, Layout

_MIB = 1024 * 1024
_MOST_FILES = 10_000
_LINK = "is a symbolic link, and what it leads to is not read"


def read_file(place: Path, limit: int, *, instead: str, follow: bool = True) -> bytes:
    """Return the bytes of a regular file of at most `limit` bytes.

    UsageError where there is none. InvalidDocumentError for any other: what it is, and `instead`,
    what to give in place of it; also for a symbolic link where `follow` is off.
    Nothing is waited for, as a pipe without a writer would have it.
    """
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW)
    try:
        descriptor = os.open(place, flags)
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
        if error.errno == errno.ELOOP and not follow:
            raise InvalidDocumentError(f"{place} {_LINK}", hint=instead) from error
        raise InvalidDocumentError(
            f"{place} cannot be read: {error.strerror}", hint="check its path and permissions"
        ) from error


def read_document(place: Path, layout: Layout, limit: int, *, instead: str) -> Document:
    """Return the document at `place`: a file, or a folder that holds the files of `layout`.

    Of a folder only the files that `layout` names are read, in the order of their names; together
    they have at most `limit` bytes. No symbolic link in it is followed. Raises what `read_file`
    does, and InvalidDocumentError for a folder without a main file.
    """
    if not place.is_dir():
        return Document(place.name, read_file(place, limit, instead=instead))
    name = folder_name(place)
    main = next((path for each in layout.main for path in _matching(place, each)), None)
    if main is None:
        what = " or ".join(layout.main)
        raise InvalidDocumentError(f"{place} holds no {what}", hint=layout.absent or instead)
    base = main.rpartition("/")[0]
    within = [f"{base}/{each}" if base else each for each in layout.companions]
    others = {path: b"" for each in within for path in _matching(place, each) if path != main}
    if len(others) > _MOST_FILES:
        raise InvalidDocumentError(f"{place} holds more than {_MOST_FILES:,} files", hint=instead)
    data = read_file(place / main, limit, instead=instead, follow=False)
    total = len(data)
    for path in sorted(others):
        others[path] = read_file(place / path, limit, instead=instead, follow=False)
        total += len(others[path])
        if total > limit:
            raise _too_large(str(place), limit)
    return Document(name, data, others, main)


def folder_name(place: Path) -> str:
    """Return the name that a folder goes by; a hidden one goes by that of its parent."""
    whole = place.resolve()
    return whole.parent.name if whole.name.startswith(".") and whole.parent.name else whole.name


def _matching(place: Path, pattern: str, below: str = "") -> Iterator[str]:
    """Yield the paths below `place` that match a pattern, in the order of their names."""
    first, slash, rest = pattern.partition("/")
    try:
        names = sorted(each.name for each in (place / below).iterdir())
    except OSError as error:
        raise InvalidDocumentError(
            f"{place / below} cannot be read: {error.strerror}", hint="check its permissions"
        ) from error
    for name in names:
        if not fnmatchcase(name, first):
            continue
        path = f"{below}/{name}" if below else name
        if not slash:
            yield path
        elif (place / path).is_symlink():
            hint = "put the folder itself in its place"
            raise InvalidDocumentError(f"{place / path} {_LINK}", hint=hint)
        elif (place / path).is_dir():
            yield from _matching(place, rest, path)


def read_stdin(limit: int) -> bytes:
    """Return what standard input has; InvalidDocumentError where it has more than `limit` bytes."""
    return _bounded(sys.stdin.buffer.read(limit + 1), limit, "stdin")


def _bounded(data: bytes, limit: int, name: str) -> bytes:
    if len(data) > limit:
        raise _too_large(name, limit)
    return data


def _too_large(name: str, limit: int) -> InvalidDocumentError:
    return InvalidDocumentError(
        f"{name} has more than {limit // _MIB} MiB, the most that is read; nothing was written",
        hint="give less at a time",
    )


def _kind(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a folder, and no file"
    return "a pipe, and no file" if stat.S_ISFIFO(mode) else "a device, and no file"
