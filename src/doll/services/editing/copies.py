"""Copies of records that are being edited, in `<git dir>/doll/edits/`: no text is ever lost.

A copy lies in a folder of its own, named by the digest of the bytes that it began as, under the
file name of its record. It is there from before the editor starts until its text stands in the
record or the user discards it: whatever ends doll in between leaves it.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from doll.errors import ConflictError, StorageError
from doll.records.digest import sha256
from doll.records.limits import MAX_FILE_BYTES
from doll.records.names import fold
from doll.vault import disk, files, leftovers

_DIGEST = 64


class Copy(NamedTuple):
    """A copy of a record: its place, and the SHA-256 of the record's bytes when it was begun."""

    place: Path
    base: str


def begin(state: Path, name: str, data: bytes) -> Copy:
    """Make a copy of the bytes of the record file `name`; StorageError where that fails."""
    base = sha256(data)
    folder = state / leftovers.EDITS / f"{base}-{os.urandom(4).hex()}"
    try:
        disk.make_folders(folder.parent)
        disk.make_folder(folder, 0o700)
    except OSError as error:
        raise StorageError(
            f"the copy to edit cannot be made in {folder}: {error.strerror}",
            hint="check the disk space and the permissions of the folder",
        ) from error
    files.create(folder, name, data)
    return Copy(folder / name, base)


def kept(state: Path, names: Iterable[str], data: bytes) -> list[Copy]:
    """Return the copies of a record that hold a text of their own, the newest first.

    That is another one than they began with, and than `data`, which the record has now. `names` are
    the file names that it has and had.
    """
    found, wanted = [], {fold(name) for name in names}
    current = sha256(data)
    for place in (state / leftovers.EDITS).glob("*/*.md"):
        base = place.parent.name.partition("-")[0]
        if fold(place.name) not in wanted or len(base) != _DIGEST:
            continue
        with suppress(OSError):
            if sha256(files.read(place.parent, place.name)) not in (base, current):
                found.append((place.stat().st_mtime_ns, Copy(place, base)))
    return [copy for _, copy in sorted(found, reverse=True)]


def text_of(copy: Copy) -> bytes:
    """Return the text of a copy; ConflictError when the editor left none, or too much."""
    try:
        data = files.read(copy.place.parent, copy.place.name)
    except OSError as error:
        raise ConflictError(
            f"the edited text cannot be read: {error.strerror}; nothing was written",
            hint=f"it should be at {copy.place}",
        ) from error
    if len(data) > MAX_FILE_BYTES:
        raise ConflictError(
            f"the text has more than {MAX_FILE_BYTES:,} bytes, the most a record may have; "
            "nothing was written",
            hint=f"it is kept at {copy.place}",
        )
    return data


def drop(copy: Copy, data: bytes | None = None) -> None:
    """Remove a copy, with `data` only while it is just that text; what cannot go stays.

    What editors put beside it stays, save the backup of this very text.
    """
    with suppress(OSError):
        if data is not None and files.read(copy.place.parent, copy.place.name) != data:
            return
        disk.remove(copy.place)
        with suppress(FileNotFoundError):
            disk.remove(copy.place.with_name(f"{copy.place.name}~"))
        disk.remove_folder(copy.place.parent)
