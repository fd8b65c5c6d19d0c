"""One pass over the vault's folders: which record files there are, with their stat stamps.

Reads no file. Every reader checks the disk with it; a watcher's word is never enough.
"""

import os
import struct
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from doll.errors import NoVaultError, Problem
from doll.vault.layout import holds_records, is_record_name
from doll.vault.typed import typed

# Record files, folders and problems, together.
MAX_FILES = 1_000_000
MAX_LEVELS = 64
# File times of coarse file systems step by two seconds; within a step a change can hide.
RACY_NS = 2_000_000_000

_PACKED = struct.Struct("=4Q")
_FIRST, _WHOLE = -(2**63), 2**64 - 1

_LINK = "this is a symbolic link; records are not read through links"


class Stamp(NamedTuple):
    """What `stat` says of a file; equal stamps mean equal bytes unless `is_racy`.

    Each number has 64 bits.
    """

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


class Found(NamedTuple):
    """A record file: its path relative to the vault, and its stamp."""

    path: str
    stamp: Stamp


class Snapshot(NamedTuple):
    """The record files of some folders, sorted by path, and what could not be looked at."""

    files: tuple[Found, ...]
    problems: tuple[Problem, ...]


class Scan(NamedTuple):
    """The record files of some folders, in no order, with packed stamps; and what failed.

    A packed stamp is the four numbers of a stamp as 64 bits each. Many of them joined compare and
    are kept as one.
    """

    stamps: dict[str, bytes]
    problems: tuple[Problem, ...]


def snapshot(
    root: Path, folders: Sequence[str], taken: Mapping[str, Stamp] | None = None
) -> Snapshot:
    """Look at every record file under `folders` (relative to the vault); absent folders are empty.

    Symbolic links are named as problems and never followed. `taken` are stamps by path that were
    taken a moment ago, and are not taken again. Raises NoVaultError when a folder is
    there and cannot be read, and when there are more than MAX_FILES files: to leave any of them out
    would take it for deleted.
    """
    walk = _walked(root, folders, stamp_of, taken or {})
    files = sorted(map(Found._make, walk.files.items()))
    return Snapshot(tuple(files), tuple(sorted(walk.problems)))


def scan(root: Path, folders: Sequence[str]) -> Scan:
    """Look as `snapshot` does, for a reader of very many files. Raises as it does."""
    walk = _walked(root, folders, packed, {})
    return Scan(walk.files, tuple(sorted(walk.problems)))


def has_records(root: Path, folders: Sequence[str]) -> bool:
    """Return whether there is any record file under `folders`; stops at the first."""
    return next(record_names(root, folders), None) is not None


def record_names(
    root: Path, folders: Sequence[str], entered: dict[str, bytes] | None = None
) -> Iterator[str]:
    """Yield the name of every record file under `folders`, in no order, without a `stat`.

    Follows no symbolic link. `entered` is given each folder that is listed (relative to the vault)
    with the packed stamp that it had before. Raises NoVaultError as `snapshot` does.
    """
    for folder in folders:
        if not os.path.islink(f"{root}/{folder}"):  # noqa: PTH114 - unlike Path's, it never raises
            yield from _record_names(f"{root}/{folder}", folder, 0, entered)


def _record_names(
    place: str, folder: str, level: int, entered: dict[str, bytes] | None
) -> Iterator[str]:
    holds = holds_records(folder)
    try:
        if entered is not None:
            entered[folder] = packed(os.lstat(place))
        with os.scandir(place) as found:
            for item in found:
                name = item.name
                if holds and is_record_name(name) and item.is_file(follow_symlinks=False):
                    yield name
                elif (
                    level < MAX_LEVELS
                    and not name.startswith(".")
                    and item.is_dir(follow_symlinks=False)
                ):
                    yield from _record_names(item.path, f"{folder}/{name}", level + 1, entered)
    except OSError as error:
        if not _is_gone(error, level):
            raise _unreadable(folder, error) from error


def _is_gone(error: OSError, level: int) -> bool:
    """Return whether a folder is not there (any more), rather than one that cannot be read."""
    changed_just_now = level > 0 and isinstance(error, NotADirectoryError)
    return changed_just_now or isinstance(error, FileNotFoundError)


def _unreadable(folder: str, error: OSError) -> NoVaultError:
    # To go on would take every record in it for deleted.
    return NoVaultError(
        f"the vault's folder {folder} cannot be read: {error.strerror}",
        hint="check its permissions, and that its disk is mounted",
    )


def is_racy(stamp: Stamp, seen_ns: int) -> bool:
    """Return whether the file may have changed after it was read at `seen_ns` under one stamp.

    git's rule for its index: a file whose times are not clearly older than the moment of reading
    is read again. Source: git, Documentation/technical/racy-git.
    """
    return max(stamp.mtime_ns, stamp.ctime_ns) + RACY_NS > seen_ns


