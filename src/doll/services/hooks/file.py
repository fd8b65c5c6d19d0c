"""A hook as a file: read whole, replaced atomically, never through a symbolic link.

Mode bits and owner stay. What the text says is the business of `doll.services.hooks.block`.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from doll.errors import ConflictError, StorageError
from doll.vault import disk, leftovers, temporary

LIMIT = 4 * 1024 * 1024


def read(path: Path) -> bytes | None:
    """Return the hook's bytes, None when there is none.

    ConflictError: a symbolic link, anything else that is no file, one that cannot be read.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    except NotADirectoryError:
        raise ConflictError(f"{path.parent} is no folder, so git runs no hooks there") from None
    except OSError as error:
        why = "is a symbolic link" if path.is_symlink() else f"cannot be read: {error.strerror}"
        raise ConflictError(f"the hook {path} {why}") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise ConflictError(f"the hook {path} is no regular file")
    with os.fdopen(descriptor, "rb") as file:
        data = file.read(LIMIT + 1)
    if len(data) > LIMIT:
        raise ConflictError(f"the hook {path} is larger than 4 MiB")
    return data


def runs(path: Path) -> bool:
    """Tell whether git runs the hook: it passes over one that is not executable."""
    return os.access(path, os.X_OK)


def create(path: Path, data: bytes) -> None:
    """Write a new, executable hook; ConflictError when one is there by now."""
    with _refusals(path):
        disk.make_folders(path.parent)
        _rename(_written_beside(path, data), path, taken=os.path.lexists(path))


def replace(path: Path, data: bytes, expected: bytes) -> None:
    """Replace the bytes of a hook that has the bytes `expected`, and nothing else of it."""
    _expect(path, expected)
    with _refusals(path):
        before = path.stat()
        written = _written_beside(path, data)
        try:
            _keep(written, before)
        except BaseException:
            temporary.discard(written)
            raise
        _rename(written, path)


def remove(path: Path, expected: bytes) -> None:
    """Remove a hook that has the bytes `expected`."""
    _expect(path, expected)
    with _refusals(path):
        leftovers.remove_dead(path.parent)
        disk.remove(path)


def _written_beside(path: Path, data: bytes) -> Path:
    leftovers.remove_dead(path.parent)
    # The umask applies to a new hook, as it does when git or an editor makes one.
    return temporary.write_beside(path, data, mode=0o777)


def _rename(written: Path, path: Path, *, taken: bool = False) -> None:
    if taken:
        temporary.discard(written)
        raise ConflictError(f"the hook {path} appeared just now; it is left as it is")
    try:
        disk.replace(written, path)
    except BaseException:
        temporary.discard(written)
        raise
    with suppress(OSError):  # it is in its place by now
        disk.flush_folder(path.parent)


def _keep(written: Path, before: os.stat_result) -> None:
    now = written.stat()
    if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
        with suppress(PermissionError):
            disk.set_owner(written, before.st_uid, before.st_gid)
    disk.set_mode(written, before.st_mode)


def _expect(path: Path, expected: bytes) -> None:
    if read(path) != expected:
        raise ConflictError(
            f"the hook {path} changed while it was being edited; it is left as it is",
            hint="run the command again",
        )


@contextmanager
def _refusals(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StorageError(
            f"the hook {path} cannot be written: {error.strerror or error}; it is as it was",
            hint=f"check the permissions of {path.parent}",
        ) from error
