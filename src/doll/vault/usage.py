"""`.doll/usage/`: one file a day and machine, to which lines are appended; reading them.

Nothing here is rebuilt, and no record depends on it. A line is added by one write at the end of
its file, under no lock. Nothing is written or read through links. Reading never fails: what cannot
be read, or is too much, is named and left out. Source: docs/vault-format.md, "Usage".
"""

import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import NamedTuple

from doll.errors import ConflictError, DollError, StorageError
from doll.vault import files, own_files
from doll.vault.layout import USAGE
from doll.vault.sealed import folder_fault
from doll.vault.signals import Day

# A file that is larger is neither read nor appended to; what a program logs stops at half of it,
# so that a person still can. All files that are read together are at most `MAX_READ` bytes.
MAX_FILE = 16 * 1024 * 1024
MAX_READ = 64 * 1024 * 1024
_NAME = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})-[0-9a-f]{8}\.jsonl")
_MACHINE = re.compile(rb"[0-9a-f]{8}\n")


class Stored(NamedTuple):
    """The files of some days, by name, and in words what was left out."""

    days: tuple[Day, ...]
    faults: tuple[str, ...]


def append(root: Path, state: Path, day: date, line: bytes, *, limit: int = MAX_FILE) -> str:
    """Add a line, ended by its line feed, to the file of a day; return the path of the file.

    `state` is `<git dir>/doll`, where this machine's name is kept. Raises ConflictError for a link
    or a full file in the way, StorageError for what the file system refuses.
    """
    if fault := _fault(root):
        raise ConflictError(f"nothing was written: {fault}", hint=f"make {USAGE} a folder")
    with _failures(root, state):
        path = f"{USAGE}/{day.isoformat()}-{_machine(state)}.jsonl"
        _check_file(root, path)
        own_files.add(root / path, line, lambda size: _check_room(path, size, len(line), limit))
    return path


def read(root: Path, first: date, last: date) -> Stored:
    """Return the files of the days from `first` to `last`; the newest where there is too much."""
    if fault := _fault(root):
        return Stored((), (fault,))
    try:
        names = sorted((place.name for place in (root / USAGE).iterdir()), reverse=True)
    except FileNotFoundError:
        return Stored((), ())
    except OSError as error:
        return Stored((), (f"{USAGE} cannot be read: {error.strerror}",))
    days: list[Day] = []
    faults: list[str] = []
    left = MAX_READ
    for name in names:
        day = _day(name)
        if day is None or not first <= day <= last:
            continue
        try:
            data = files.read(root, f"{USAGE}/{name}", min(MAX_FILE, left))
        except OSError as error:
            what = "is a symbolic link" if error.errno == errno.ELOOP else error.strerror
            faults.append(f"{USAGE}/{name} cannot be read: {what}")
            continue
        if len(data) > min(MAX_FILE, left):
            faults.append(f"{USAGE}/{name} is too much to read")
            continue
        left -= len(data)
        days.append(Day(day, data))
    return Stored(tuple(reversed(days)), tuple(reversed(faults)))


def _check_file(root: Path, path: str) -> None:
    with suppress(FileNotFoundError):
        mode = (root / path).lstat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISLNK(mode):
            raise ConflictError(f"nothing was written: {path} is no file", hint="move it away")


def _check_room(path: str, size: int, more: int, limit: int) -> None:
    if size + more >= limit:
        said = f"nothing was written: {path} has {size:,} bytes, and a day has room for"
        raise ConflictError(f"{said} {limit:,}")


def _day(name: str) -> date | None:
    """Return the day of a file of this name, None where it is none of usage."""
    found = _NAME.fullmatch(name)
    try:
        return date.fromisoformat(found[1]) if found else None
    except ValueError:
        return None


def _machine(state: Path) -> str:
    """Return this machine's name, 8 random hex digits; two processes end with the same one."""
    place = state / "machine"
    if found := _name_in(place):
        return found
    own_files.settle(place, f"{os.urandom(4).hex()}\n".encode(), lambda: bool(_name_in(place)))
    made = _name_in(place)
    if made is None:
        raise OSError(errno.EIO, f"{place} cannot be read")
    return made


def _name_in(place: Path) -> str | None:
    try:
        found = files.read(place.parent, place.name, 16)
    except OSError:
        return None
    return found.decode().strip() if _MACHINE.fullmatch(found) else None


def _fault(root: Path) -> str:
    """Return in words why the folder is not to be used, or ""; one that is absent is."""
    for path in (USAGE.partition("/")[0], USAGE):
        if fault := folder_fault(root / path):
            return f"{USAGE} is not used: {fault}"
    return ""


@contextmanager
def _failures(root: Path, state: Path) -> Iterator[None]:
    """Turn what the file system refuses into a DollError that names the folder."""
    try:
        yield
    except DollError:
        raise
    except OSError as error:
        if error.errno == errno.ELOOP:
            what = f"the file of today in {USAGE} is a symbolic link"
            raise ConflictError(f"nothing was written: {what}", hint="remove the link") from error
        named = Path(os.fsdecode(error.filename or ""))
        place = state if named.is_relative_to(state) else root / USAGE
        name = place.relative_to(root) if place.is_relative_to(root) else place
        raise StorageError(
            f"{name} cannot be written: {error.strerror or error}",
            hint="check the disk space and permissions of the folder; no record changed",
        ) from error
