"""Everything that a folder holds, byte by byte, to be held against what it holds later."""

import hashlib
import os
import stat
from collections.abc import Container, Iterator
from pathlib import Path
from typing import NamedTuple

# What doll may write while it reads.
OWN = (".doll/cache", ".doll/usage", ".git/doll")


class Mark(NamedTuple):
    """One path: type and permissions, time of the last change, and a digest of what it holds."""

    mode: int
    mtime_ns: int
    digest: str


def footprint(root: Path, without: Container[str] = ()) -> dict[str, Mark]:
    """Return a mark of every path below `root`; those in `without` and below are left out."""
    return {path: _mark(root / path) for path in sorted(_paths(root, without))}


def stamps(root: Path, without: Container[str] = ()) -> dict[str, tuple[int, ...]]:
    """Return what `lstat` says of every path below `root`: quick, and enough where nobody lies."""
    found = ((path, (root / path).lstat()) for path in _paths(root, without))
    return {
        path: (
            s.st_mode,
            s.st_ino,
            *(() if stat.S_ISDIR(s.st_mode) else (s.st_size, s.st_mtime_ns)),
        )
        for path, s in found
    }


def contents(root: Path, without: Container[str] = OWN) -> dict[str, str]:
    """Return what the files below `root` hold, without times, modes and folders."""
    marks = footprint(root, without)
    return {path: mark.digest for path, mark in marks.items() if mark.digest}


def _paths(root: Path, without: Container[str]) -> Iterator[str]:
    for folder, inner, names in os.walk(root):
        here = Path(folder).relative_to(root)
        inner[:] = [name for name in inner if (here / name).as_posix() not in without]
        yield from ((here / name).as_posix() for name in inner)
        yield from (path for name in names if (path := (here / name).as_posix()) not in without)


def _mark(place: Path) -> Mark:
    status = place.lstat()
    if place.is_symlink():
        return Mark(status.st_mode, 0, f"link {place.readlink()}")
    if place.is_dir():
        # The times of a folder that holds the cache change with it; its entries are listed.
        return Mark(status.st_mode, 0, "")
    if not place.is_file():
        return Mark(status.st_mode, status.st_mtime_ns, "a device or a pipe")
    digest = hashlib.sha256(place.read_bytes()).hexdigest()
    return Mark(status.st_mode, status.st_mtime_ns, digest)
