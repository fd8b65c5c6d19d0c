"""One builder at a time: the lock on making the index, apart from the vault's writer lock.

The lock is held by descriptor and never unlinked; a killed process frees it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def building(state: Path, patience: float) -> Iterator[bool]:
    """Try for up to `patience` seconds to be the one builder; yield whether it worked.

    `state` is `<git dir>/doll`. Where no lock can be made there is no building either.
    """
    from filelock import FileLock, Timeout

    try:
        state.mkdir(parents=True, exist_ok=True)
        lock = FileLock(state / "index.lock", timeout=patience)
        lock.acquire()
    except (OSError, Timeout):
        yield False
        return
    try:
        yield True
    finally:
        lock.release()
