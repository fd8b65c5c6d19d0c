"""One builder at a time: the lock on making the index, apart from the vault's writer lock.

The lock is held by descriptor and never unlinked; a killed process frees it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from doll.errors import BusyError
from doll.vault import disk
from doll.vault.lock import unavailable

if TYPE_CHECKING:
    from filelock import BaseFileLock

_NAME = "index.lock"


@contextmanager
def building(state: Path, patience: float) -> Iterator[bool]:
    """Try for up to `patience` seconds to be the one builder; yield whether it worked.

    `state` is `<git dir>/doll`. Where no lock can be made there is no building either.
    """
    try:
        lock = _lock(state, patience)
    # A lock that others hold is an OSError, too; one that the file system lacks is not.
    except (OSError, NotImplementedError):
        yield False
        return
    try:
        yield True
    finally:
        lock.release()


@contextmanager
def building_alone(state: Path, patience: float) -> Iterator[None]:
    """Be the one builder.

    Raises BusyError when another process builds for `patience` seconds, StorageError where no lock
    can be made.
    """
    from filelock import Timeout

    try:
        lock = _lock(state, patience)
    except Timeout as error:
        raise BusyError(
            "another doll process is making the index",
            hint=f"wait for it to end; the lock is {state / _NAME}",
        ) from error
    except (OSError, NotImplementedError) as error:
        raise unavailable(state / _NAME, error) from error
    try:
        yield
    finally:
        lock.release()


def _lock(state: Path, patience: float) -> "BaseFileLock":
    from filelock import FileLock

    disk.make_folders(state)
    lock = FileLock(state / _NAME, timeout=patience)
    lock.acquire()
    return lock
