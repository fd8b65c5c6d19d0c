"""Writing the files of the vault, atomically and never over what was not read.

A file is written beside its place, flushed to disk and renamed, so that a kill at any moment
leaves the old bytes or the new ones; on a file system without hard links it may leave an empty
file where a new one was to be. Records are never written through symbolic links, nor read through
one at the last place of their path.
"""

import errno
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from doll.errors import ConflictError, StorageError
from doll.records.digest import sha256
from doll.records.limits import MAX_FILE_BYTES
from doll.vault import disk, temporary

# Linux waits in sync(2) until all is on disk, so that 10,000 files cost one wait; POSIX lets other
# systems return before (man 2 sync). A few files are flushed one by one everywhere.
_FLUSHED_SINGLY = 64 if sys.platform == "linux" else sys.maxsize
_PIECE = 1 << 20
# What `link` says where a file system has no hard links, such as FAT.
_NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK)


def read(root: Path, path: str, limit: int = MAX_FILE_BYTES) -> bytes:
    """Return the bytes of a file of the vault, at most `limit` + 1 of them.

    Raises OSError; a symbolic link at the last place is ELOOP, a path that leads outside EINVAL.
    """
    descriptor, size = _open(root, path)
    try:
        return _read(descriptor, min(size, limit), limit + 1)
    finally:
        os.close(descriptor)


def parts(root: Path, path: str) -> Iterator[bytes]:
    """Yield the bytes of a file of any size, a piece at a time. Raises as `read`."""
    descriptor, _ = _open(root, path)
    try:
        while part := os.read(descriptor, _PIECE):
            yield part
    finally:
        os.close(descriptor)


def _open(root: Path, path: str) -> tuple[int, int]:
    """Open a regular file of the vault; return the descriptor and the size."""
    if not _is_inside(path):
        raise OSError(errno.EINVAL, "no path inside the vault", path)
    # Plain strings and descriptors: this is called for every record of the vault.
    place = f"{root}/{path}"
    descriptor = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file", place)
    return descriptor, status.st_size


def read_as(root: Path, path: str, digest: str) -> bytes | None:
    """Return the bytes of a file, None where they have another SHA-256 or cannot be read."""
    try:
        data = read(root, path)
    except OSError:
        return None
    return data if sha256(data) == digest else None


def _read(descriptor: int, likely: int, limit: int) -> bytes:
    """Return what a file holds, at most `limit` bytes; `likely` is the size it should have."""
    parts = []
    while limit > 0 and (part := os.read(descriptor, min(likely + 1, limit))):
        parts.append(part)
        limit -= len(part)
        likely = max(likely - len(part), 65536)
    return b"".join(parts)


def create(root: Path, path: str, data: bytes) -> None:
    """Write a new file; ConflictError when the name is taken, also by another process just now."""
    target = _checked(root, path)
    with _failures(path):
        _make_folder(target.parent)
        written = temporary.write_beside(target, data)
        try:
            put_new(written, target)
        except FileExistsError as error:
            raise ConflictError(
                f"{path} exists already; nothing was written",
                hint="choose another id, or edit the file that is there",
            ) from error
        finally:
            temporary.discard(written)
        _flush_folder(target.parent)


def put_new(written: Path, target: Path) -> None:
    """Give a file its name, too; FileExistsError when the name is taken. Raises OSError."""
    try:
        disk.link(written, target)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        # Only one process can reserve the name; its empty file is then replaced whole.
        os.close(disk.open_new(target))
        try:
            disk.replace(written, target)
        except BaseException:
            temporary.discard(target)
            raise


def replace(root: Path, path: str, data: bytes, expected: str) -> None:
    """Replace a file whose bytes have the SHA-256 `expected`; ConflictError when they do not."""
    target = _checked(root, path)
    _expect(root, path, expected)
    with _failures(path):
        written = temporary.write_beside(target, data)
        try:
            if (mode := target.stat().st_mode) != written.stat().st_mode:
                disk.set_mode(written, mode)
            _expect(root, path, expected)
            disk.replace(written, target)
        except BaseException:
            temporary.discard(written)
            raise
        _flush_folder(target.parent)


def remove(root: Path, path: str, expected: str) -> None:
    """Remove a file whose bytes have the SHA-256 `expected`; ConflictError when they do not."""
    target = _checked(root, path)
    _expect(root, path, expected)
    with _failures(path):
        disk.remove(target)
        _flush_folder(target.parent)


