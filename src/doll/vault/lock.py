"""The one writer lock of a vault: writers take it, readers never do. And that of a sync.

A lock is held by descriptor and never unlinked; a killed process frees it.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from doll.errors import BusyError, StorageError
from doll.vault import disk, holders, leftovers, obstacles, own_files
from doll.vault.typed import typed

PATIENCE = 10.0


@contextmanager
def writing(state: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Hold the writer lock in the state folder `<git dir>/doll`.

    Waits up to `patience` seconds, then raises BusyError with what is known of the holder.
    """
    with _held(state, "lock", patience, "another doll process is writing to this vault"):
        yield


@contextmanager
def syncing(state: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Hold the lock that keeps a second sync out; waits and raises as `writing`.

    Others may write meanwhile, since a sync waits for the network.
    """
    with _held(state, "sync", patience, "another doll sync is at work in this vault"):
        yield


@contextmanager
def _held(state: Path, name: str, patience: float, busy: str) -> Iterator[None]:
    from filelock import FileLock, Timeout

    try:
        disk.make_folders(state)
    except OSError as error:
        raise unavailable(state / name, error) from error
    place = state / f"{name}.holder"
    lock = FileLock(state / name, timeout=patience)
    try:
        lock.acquire()
    except Timeout as error:
        holder = holders.find(place, state / name)
        look = f"\nps -fp {holder.process}    shows it" if holder.process else ""
        raise BusyError(
            f"{busy} ({holder.words})", hint=f"wait for it to end, then run the command again{look}"
        ) from error
    # The library says of a file system without locks that it is not implemented.
    except (OSError, NotImplementedError) as error:
        raise unavailable(state / name, error) from error
    try:
        leftovers.remove_dead(state)
        with suppress(OSError):
            own_files.put(place, holders.said(os.getpid()))
        yield
    finally:
        # The next holder is not taken for this one, nor one that got a lock of its own because the
        # file of this one was removed by hand.
        with suppress(OSError):
            if place.read_bytes() == holders.said(os.getpid()):
                disk.remove(place)
        lock.release()


def unavailable(place: Path, error: OSError | NotImplementedError) -> StorageError:
    """Return the failure for a lock that cannot be taken, and that nobody else holds."""
    reason = getattr(error, "strerror", None) or "its file system has no locks"
    found = obstacles.in_the_way(place)
    return StorageError(
        f"the lock {place} cannot be had: {reason}",
        hint=found[1] if found else _elsewhere(place.parent, error),
    )


def _elsewhere(folder: Path, error: OSError | NotImplementedError) -> str:
    """Return what to do where nothing is in the way of a lock in doll's own folder."""
    if not isinstance(error, PermissionError):
        return f"# check the disk of {typed(str(folder))}: doll keeps its own state there"
    there = next((f for f in (folder, *folder.parents) if os.path.isdir(f)), folder)  # noqa: PTH112
    return obstacles.permitting(there)
