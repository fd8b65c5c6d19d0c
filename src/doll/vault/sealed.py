"""The disposable cache: files that are believed only when doll itself sealed them.

A cache can come with a clone, be a link, or be forged. A file is used only when `.doll`, its
`cache` folder and the file are no symbolic links, belong to this user, are not tracked by git,
and the file carries a BLAKE2b digest of its bytes keyed with a random key that lives in
`<git dir>/doll/`, which no clone carries. Everything else counts as absent.
Source: docs/security.md, "The cache".
"""

import hashlib
import hmac
import os
import stat
from pathlib import Path

from doll.vault import disk, own_files, temporary

KEY_BYTES = 32
DIGEST_BYTES = 32
# So a fault ends that names a folder which this user may not read.
CLOSED = " may not be read"
_MAGIC = b"doll-sealed/1\n"
_TRACKED = {
    True: "it is tracked by git",
    False: "",
    None: "git cannot say whether it is tracked",
}


class Cache:
    """The cache folder of one vault.

    `fault` says in words why the folder as a whole is not used ("" when it is): it is tracked by
    git, or git cannot say; a symbolic link, or somebody else's. Nothing here raises: a cache that
    cannot be read or written is an absent one. `refused` says why the last `store` kept nothing.
    """

    def __init__(self, root: Path, state: Path, *, tracked: bool | None = False) -> None:
        """Take the vault's root and its state folder `<git dir>/doll`.

        `tracked` None: git cannot say whether the cache is, so it may be.
        """
        self.root = root
        self.folder = root / ".doll" / "cache"
        self.state = state
        self.fault = (
            closed(root / ".doll", self.folder, state)
            or _TRACKED[tracked]
            or folder_fault(root / ".doll")
            or folder_fault(self.folder)
        )
        self.rejected: set[str] = set()
        self.refused = ""
        self._frozen = False
        self._key: bytes | None = None

    def freeze(self) -> None:
        """Keep nothing from now on, for who changes no byte at all; reading goes on."""
        self._frozen = True

    def load(self, name: str) -> bytes | None:
        """Return the bytes that were stored under `name`, or None."""
        data = self.view(name)
        return None if data is None else bytes(data)

    def view(self, name: str) -> memoryview | None:
        """Return what `load` does, without copying it once more."""
        if self.fault:
            return None
        key = self._read_key()
        place = self.folder / name
        sealed = _read_own(place) if key is not None and not folder_fault(place.parent) else None
        if key is None or sealed is None:
            if os.path.lexists(place):
                self.rejected.add(name)
            return None
        head = len(_MAGIC) + DIGEST_BYTES
        data = memoryview(sealed)[head:]
        if sealed[: len(_MAGIC)] != _MAGIC or not hmac.compare_digest(
            sealed[len(_MAGIC) : head], _digest(key, name, data)
        ):
            self.rejected.add(name)
            return None
        return data

    def store(self, name: str, *data: bytes | memoryview) -> bool:
        """Store `data`, joined, under `name`: atomically; False when it could not be kept."""
        place = self.folder / name
        self.refused = self.fault or self.in_the_way(name)
        # A vault whose folder is gone is not made again by a cache.
        if not os.path.isdir(self.root):  # noqa: PTH112
            self.refused = "the folder of the vault is gone"
        if self._frozen:
            self.refused = "nothing is written by this command"
        if self.refused:
            return False
        try:
            key = self._read_key() or self._make_key()
            disk.make_folders(place.parent)
            parts = (_MAGIC, _digest(key, name, *data), *data)
            # Nobody else may read it; what a loss of power spoils is not sealed any more.
            written = temporary.write_beside(place, *parts, mode=0o600, flush=False)
            try:
                disk.replace(written, place)
            except BaseException:
                temporary.discard(written)
                raise
        except OSError as error:
            self.refused = error.strerror or str(error)
            return False
        return True

    def in_the_way(self, name: str) -> str:
        """Return why no file can be stored under `name`, whatever lies there now; or ""."""
        place = self.folder / name
        fault = folder_fault(place.parent)
        if not fault and os.path.isdir(place) and not os.path.islink(place):  # noqa: PTH112, PTH114
            return f"{place.name} is a folder"
        return fault

    def _read_key(self) -> bytes | None:
        if self._key is None:
            found = _read_own(self.state / "key")
            self._key = found if found is not None and len(found) == KEY_BYTES else None
        return self._key

    def _make_key(self) -> bytes:
        """Return the key, made new when there is none; two processes end with the same one."""
        place = self.state / "key"
        own_files.settle(place, os.urandom(KEY_BYTES), lambda: self._read_key() is not None)
        made = self._read_key()
        if made is None:
            raise OSError("the cache key cannot be read")
        return made


def closed(*folders: Path) -> str:
    """Return which folder is there and may not be read by this user, or ""."""
    for folder in folders:
        is_there = os.path.isdir(folder) and not os.path.islink(folder)  # noqa: PTH112, PTH114
        if is_there and not os.access(folder, os.R_OK | os.X_OK):
            return f"{folder}{CLOSED}"
    return ""


def folder_fault(folder: Path) -> str:
    """Return why a folder of the cache is not to be used, or ""; one that is absent is none."""
    try:
        status = folder.lstat()
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"it cannot be looked at: {error.strerror}"
    if stat.S_ISLNK(status.st_mode):
        return f"{folder.name} is a symbolic link"
    if not stat.S_ISDIR(status.st_mode):
        return f"{folder.name} is not a folder"
    if status.st_uid != os.geteuid():
        return f"{folder.name} belongs to another user"
    return ""


def _read_own(place: Path) -> bytes | None:
    """Return the bytes of a regular file of this user that is no link, else None."""
    try:
        descriptor = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid():
                return None
            return file.read()
    except OSError:
        return None


def _digest(key: bytes, name: str, *data: bytes | memoryview) -> bytes:
    """Return the keyed digest; the name is in it, so that no file can stand for another."""
    keyed = hashlib.blake2b(key=key, digest_size=DIGEST_BYTES, person=b"doll-cache")
    keyed.update(name.encode() + b"\0")
    for part in data:
        keyed.update(part)
    return keyed.digest()
