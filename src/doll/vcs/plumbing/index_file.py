"""The index as a file: what its beginning tells without git, which reads and checks all of it.

Source: gitformat-index. Answers only where it is sure; whoever asks then asks git.
"""

import os
from collections.abc import Iterator
from typing import NamedTuple

from doll.vcs.plumbing.repository import Repository

_READ = 64 * 1024
_HEADER = 12
# Times, device, inode, mode, owner and size; then the object id and 16 bits of flags.
_FACTS = 40
_OID = {"sha1": 20, "sha256": 32}
_PLAIN = (b"\0\0\0\2", b"\0\0\0\3")
# In the first byte of the flags, and of those that follow where it says that they do.
_ASSUMED, _EXTENDED = 0x80, 0x40
_SKIPPED = 0x40
# What the length of a name is, or more.
_LONG = 0xFFF


class Flagged(NamedTuple):
    """Files of the index that git was told not to look at, by which flag."""

    skipped: tuple[str, ...]
    assumed: tuple[str, ...]


def surely_lacks(repository: Repository, folder: str) -> bool:
    """Return whether the first entries show that nothing at or below `folder` is in the index.

    Entries stand in byte order of their paths, so one that comes after all of the folder's tells.
    False where they do not show it: far back in a large index, in version 4, which shortens paths,
    where another file holds a part of it or it holds folders whole (split and sparse indexes), and
    where there is none.
    """
    data = _read(repository, _READ)
    wanted = os.fsencode(folder)
    for path in _paths(data, _OID[repository.algorithm]) if data else ():
        if path == wanted or path.startswith(wanted + b"/"):
            return False
        if path.endswith(b"/") and wanted.startswith(path):
            return False
        # The bytes after the folder's own begin with a slash, whose successor is 0.
        if path >= wanted + b"0":
            return True
    return False


def flagged(repository: Repository) -> Flagged | None:
    """Return which files git was told not to look at, None where git has to be asked.

    Reads the whole file: a few milliseconds for 10,000 entries.
    """
    data = _read(repository, -1)
    if data is None or data[:4] != b"DIRC" or data[4:8] not in _PLAIN:
        return None
    try:
        return _flagged(repository, data)
    except (IndexError, ValueError):  # it is cut off, and git has the words for that
        return None


def _flagged(repository: Repository, data: bytes) -> Flagged:
    skipped, assumed = list[str](), list[str]()
    to_flags = _FACTS + _OID[repository.algorithm]
    at = _HEADER
    for _ in range(int.from_bytes(data[8:12], "big")):
        flags = at + to_flags
        high, name = data[flags], flags + (4 if data[flags] & _EXTENDED else 2)
        length = (high & 0x0F) << 8 | data[flags + 1]
        end = name + length if length < _LONG else data.index(b"\0", name)
        if high & _ASSUMED:
            assumed.append(os.fsdecode(data[name:end]))
        elif high & _EXTENDED and data[flags + 2] & _SKIPPED:
            skipped.append(os.fsdecode(data[name:end]))
        at += (end - at + 8) & ~7
    return Flagged(tuple(skipped), tuple(assumed))


def _read(repository: Repository, size: int) -> bytes | None:
    """Return the beginning of the index, None where that cannot be read or is a part of it."""
    named = os.environ.get("GIT_INDEX_FILE") if repository.own else None
    place = repository.top / named if named else repository.git_dir / "index"
    try:
        with place.open("rb") as opened:
            data = opened.read(size)
        return None if any(place.parent.glob("sharedindex.*")) else data
    except OSError:
        return None


def _paths(data: bytes, oid: int) -> Iterator[bytes]:
    """Yield the paths of the entries that lie whole in `data`, none of a version but 2 and 3."""
    if data[:4] != b"DIRC" or data[4:8] not in _PLAIN:
        return
    at = _HEADER
    for _ in range(int.from_bytes(data[8:12], "big")):
        flags = at + _FACTS + oid
        name = flags + 2 + (2 if data[flags : flags + 1] and data[flags] & _EXTENDED else 0)
        end = data.find(b"\0", name)
        if end < 0:
            return
        yield data[name:end]
        # One to eight NULs end an entry, so that its length is a multiple of eight.
        at += (end - at + 8) & ~7
