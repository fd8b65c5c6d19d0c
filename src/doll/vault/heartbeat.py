"""The watcher's heartbeat in `<git dir>/doll/`: that a process watches this vault, and what it saw.

`watch.lock` is held as long as the watcher lives, however it ends, so that a process id that was
given to another process never counts. `watch.json` is written every few seconds; `watch.seen` names
the files that the last look saw. All of it is a hint: who reads records looks at the disk itself.
"""

import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated

import msgspec

from doll.errors import BusyError, Problem
from doll.vault import disk, files, holders, layout, own_files
from doll.vault.lock import unavailable
from doll.vault.snapshot import packed, scan

# A live watcher writes its heartbeat this often, in seconds.
EVERY = 5.0
_BEAT, _SEEN, _LOCK = "watch.json", "watch.seen", "watch.lock"
# A status that tries the lock holds it for a moment.
_PATIENCE = 2.0
_UNITS = ((3600, "h"), (60, "m"), (1, "s"))
_MAX = 256 * 1024 * 1024

Stamps = Mapping[str, bytes]


class Beat(msgspec.Struct, frozen=True, kw_only=True):
    """What a watcher says of itself.

    `mode` is how it hears of changes (`inotify`, `polling`, …), `interval` how many seconds pass at
    most between two looks, `looking` whether it is at one. `beat_ns` is when this was written,
    `looked_ns` when the last look began, 0 before the first. `seen` is the digest of what that look
    saw, `fault` what keeps it from looking, "" for nothing. `root` names the folder that it watches
    (see `name`), "" where an older doll wrote this. `poll` and `sync` are what it was asked for, as
    `line` takes them.
    """

    process: Annotated[int, msgspec.Meta(gt=0)]  # `kill 0` would end the shell's own group
    mode: str
    interval: float
    looking: bool = False
    beat_ns: int = 0
    looked_ns: int = 0
    seen: str = ""
    fault: str = ""
    root: str = ""
    poll: bool = False
    sync: int = 0


def line(*, poll: bool = False, sync: int = 0) -> str:
    """Return the line that starts a watcher; `sync`: every so many seconds, 0 for never.

    To go on where most records are gone is for the user to ask again.
    """
    size, unit = next(each for each in _UNITS if sync % each[0] == 0)
    return f"doll watch{' --poll' * poll}{f' --sync {sync // size}{unit}' if sync > 0 else ''}"


def name(root: Path) -> str:
    """Return the name of a folder as a heartbeat has it: Unicode text, whatever its bytes."""
    return os.fsencode(root).decode("utf-8", "backslashreplace")


def stamps(root: Path) -> dict[str, bytes]:
    """Return the stamps of the record files and of `doll.yaml`, by path; reads no file.

    Raises NoVaultError when a folder is there and cannot be read.
    """
    return look(root)[0]


def look(root: Path) -> tuple[dict[str, bytes], tuple[Problem, ...]]:
    """Return what `stamps` does, and the problems of places that are no files. Raises as it."""
    found = scan(root, layout.AREAS)
    seen = dict(found.stamps)
    with suppress(OSError):
        seen[layout.MARKER] = packed(os.lstat(root / layout.MARKER))
    return seen, found.problems


def digest(seen: Stamps) -> str:
    """Return the digest of stamps, whatever their order."""
    made = hashlib.sha256()
    for path, stamp in sorted(seen.items()):
        made.update(os.fsencode(path) + b"\0" + stamp)
    return made.hexdigest()


def write(state: Path, beat: Beat) -> None:
    """Write a heartbeat. Raises OSError; ENOENT where the repository is gone, which stays so."""
    os.lstat(state.parent)
    own_files.put(state / _BEAT, msgspec.json.format(msgspec.json.encode(beat), indent=2) + b"\n")


def write_seen(state: Path, seen: Stamps) -> None:
    """Write what a look saw. Raises OSError."""
    os.lstat(state.parent)
    paths = {os.fsencode(path): stamp for path, stamp in seen.items()}
    own_files.put(state / _SEEN, msgspec.msgpack.encode(paths))


def place(state: Path) -> Path:
    """Return where the heartbeat is, or would be."""
    return state / _BEAT


def locked(state: Path) -> Path:
    """Return where the lock of the watcher is, or would be."""
    return state / _LOCK


def holder(state: Path) -> holders.Holder:
    """Return who watches, as the kernel says."""
    return holders.of_file(state / _LOCK)


