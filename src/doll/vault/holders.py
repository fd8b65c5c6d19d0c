"""Who holds a lock: the process that wrote so, as long as it surely is that process, or else the
one that the kernel names.

Only words for a message: nothing is decided by it, and a lock is never taken away.
"""

import math
import os
import re
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

UNKNOWN = "unknown process"

_KERNEL = Path("/proc/locks")
# Who waits has an arrow before the kind. Source: proc_locks(5).
_HELD = re.compile(
    r"^[0-9]+: FLOCK +ADVISORY +WRITE ([1-9][0-9]*) ([0-9a-f]+):([0-9a-f]+):([0-9]+) ", re.MULTILINE
)
_SAID = re.compile(r"process ([1-9][0-9]{0,9})\s*")
# A process may write that it holds the lock within the tick of the clock in which it was started.
_TICK = 2.0


class Holder(NamedTuple):
    """Who holds a lock, in words, and the number of the process, 0 for an unknown one."""

    words: str
    process: int = 0


def said(process: int) -> bytes:
    """Return what the holder of a lock writes beside it."""
    return f"process {process}\n".encode()


def find(place: Path, lock: Path) -> Holder:
    """Return who holds a lock by what was written at `place`, else by what the kernel says.

    Unknown where neither is sure. Its command is named by its first word alone: the others may be
    private.
    """
    try:
        found = _SAID.fullmatch(place.read_text("ascii"))
        since = place.stat().st_mtime
    except (OSError, UnicodeDecodeError):
        return of_file(lock)
    if found is None or not _is_alive(process := int(found[1]), since):
        return of_file(lock)
    held = max(0, round(time.time() - since))
    return Holder(f"{_named(process)}, for {held:,} s", process)


def of_file(lock: Path) -> Holder:
    """Return who holds a lock by what the kernel says of its file; unknown where it says nothing.

    It says nothing outside of Linux, of a process that this one cannot see, and of some file
    systems, which show another device than the kernel has.
    """
    try:
        status = lock.stat()
        told = _KERNEL.read_text("ascii")
    except (OSError, UnicodeDecodeError):
        return Holder(UNKNOWN)
    wanted = (os.major(status.st_dev), os.minor(status.st_dev), status.st_ino)
    for process, major, minor, inode in _HELD.findall(told):
        is_it = (int(major, 16), int(minor, 16), int(inode)) == wanted
        # A child may have the lock of a parent that is gone.
        if is_it and _is_alive(int(process)):
            return Holder(_named(int(process)), int(process))
    return Holder(UNKNOWN)


def _named(process: int) -> str:
    word = _command(process)
    return f"process {process}: doll {word}" if word else f"process {process}"


def _is_alive(process: int, since: float = math.inf) -> bool:
    """Return whether a process lives that was there at a moment (seconds since 1970)."""
    if os.name != "posix":
        return True  # to ask would end it
    try:
        os.kill(process, 0)
    except PermissionError:
        pass  # somebody else's
    except OSError:
        return False
    started = _started(process)
    return started is None or started <= since + _TICK


def _started(process: int) -> float | None:
    """Return when a process was started, in seconds since 1970; None where nobody says it."""
    with suppress(OSError, ValueError, IndexError):
        # The name, in parentheses, may hold anything; the 22nd field counts from the machine's
        # start. Source: proc(5).
        fields = Path(f"/proc/{process}/stat").read_text("utf-8", "replace").rpartition(")")[2]
        up = float(Path("/proc/uptime").read_text("ascii").split()[0])
        return time.time() - up + int(fields.split()[19]) / os.sysconf("SC_CLK_TCK")
    return None


def _command(process: int) -> str:
    """Return the command of doll that a process runs; "" where nobody says it."""
    with suppress(OSError):
        words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
        names = [os.path.basename(word) for word in words]  # noqa: PTH119 - these are bytes
        with suppress(ValueError, IndexError):
            word = words[names.index(b"doll") + 1].decode("ascii", "replace")
            return word if re.fullmatch("[a-z]{2,20}", word) else ""
    return ""
