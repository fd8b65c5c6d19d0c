"""What `doll import markdown` reads: a note, or a folder of notes; bounded, in a fixed order.

Nothing outside the folder is read and no symbolic link in it followed. What is no note is named
with its reason. Times of files are not looked at.
"""

import os
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

from doll.cli.sources import folder_name, read_file
from doll.errors import InvalidDocumentError, UsageError
from doll.interchange.base import Document, Passed
from doll.interchange.strict_json import MAX_BYTES
from doll.records.limits import MAX_FILE_BYTES
from doll.vault.layout import AREAS, MARKER, OWN

ENDINGS = (".md", ".markdown")
MAX_FILES = 100_000
MAX_DEPTH = 64
MAX_PATH = 1000

_TOLD = 500
_INSTEAD = "give a folder of notes, or a note saved as UTF-8 text"
_LARGEST = f"{MAX_FILE_BYTES // 1024 // 1024} MiB"
_BINARY = "an archive or a PDF under the name of a note"
_PACKED = (b"PK\x03\x04", b"\x1f\x8b", b"%PDF")


def _silent(number: int) -> None:
    """Say nothing of how far it is."""


def read_notes(place: Path, told: Callable[[int], None] = _silent) -> Document:
    """Return the document at `place`: one note, or all notes below a folder.

    `told` is given the number of files that were met, every now and then.
    Raises UsageError for a place that is not there or belongs to a vault, InvalidDocumentError for
    one that cannot be read, has no note in it, or holds more than is read.
    """
    if root := vault_of(place):
        raise _vault(place, root)
    if not place.is_dir():
        data = read_file(place, MAX_FILE_BYTES, instead=_INSTEAD)
        if data.startswith(_PACKED):
            raise InvalidDocumentError(
                f"{place} is an archive or a PDF, and no note", hint=_INSTEAD
            )
        return Document(place.name, data)
    notes: dict[str, bytes] = {}
    passed: list[Passed] = []
    total = 0
    for found in _walk(place):
        read = _read(place, found.path) if found.kind == "note" else found
        if isinstance(read, Passed):
            passed.append(read._replace(path=_shown(read.path)))
        else:
            notes[found.path] = read
            total += len(read)
        if (len(notes) + len(passed)) % _TOLD == 0:
            told(len(notes) + len(passed))
        if len(notes) + len(passed) > MAX_FILES:
            raise _too_much(place, f"{MAX_FILES:,} files")
        if total > MAX_BYTES:
            raise _too_much(place, f"{MAX_BYTES // 1024 // 1024} MiB of notes")
    if not notes:
        what = " or ".join(ENDINGS)
        raise InvalidDocumentError(
            f"{place} holds no note: no file ends in {what} and can be read",
            hint="doll import --detect says what a folder is",
        )
    main, *_ = sorted(notes)
    data = notes.pop(main)
    return Document(folder_name(place), data, notes, main, tuple(sorted(passed)))


def notes_below(place: Path) -> Iterator[str]:
    """Yield the paths of the notes below a folder without reading them; nothing of a vault."""
    for found in _walk(place):
        if found.kind == "note":
            yield found.path


def source_key(place: Path) -> str:
    """Return the key of a source that the user does not name: its folder's name.

    It is the same for a note alone as for the folder that it lies in, so that either recognises
    what the other brought.
    """
    folder = place if place.is_dir() else Path(os.path.abspath(place)).parent  # noqa: PTH100
    return folder_name(folder) or place.name


def _walk(place: Path) -> Iterator[Passed]:
    """Yield what lies below a folder, folders that are passed over as one."""
    open_folders = [""]
    while open_folders:
        below = open_folders.pop()
        try:
            with os.scandir(place / below) as found:
                entries = sorted(found, key=lambda each: each.name)
        except OSError as error:
            if not below:
                hint = "check its permissions"
                raise InvalidDocumentError(f"{place}: {error.strerror}", hint=hint) from error
            yield Passed(below, "unreadable", f"the folder cannot be read: {error.strerror}")
            continue
        for entry in entries:
            path = f"{below}/{entry.name}" if below else entry.name
            kind, reason = _judged(entry, path)
            if kind == "folder":
                open_folders.append(path)
            else:
                yield Passed(path, kind, reason)


def _judged(entry: "os.DirEntry[str]", path: str) -> tuple[str, str]:
    """Return what an entry is, and why it is not read: "" for a note, or a folder to look into."""
    is_folder = entry.is_dir(follow_symlinks=False)
    if entry.is_symlink():
        return "symlink", "a symbolic link; what it leads to is not read"
    if entry.name.startswith("."):
        return "hidden", "its name begins with a dot"
    if len(os.fsencode(path)) > MAX_PATH or path.count("/") >= MAX_DEPTH:
        return "too deep", f"its path has more than {MAX_PATH:,} bytes or {MAX_DEPTH} levels"
    if is_folder:
        if (Path(entry.path) / MARKER).is_file():
            return "vault", "a doll vault: its records are there already"
        return "folder", ""
    if not entry.is_file(follow_symlinks=False):
        return "special", "a pipe or a device, and no file"
    if not entry.name.lower().endswith(ENDINGS):
        return "attachment", "no Markdown"
    return "note", ""


def _read(place: Path, path: str) -> bytes | Passed:
    """Return the bytes of a note, or why it is passed over."""
    if not _is_unicode(path):
        return Passed(path, "not UTF-8", "its name is no UTF-8")
    try:
        if (place / path).lstat().st_size > MAX_FILE_BYTES:
            return Passed(path, "too large", f"it has more than {_LARGEST}")
        data = read_file(place / path, MAX_FILE_BYTES, instead=_INSTEAD, follow=False)
    except (InvalidDocumentError, UsageError, OSError):
        return Passed(path, "unreadable", "it cannot be read; check its permissions")
    if data.startswith(_PACKED):
        return Passed(path, "binary", _BINARY)
    if not _is_utf8(data):
        return Passed(path, "not UTF-8", "its bytes are no UTF-8 text; convert it with iconv")
    return data


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _shown(path: str) -> str:
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def vault_of(place: Path) -> Path | None:
    """Return the vault that a place is, or in whose folders of records it lies; None for others."""
    named = Path(os.path.abspath(place))  # noqa: PTH100 - as the user named it, links included
    for whole in (named, place.resolve()):
        if (whole / MARKER).is_file():
            return whole
        inside = whole
        for above in whole.parents:
            if (above / MARKER).is_file() and inside.name in (*AREAS, OWN):
                return above
            inside = above
    return None


def _vault(place: Path, root: Path) -> UsageError:
    named = shlex.quote(str(root))
    return UsageError(
        f"{place} belongs to the doll vault {root}: its records need no import",
        hint=f"look into it with: doll list --vault {named}\n"
        f"to take its memories to another vault: doll export pam --all --vault {named}\n"
        "and there: doll import pam FILE",
    )


def _too_much(place: Path, what: str) -> InvalidDocumentError:
    hint = "import its folders one by one"
    return InvalidDocumentError(f"{place} holds more than {what}; nothing was written", hint=hint)