def read(state: Path) -> Beat | None:
    """Return the last heartbeat; None where there is none that can be read."""
    with suppress(OSError, msgspec.DecodeError):
        return msgspec.json.decode(files.read(state, _BEAT, 65536), type=Beat)
    return None


def read_seen(state: Path, wanted: str) -> dict[str, bytes] | None:
    """Return the stamps whose digest is `wanted`; None where others, or none, are there."""
    with suppress(OSError, msgspec.DecodeError):
        found = msgspec.msgpack.decode(files.read(state, _SEEN, _MAX), type=dict[bytes, bytes])
        seen = {os.fsdecode(path): stamp for path, stamp in found.items()}
        return seen if digest(seen) == wanted else None
    return None


def clear(state: Path, process: int) -> None:
    """Take the heartbeat of a process away, as a watcher does that ends; that of another stays."""
    beat = read(state)
    if beat is not None and beat.process != process:
        return
    for file in (_BEAT, _SEEN):
        with suppress(OSError):
            disk.remove(state / file)


class Claim:
    """That this process is the one watcher of a vault."""

    def __init__(self, state: Path) -> None:
        from filelock import FileLock

        self._state = state
        self._lock = FileLock(state / _LOCK, timeout=_PATIENCE)
        self._file: tuple[int, int] | None = None
        self._folder: int | None = None

    def take(self) -> None:
        """Take the lock. Raises BusyError, StorageError; see `alone`."""
        from filelock import Timeout

        place = self._state / _LOCK
        try:
            disk.make_folders(self._state)
            self._lock.acquire()
            self._file = _file(place)
            self._folder = _opened(self._state)
        except Timeout as error:
            beat = read(self._state)
            who = f"process {beat.process}" if beat else holder(self._state).words
            raise BusyError(
                f"another doll watches this vault ({who})",
                hint="doll status    says what it sees",
            ) from error
        except (OSError, NotImplementedError) as error:
            raise unavailable(place, error) from error

    def is_lost(self) -> bool:
        """Return whether the lock's file is not the one in place: others see no watcher then."""
        with suppress(OSError):
            return _file(self._state / _LOCK) != self._file
        return True

    def renew(self) -> bool:
        """Take the lock again where it is lost; return whether that was so.

        A repository that is gone stays so. Raises as `take`.
        """
        with suppress(OSError):
            if not self.is_lost():
                return False
            os.stat(self._state.parent)  # noqa: PTH116 - ENOENT where the repository is gone
            self._clear_here()
            self.release()
            self.take()
            return True
        return False

    def clear(self, process: int) -> None:
        """Take the heartbeat of this process away, also where its folder was moved meanwhile."""
        if not self._clear_here():
            clear(self._state, process)

    def release(self) -> None:
        """Give it up."""
        self._lock.release()
        if self._folder is not None:
            os.close(self._folder)
            self._folder = None

    def _clear_here(self) -> bool:
        """Take the heartbeat away from beside the lock that is held; False where nobody can."""
        if self._folder is None:
            return False
        with suppress(OSError):
            if self._file is None or _file(Path(_LOCK), self._folder) != self._file:
                return False  # a heartbeat there is that of another, who holds another lock
            for file in (_BEAT, _SEEN):
                with suppress(OSError):
                    disk.remove(Path(file), self._folder)
            return True
        return False


def _opened(folder: Path) -> int | None:
    """Return a descriptor by which a folder is reached wherever it is moved; None for none."""
    if os.unlink not in os.supports_dir_fd or os.stat not in os.supports_dir_fd:
        return None
    with suppress(OSError):
        return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    return None


def _file(place: Path, folder: int | None = None) -> tuple[int, int] | None:
    """Return what tells a file from others of its name, None for none. Raises OSError."""
    with suppress(FileNotFoundError, NotADirectoryError):
        status = os.stat(place, dir_fd=folder)
        return status.st_dev, status.st_ino
    return None


@contextmanager
def alone(state: Path) -> Iterator[Claim]:
    """Be the one watcher of a vault.

    Raises BusyError when another process is, StorageError where the lock cannot be had.
    """
    claim = Claim(state)
    claim.take()
    try:
        yield claim
    finally:
        claim.release()


def is_watched(state: Path) -> bool | None:
    """Return whether a watcher lives; None where the lock cannot say. Makes no file."""
    try:
        os.lstat(state / _LOCK)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return None
    from filelock import FileLock, Timeout

    try:
        with FileLock(state / _LOCK, timeout=0):
            return False
    except Timeout:
        return True
    except (OSError, NotImplementedError):
        return None
