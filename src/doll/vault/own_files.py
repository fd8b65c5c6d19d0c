"""Small files of doll's own, such as those in `<git dir>/doll`: replaced whole, or added to.

No record is one of them. They need no lock: of two that write at once one wins, whole, and lines
that are added never mix. Never through a symbolic link at the last place. Everything here raises
OSError.
"""

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

from doll.vault import disk, files, temporary


def put(place: Path, data: bytes, *, mode: int = 0o600, flush: bool = False) -> None:
    """Write a file, in place of the one that is there; the folder is made where it is missing.

    Without `flush` a machine that loses its power may lose it.
    """
    disk.make_folders(place.parent)
    written = temporary.write_beside(place, data, mode=mode, flush=flush)
    try:
        disk.replace(written, place)
    except BaseException:
        temporary.discard(written)
        raise


def settle(place: Path, data: bytes, is_right: Callable[[], bool]) -> None:
    """Write a file where none is that `is_right`; of two processes the first one's stays."""
    disk.make_folders(place.parent)
    written = temporary.write_beside(place, data, mode=0o600, flush=False)
    try:
        files.put_new(written, place)
    except FileExistsError:
        if not is_right():
            disk.replace(written, place)
    finally:
        temporary.discard(written)


def add(place: Path, data: bytes, room: Callable[[int], None] = lambda _: None) -> None:
    """Add lines, each ended by its line feed, to a file, and have them flushed to the disk.

    The file is made where it is missing, and its folder, too. `room` is given the size of the file,
    and may raise. EINVAL where the place is taken by something that is no regular file.
    """
    disk.make_folders(place.parent)
    descriptor = disk.open_end(place)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "it is no file", str(place))
        room(status.st_size)
        # What was killed in the middle of a line left it without an end.
        torn = status.st_size > 0 and os.pread(descriptor, 1, status.st_size - 1) != b"\n"
        disk.append(descriptor, b"\n" + data if torn else data)
        disk.flush(descriptor)
    finally:
        os.close(descriptor)
