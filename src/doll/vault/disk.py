"""The one module that changes the disk: each function is one step, named for what it does.

Whatever writes calls `disk.<step>`, so that every step of every flow can be counted, refused or
killed from outside. What a step is good for, and in what order, is the business of its callers.
Knows no record, no vault and no lock. Every function raises OSError.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

_NEW = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC
_END = os.O_CREAT | os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
# linux/fcntl.h and linux/fs.h; renameat2(2) is in glibc since 2.28.
_AT_FDCWD = -100
_RENAME_NOREPLACE = 1
# What it says where the kernel or the file system does not know the flag.
_NOT_KNOWN = (errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP)


def open_new(place: Path, mode: int = 0o666) -> int:
    """Make an empty file and return its descriptor; FileExistsError when the name is taken."""
    return os.open(place, _NEW, mode)


def open_end(place: Path, mode: int = 0o600) -> int:
    """Open a file to read it and to append to it, and make it where it is missing.

    Never through a symbolic link at the last place: that is ELOOP. The file can be of any kind.
    """
    return os.open(place, _END, mode)


def write(descriptor: int, data: bytes | memoryview) -> None:
    """Write all of `data`."""
    left = memoryview(data).cast("B")
    while left:
        left = left[os.write(descriptor, left) :]


def append(descriptor: int, data: bytes) -> None:
    """Write `data` by one call, so that nobody's line gets between; ENOSPC when part of it went."""
    if os.write(descriptor, data) != len(data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def flush(descriptor: int) -> None:
    """Wait until what a file holds is on the disk."""
    os.fsync(descriptor)


def flush_all() -> None:
    """Have all that was ever written put on the disk; Linux waits for it (man 2 sync)."""
    os.sync()


def flush_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def link(source: Path, target: Path) -> None:
    """Give a file a second name; FileExistsError when that is taken."""
    os.link(source, target)


def replace(source: Path, target: Path) -> None:
    """Give a file another name, and do away with the file that has it."""
    source.replace(target)


def rename(source: Path, target: Path) -> None:
    """Give a folder, or a file that differs in case alone, another name."""
    source.rename(target)


def rename_new(source: Path, target: Path) -> bool:
    """Give a file a free name in one step; FileExistsError when it is taken.

    False, and nothing done, where this system cannot do it in one step (renameat2).
    """
    import ctypes

    call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if call is None:
        return False
    names = (os.fsencode(source), os.fsencode(target))
    if call(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_NOREPLACE) == 0:
        return True
    code = ctypes.get_errno()
    if code in _NOT_KNOWN:
        return False
    raise OSError(code, os.strerror(code), str(target))


def remove(place: Path, folder: int | None = None) -> None:
    """Remove a file or a link: one in a folder that is held open, where that is given."""
    if folder is None:
        place.unlink()
    else:
        os.unlink(place, dir_fd=folder)


def make_folder(folder: Path, mode: int = 0o777) -> None:
    """Make a folder; FileExistsError when the name is taken."""
    folder.mkdir(mode)


def make_folders(folder: Path) -> None:
    """Make a folder and those above it, one by one, where they are missing."""
    if folder.is_dir():
        return
    try:
        make_folder(folder)
    except FileNotFoundError:
        if folder.parent == folder:
            raise
        make_folders(folder.parent)
        make_folders(folder)
    except OSError:  # made by another process just now, perhaps
        if not folder.is_dir():
            raise


def remove_folder(folder: Path) -> None:
    """Remove an empty folder."""
    folder.rmdir()


def remove_tree(folder: Path) -> None:
    """Remove a folder with all that it holds, as far as it goes; links in it are not followed."""
    import shutil

    shutil.rmtree(folder, ignore_errors=True)


def set_mode(place: Path, mode: int) -> None:
    """Set the permissions of a file to those of `mode`, whatever else a `st_mode` says."""
    place.chmod(stat.S_IMODE(mode))


def set_owner(place: Path, user: int, group: int) -> None:
    """Give a file to a user and a group."""
    os.chown(place, user, group, follow_symlinks=False)


@contextmanager
def unnamed(data: bytes) -> Iterator[BinaryIO]:
    """Give a file without a name that holds `data`, in the folder for temporary files."""
    import tempfile

    with tempfile.TemporaryFile() as stream:
        stream.write(data)
        stream.seek(0)
        yield stream


@contextmanager
def scratch_folder(prefix: str) -> Iterator[Path]:
    """Give a folder in the folder for temporary files, and remove it with all that it holds."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix=prefix) as folder:
        yield Path(folder)
