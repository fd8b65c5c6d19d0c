"""A zip archive as a source: its known files in memory, nothing unpacked to disk, bounded.

An archive with a name that leads out of it, two names that are one file somewhere, a link or
encryption is refused whole, whatever the file is that has it.
"""

import io
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from fnmatch import fnmatchcase

from doll.errors import InvalidDocumentError
from doll.interchange.base import Document, Layout
from doll.vault.layout import alike

MAX_MEMBERS = 10_000

_MIB = 1024 * 1024
_STARTS = (b"PK\x03\x04", b"PK\x05\x06")
_MEMBER = b"PK\x01\x02"
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 0x1 | 0x40
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    OSError,
    RuntimeError,
    ValueError,
)
_DRIVE = re.compile(r"[A-Za-z]:")


def is_archive(data: bytes) -> bool:
    """Return whether these are the bytes of a zip archive."""
    return data.startswith(_STARTS)


def read_archive(name: str, data: bytes, layout: Layout, limit: int) -> Document:
    """Return the document in a zip archive: the files of `layout`, at its top or in its one folder.

    `name` is the archive's own. What is read has at most `limit` bytes together when unpacked.
    InvalidDocumentError for an archive that is damaged, without a main file, or refused.
    """
    # Each member costs memory before anything can be asked of it, so they are counted first.
    if data.count(_MEMBER) > MAX_MEMBERS:
        raise _refused(name, f"it holds more than {MAX_MEMBERS:,} files")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            _check(name, members)
            by_path = {each.filename: each for each in members if not each.is_dir()}
            main = _main(name, list(by_path), layout)
            base = main[: -len(main.rpartition("/")[2])]
            wanted = [main, *_companions(by_path, base, layout)]
            found = dict(_read(name, archive, [by_path[path] for path in wanted], limit))
    except _BROKEN as error:
        raise _refused(name, f"it cannot be unpacked: {error}") from error
    return Document(name, found.pop(main), found, main)


def _main(name: str, paths: list[str], layout: Layout) -> str:
    at_top = [path for each in layout.main for path in paths if path == each]
    within = [path for each in layout.main for path in paths if fnmatchcase(path, f"*/{each}")]
    one_down = [path for path in within if path.count("/") == 1 and not path.startswith("__")]
    found = at_top or one_down
    if len(found) == 1:
        return found[0]
    what = " or ".join(layout.main)
    if found:
        raise _refused(name, f"it holds {what} {len(found)} times; unpack it and give one folder")
    if any(path.lower().endswith(".zip") for path in paths):
        raise _refused(name, f"it holds no {what}, and another archive: unpack that one")
    raise _refused(name, f"it holds no {what}")


def _companions(paths: dict[str, zipfile.ZipInfo], base: str, layout: Layout) -> Iterator[str]:
    for pattern in layout.companions:
        depth = base.count("/") + pattern.count("/")
        for path in sorted(paths):
            inside = path.startswith(base) and path.count("/") == depth
            if inside and fnmatchcase(path[len(base) :], pattern):
                yield path


def _check(name: str, members: list[zipfile.ZipInfo]) -> None:
    """Raise InvalidDocumentError for what no honest export has."""
    clashes = _Clashes()
    for each in members:
        # What `filename` leaves out of it behind a NUL byte is a name that somebody wrote.
        path = each.orig_filename
        if fault := path_fault(path.removesuffix("/")):
            raise _refused(name, f"the name {path[:200]!a} in it {fault}")
        if (other := clashes.add(path)) is not None:
            names = f"{other[:200]!a} and {path[:200]!a}"
            raise _refused(name, f"the names {names} in it are one file, here or elsewhere")
        kind = stat.S_IFMT(each.external_attr >> 16)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise _refused(name, f"{path[:200]!a} in it is a link or a device, and no file")
        if each.flag_bits & _ENCRYPTED:
            raise _refused(name, "it is encrypted: unpack it with its password")


class _Clashes:
    """The names of an archive so far, in the form in which some system has one file for them."""

    def __init__(self) -> None:
        self._members: dict[str, str] = {}
        self._files: dict[str, str] = {}
        self._folders: dict[str, str] = {}

    def add(self, path: str) -> str | None:
        """Take the name of a member; return an earlier one that cannot lie beside it, or None."""
        parts = [key for part in path.split("/") if (key := alike(part))]
        whole = "/".join(parts)
        above = ["/".join(parts[:end]) for end in range(1, len(parts))]
        found = [self._members.get(whole), *(self._files.get(key) for key in above)]
        if not path.endswith("/"):
            found.append(self._folders.get(whole))
            self._files[whole] = path
        self._members[whole] = path
        for key in above:
            self._folders.setdefault(key, path)
        return next((other for other in found if other is not None), None)


def path_fault(path: str) -> str:
    """Return why a path can lead out of the folder that it is seen from, "" where it cannot."""
    if "\0" in path:
        return "holds a NUL byte"
    if path.startswith("/") or "\\" in path or _DRIVE.match(path):
        return "is an absolute path or one of another system"
    # Some systems drop dots and spaces at the end of a name: what is left of `.. ` leads out there.
    if any(part not in ("", ".") and not alike(part) for part in path.split("/")):
        return "leads out of the archive"
    return ""


def _read(
    name: str, archive: zipfile.ZipFile, members: list[zipfile.ZipInfo], limit: int
) -> Iterator[tuple[str, bytes]]:
    # The sizes that are declared cost nothing to look at; reading never trusts them.
    if sum(each.file_size for each in members) > limit:
        raise _unpacked_too_large(name, limit)
    left = limit
    for each in members:
        if each.compress_type not in _METHODS:
            raise _refused(name, f"{each.filename[:200]!a} is packed in a way that is not read")
        with archive.open(each) as file:
            data = file.read(left + 1)
        left -= len(data)
        if left < 0:
            raise _unpacked_too_large(name, limit)
        if is_archive(data):
            raise _refused(name, f"{each.filename[:200]!a} is an archive itself: unpack it")
        yield each.filename, data


def _unpacked_too_large(name: str, limit: int) -> InvalidDocumentError:
    return _refused(name, f"unpacked it has more than {limit // _MIB} MiB, which are read")


def _refused(name: str, why: str) -> InvalidDocumentError:
    hint = "unpack it yourself, look at it, and give the folder or the file that you trust"
    return InvalidDocumentError(f"{name} is a zip archive that is not read: {why}", hint=hint)