def racy(stamps: bytes, seen_ns: int) -> list[int]:
    """Return the places of the racy ones among joined packed stamps."""
    numbers = array("Q", stamps)
    limit = seen_ns - RACY_NS
    modified, changed = numbers[1::4], numbers[2::4]
    if all(not times or max(times) <= limit for times in (modified, changed)):
        return []
    pairs = enumerate(zip(modified, changed, strict=True))
    return [place for place, pair in pairs if max(pair) > limit]


_T = TypeVar("_T")
_Take = Callable[[os.stat_result], _T]


def _walked(
    root: Path, folders: Sequence[str], take: "_Take[_T]", taken: Mapping[str, _T]
) -> "_Walk[_T]":
    walk = _Walk(os.fspath(root), take, taken)
    for folder in folders:
        walk.top(folder.rstrip("/"))
    return walk


class _Walk(Generic[_T]):
    def __init__(self, root: str, take: "_Take[_T]", taken: Mapping[str, _T]) -> None:
        self.root = root
        self.take = take
        self.taken = taken
        self.files: dict[str, _T] = {}
        self.problems: list[Problem] = []
        self.folders = 0

    def top(self, folder: str) -> None:
        """Look at a folder of the vault and all below it."""
        place, inside = self.root, ""
        for part in folder.split("/"):
            place, inside = f"{place}/{part}", f"{inside}/{part}".lstrip("/")
            if os.path.islink(place):  # noqa: PTH114 - unlike Path's, it never raises
                hint = (
                    f"rm -- {typed(inside)}    takes the link away; then put the folder itself here"
                )
                self._problem(inside, "file.symlink", _LINK, hint)
                return
        self.folder(folder, 0)

    def folder(self, folder: str, level: int) -> None:
        if level > MAX_LEVELS:
            message = f"more than {MAX_LEVELS} levels of folders; what is in this one is left out"
            self._problem(folder, "file.too_many", message, "move its records up")
            return
        try:
            # By descriptor: each `stat` is then relative to the folder, in two thirds of the time.
            with _descriptor(f"{self.root}/{folder}") as opened, os.scandir(opened) as found:
                self._items(found, folder, level)
        except OSError as error:
            if not _is_gone(error, level):
                raise _unreadable(folder, error) from error

    def _items(self, found: Iterable["os.DirEntry[str]"], folder: str, level: int) -> None:
        files, take, taken, holds = self.files, self.take, self.taken, holds_records(folder)
        self.folders += 1
        self._bound(folder)
        limit = MAX_FILES - self.folders - len(self.problems)
        for item in found:
            name = item.name
            is_named_record = holds and is_record_name(name)
            if is_named_record and item.is_file(follow_symlinks=False):
                path = f"{folder}/{name}"
                try:
                    files[path] = taken.get(path) or take(item.stat(follow_symlinks=False))
                except FileNotFoundError:
                    continue  # removed since its folder was listed
                if len(files) > limit:
                    self._bound(folder)
            elif item.is_symlink():
                if is_named_record or (not name.startswith(".") and _may_be_folder(item)):
                    self._link(f"{folder}/{name}", "file")
            elif item.is_dir(follow_symlinks=False):
                if not name.startswith("."):
                    self.folder(f"{folder}/{name}", level + 1)
            elif is_named_record and os.path.lexists(f"{self.root}/{folder}/{name}"):
                message = "this is a device or a pipe, and no file"
                self._problem(f"{folder}/{name}", "file.unreadable", message, "remove it")

    def _link(self, path: str, what: str) -> None:
        hint = f"rm -- {typed(path)}    takes the link away; then put the {what} here"
        self._problem(path, "file.symlink", _LINK, hint)

    def _problem(self, path: str, code: str, message: str, hint: str) -> None:
        self.problems.append(Problem(path, 0, 0, code, message, hint=hint))
        self._bound(path)

    def _bound(self, place: str) -> None:
        if len(self.files) + self.folders + len(self.problems) > MAX_FILES:
            raise NoVaultError(
                f"the vault has more than {MAX_FILES:,} record files and folders, more than doll "
                f"looks at: {place} is one too many",
                hint="move out what is no record, or what is done with to a vault of its own:\n"
                "doll init PATH",
            )


@contextmanager
def _descriptor(folder: str) -> Iterator[int]:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def stamp_of(status: os.stat_result) -> Stamp:
    """Return the stamp of what `stat` says; a time that no cache can keep counts as the nearest."""
    modified, changed = status.st_mtime_ns, status.st_ctime_ns
    if not (_FIRST <= modified <= _WHOLE and _FIRST <= changed <= _WHOLE):
        modified, changed = (min(max(each, _FIRST), _WHOLE) for each in (modified, changed))
    return Stamp(status.st_size, modified, changed, status.st_ino)


def packed(status: os.stat_result) -> bytes:
    """Return the packed stamp of what `stat` says."""
    try:
        return _PACKED.pack(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
    except struct.error:
        # Times before 1970 and after 2554 are no 64-bit numbers.
        return _PACKED.pack(*(number & _WHOLE for number in stamp_of(status)))


def _may_be_folder(link: "os.DirEntry[str]") -> bool:
    """Return whether a symbolic link leads to a folder, or to what cannot be looked at."""
    try:
        return link.is_dir()
    except OSError:
        return True
