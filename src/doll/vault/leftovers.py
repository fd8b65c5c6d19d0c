"""Temporary files and folders that a killed doll left: found by their names, removed by a writer.

What `vault.files` builds in the vault is built under the writer lock, so that its holder knows that
nobody is at work on it. What is written without the lock (caches, hooks, exports, texts that are
edited) is only removed when its process is gone, or when it is older than any write takes.
Anything of another name, and any link, is left alone.
"""

import os
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from doll.vault import disk, temporary
from doll.vault.layout import AREAS, CACHE, JUDGED, SCHEMAS
from doll.vault.snapshot import MAX_LEVELS

_OLD = 3600.0
# Where `doll.services.editing.copies` keeps texts, each in a folder of its own.
EDITS = "edits"


def find(root: Path) -> list[str]:
    """Return the paths of what was left in the vault outside its cache, sorted.

    A folder that cannot be read is passed over; who reads its records says so.
    """
    left = [item.name for item in _items(root) if _is_left(item)]
    for area in AREAS:
        left += _below(root, area)
    left += [*_below(root, JUDGED), *_below(root, SCHEMAS)]
    return sorted(left)


def remove(root: Path, state: Path) -> None:
    """Remove what was left in the vault, in its cache, and in `<git dir>/doll`, as far as it goes.

    Only for the holder of the writer lock.
    """
    for path in find(root):
        _remove(root / path)
    caches = [root / CACHE, *_folders(root / CACHE)]
    for folder in (*caches, state):
        remove_dead(folder)
    for folder in _folders(state / EDITS):
        remove_dead(folder)
        # A text that is edited is put into its folder at once: an empty one has none, or had one.
        with suppress(OSError):
            if _is_old(folder.stat()):
                disk.remove_folder(folder)


def remove_dead(folder: Path) -> None:
    """Remove from a folder, and not from those in it, what the dead left, as far as it goes."""
    for item in _items(folder):
        with suppress(OSError):
            if _is_left(item) and (
                _is_gone(item.name) or _is_old(item.stat(follow_symlinks=False))
            ):
                _remove(Path(item.path))


def _is_gone(name: str) -> bool:
    """Return whether no process of this machine has the number that a name carries."""
    process = temporary.process_of(name)
    try:
        os.kill(process or os.getpid(), 0)
    except (ProcessLookupError, OverflowError):
        return True
    except PermissionError:
        pass
    return False


def _is_old(status: os.stat_result) -> bool:
    return time.time() - status.st_mtime > _OLD


def _folders(folder: Path) -> Iterator[Path]:
    for item in _items(folder):
        if item.is_dir(follow_symlinks=False) and not _is_left(item):
            yield Path(item.path)


def _below(root: Path, folder: str, level: int = 0) -> Iterator[str]:
    for item in _items(root / folder):
        if _is_left(item):
            yield f"{folder}/{item.name}"
        elif _may_hold(item) and level < MAX_LEVELS:
            yield from _below(root, f"{folder}/{item.name}", level + 1)


def _may_hold(item: "os.DirEntry[str]") -> bool:
    return not item.name.startswith(".") and item.is_dir(follow_symlinks=False)


def _items(folder: Path) -> list["os.DirEntry[str]"]:
    """Return what is in a folder; nothing where it is absent, a link, or cannot be read."""
    with suppress(OSError):
        if stat.S_ISDIR(os.lstat(folder).st_mode):
            with os.scandir(folder) as found:
                return list(found)
    return []


def _is_left(item: "os.DirEntry[str]") -> bool:
    if temporary.process_of(item.name) is None:
        return False
    return item.is_file(follow_symlinks=False) or item.is_dir(follow_symlinks=False)


def _remove(place: Path) -> None:
    if place.is_dir():
        disk.remove_tree(place)
    else:
        temporary.discard(place)
