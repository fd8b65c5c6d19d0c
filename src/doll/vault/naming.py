"""A file given another name in its folder in one step, and never over a file that is there.

No system call of the standard library does both: `os.rename` replaces, `os.link` leaves a moment
with two names. Used by `doll.vault.files` alone.
"""

import errno
import os
from contextlib import suppress
from pathlib import Path

from doll.vault import disk

_NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS)


def rename_new(source: Path, target: Path) -> None:
    """Rename a file to a free name; FileExistsError when it is taken. Raises OSError.

    Where the system cannot do it in one step, the file has both names for a moment. A name that
    differs in case alone, where the file system takes both for one, counts as free.
    """
    with suppress(FileNotFoundError):
        if source.samefile(target):
            disk.rename(source, target)
            return
    if disk.rename_new(source, target):
        return
    try:
        disk.link(source, target)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        # Only one process can reserve the name; its empty file is then replaced whole.
        os.close(disk.open_new(target))
        disk.replace(source, target)
    else:
        disk.remove(source)