def remove_all(root: Path, listed: Sequence[tuple[str, str]], told: Callable[[int], None]) -> None:
    """Remove files, each given with the SHA-256 that its bytes have; their folders flush once.

    ConflictError for the first whose bytes are others: those before it are removed then. `told` is
    given the number of each file as its turn comes.
    """
    folders: set[Path] = set()
    try:
        for number, (path, expected) in enumerate(listed):
            told(number)
            target = _checked(root, path)
            _expect(root, path, expected)
            with _failures(path):
                disk.remove(target)
            folders.add(target.parent)
    finally:
        for folder in sorted(folders):
            with _failures(str(folder)):
                _flush_folder(folder)


def rename(root: Path, path: str, new: str, expected: str) -> None:
    """Give a file whose bytes have the SHA-256 `expected` another name in its folder.

    ConflictError when they do not, or when the name is taken.
    """
    from doll.vault.naming import rename_new

    source, target = _checked(root, path), _checked(root, new)
    _expect(root, path, expected)
    with _failures(new):
        try:
            rename_new(source, target)
        except FileExistsError as error:
            raise ConflictError(f"{new} exists already; nothing was renamed") from error
        _flush_folder(target.parent)


def create_tree(root: Path, folder: str, files: Iterable[tuple[str, bytes]]) -> None:
    """Write a new folder with all its files, or nothing.

    `files` are (path within the folder, bytes). The folder is built beside its place and renamed
    there; ConflictError when it exists.
    """
    target = _checked(root, folder)
    building = target.parent / temporary.name()
    with _failures(folder):
        _make_folder(target.parent)
        try:
            disk.make_folder(building)
            _fill(building, files)
            _put_new_folder(building, target, folder)
        except BaseException:
            disk.remove_tree(building)
            raise
        _flush_folder(target.parent)


def _put_new_folder(building: Path, target: Path, path: str) -> None:
    taken = ConflictError(f"{path} exists already; nothing was written")
    if os.path.lexists(target):
        raise taken
    try:
        disk.rename(building, target)
    except OSError as error:
        if os.path.lexists(target):  # made by another process just now
            raise taken from error
        raise


def _fill(building: Path, files: Iterable[tuple[str, bytes]]) -> None:
    folders = {building}
    written = 0
    for path, data in files:
        if not _is_inside(path):
            raise ConflictError(f"{path!r} is no path inside the new folder")
        place = building / path
        if place.parent not in folders:
            disk.make_folders(place.parent)
            folders.update(building / each for each in Path(path).parents)
        temporary.fill(disk.open_new(place), data, flush=written < _FLUSHED_SINGLY)
        written += 1
    if written > _FLUSHED_SINGLY:
        disk.flush_all()
    for each in folders:
        _flush_folder(each)


def _make_folder(folder: Path) -> None:
    """Make a folder and those above it, each flushed to disk with its name."""
    if not folder.is_dir():
        _make_folder(folder.parent)
        disk.make_folders(folder)
        _flush_folder(folder.parent)


def _flush_folder(folder: Path) -> None:
    """Have the names in a folder flushed to disk.

    What they name is in its place by then, so that a file system that cannot do it is no failure.
    """
    with suppress(OSError):
        disk.flush_folder(folder)


def _expect(root: Path, path: str, expected: str) -> None:
    try:
        found = sha256(read(root, path))
    except OSError as error:
        raise ConflictError(f"{path} cannot be read any more: {error.strerror}") from error
    if found != expected:
        raise ConflictError(
            f"{path} changed on disk since it was read; it is left as it is",
            hint="run the command again",
        )


def _is_inside(path: str) -> bool:
    """Return whether a path with `/` stays below the folder that it is relative to."""
    return "\0" not in path and not any(part in ("", ".", "..") for part in path.split("/"))


def _checked(root: Path, path: str) -> Path:
    """Return the place of `path`; ConflictError when it leads outside or through links."""
    if not _is_inside(path):
        raise ConflictError(f"{path!r} is no path inside the vault")
    place = root
    for part in path.split("/")[:-1]:
        place /= part
        if os.path.islink(place):  # noqa: PTH114 - unlike Path's, it never raises
            raise ConflictError(
                f"{place.relative_to(root)} is a symbolic link; doll does not write through links"
            )
    return root / path


@contextmanager
def _failures(path: str) -> Iterator[None]:
    """Turn what the file system refuses into a DollError that says what stands where."""
    try:
        yield
    except OSError as error:
        raise StorageError(
            f"{path} cannot be written: {error.strerror or error}",
            hint="nothing was changed; check the disk space and permissions of the folder",
        ) from error
