"""A hook as a file: read whole, replaced atomically, never through a symbolic link.

Mode bits and owner stay. What the text says is the business of `doll.services.hooks.block`.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from doll.errors import ConflictError, StorageError

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
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = _written_beside(path, data, None)
        _rename(temporary, path, taken=os.path.lexists(path))


def replace(path: Path, data: bytes, expected: bytes) -> None:
    """Replace the bytes of a hook that has the bytes `expected`, and nothing else of it."""
    _expect(path, expected)
    with _refusals(path):
        _rename(_written_beside(path, data, path.stat()), path)


def remove(path: Path, expected: bytes) -> None:
    """Remove a hook that has the bytes `expected`."""
    _expect(path, expected)
    with _refusals(path):
        path.unlink()


def _written_beside(path: Path, data: bytes, before: os.stat_result | None) -> Path:
    temporary = path.with_name(f".{path.name}.doll-{os.getpid()}")
    # The umask applies to a new hook, as it does when git or an editor makes one.
    descriptor = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o777)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            if before is not None:
                _keep(descriptor, before)
            os.fsync(descriptor)
    except BaseException:
        _discard(temporary)
        raise
    return temporary


def _rename(temporary: Path, path: Path, *, taken: bool = False) -> None:
    if taken:
        _discard(temporary)
        raise ConflictError(f"the hook {path} appeared just now; it is left as it is")
    try:
        temporary.replace(path)
    except OSError:
        _discard(temporary)
        raise


def _discard(temporary: Path) -> None:
    with suppress(OSError):
        temporary.unlink()


def _keep(descriptor: int, before: os.stat_result) -> None:
    now = os.fstat(descriptor)
    if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
        with suppress(PermissionError):
            os.fchown(descriptor, before.st_uid, before.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(before.st_mode))


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
