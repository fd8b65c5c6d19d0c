"""A file given another name in its folder in one step, and never over a file that is there.

No system call of the standard library does both: `os.rename` replaces, `os.link` leaves a moment
with two names. Used by `doll.vault.files` alone.
"""

import ctypes
import errno
import os
from contextlib import suppress
from pathlib import Path

# linux/fcntl.h and linux/fs.h; renameat2(2) is in glibc since 2.28.
_AT_FDCWD = -100
_RENAME_NOREPLACE = 1
# What it says where the kernel or the file system does not know the flag.
_NOT_KNOWN = (errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP)
_NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS)


def rename_new(source: Path, target: Path) -> None:
    """Rename a file to a free name; FileExistsError when it is taken. Raises OSError.

    Where the system cannot do it in one step, the file has both names for a moment. A name that
    differs in case alone, where the file system takes both for one, counts as free.
    """
    with suppress(FileNotFoundError):
        if source.samefile(target):
            source.rename(target)
            return
    if _in_one_step(source, target):
        return
    try:
        os.link(source, target)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        # Only one process can reserve the name; its empty file is then replaced whole.
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o666))
        source.replace(target)
    else:
        source.unlink()


def _in_one_step(source: Path, target: Path) -> bool:
    """Rename by renameat2(2); False where this system does not have it."""
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
