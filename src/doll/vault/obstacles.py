"""What keeps a lock of doll from being taken: a thing in its way, or permissions. Looks only."""

import os
import stat
from pathlib import Path

from doll.vault.typed import typed

# In `<git dir>/doll/`: of writers, of a sync, of a watcher, of who makes the index.
LOCKS = ("lock", "sync", "watch.lock", "index.lock")
_TRIES = 1000


def in_the_way(place: Path) -> tuple[Path, str] | None:
    """Return what a lock at `place` cannot be taken for, and the line that mends it, else None.

    That is something else than a folder where the folder of doll's own state is to be, something
    else than a file where the lock is, or one that may not be opened.
    """
    folder = place.parent
    if os.path.lexists(folder) and not os.path.isdir(folder):  # noqa: PTH112
        return folder, f"{moving_away(folder)}    takes it away, and the next doll makes it anew"
    try:
        mode = place.lstat().st_mode
    except FileNotFoundError:
        return None
    except OSError:
        return folder, permitting(folder)
    if not stat.S_ISREG(mode):
        return place, f"{moving_away(place)}    takes it away, and the next doll makes it anew"
    if not os.access(place, os.R_OK | os.W_OK):
        return place, permitting(place)
    return None


def moving_away(place: Path, to: Path | None = None) -> str:
    """Return the line that gives what is at `place` another name beside it, one that is free.

    Where `to` is given, that name is beside it.
    """
    return f"mv -n -- {typed(str(place))} {typed(_away(to or place))}"


def permitting(place: Path) -> str:
    """Return the line that lets this user write at `place`, or shows who may."""
    name = typed(str(place))
    try:
        if os.statvfs(place).f_flag & os.ST_RDONLY:
            return f"# {name} is on a read-only file system: mount it so that it can be written"
        found = place.stat()
    except (OSError, AttributeError):
        return f"ls -ld -- {name}    shows whose it is"
    if found.st_uid != os.geteuid():
        return f"ls -ld -- {name}    shows whose it is"
    return f"chmod {'u+rwx' if stat.S_ISDIR(found.st_mode) else 'u+rw'} -- {name}"


def _away(place: Path) -> str:
    names = (f"{place}.away{number or ''}" for number in range(_TRIES))
    return next(name for name in names if not os.path.lexists(name))
