"""Putting an export and its loss report where the user wants them: whole, or not at all.

Never over a file that is no earlier export, unless the user insists, and never among records.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path

from doll.errors import ConflictError, DollError, StorageError, UsageError
from doll.interchange.pam.exported_store import BEGINNING, EXPORTED_BY
from doll.records.digest import sha256
from doll.render.export_markdown import BEGINNING as REPORT_BEGINNING
from doll.vault import files, layout, leftovers
from doll.vault.typed import typed

LOSS = ".loss.md"
_HEAD = 4096
_FORCE = "choose another name, or --force replaces it"


def check(out: Path, root: Path, base: Path | None, *, force: bool) -> None:
    """Raise unless both files may be written.

    UsageError for a place that no export belongs in, ConflictError for a file that is another
    thing.
    """
    _check_place(out, root)
    if base is not None and out.exists() and base.exists() and out.samefile(base):
        raise UsageError(
            "--out is the export that --base names, which the new one needs beside it",
            hint="choose another name",
        )
    for place in (out, loss_path(out)):
        _check_file(place, report=place != out, force=force)


def write(out: Path, data: bytes, loss: bytes, *, force: bool) -> None:
    """Write both; the loss report first, so that no export is ever without it.

    Raises what `check` does for files that came meanwhile, and StorageError. Where the export
    cannot be written, the loss report is again what it was.
    """
    report = loss_path(out)
    _check_file(report, report=True, force=force)
    _check_file(out, report=False, force=force)
    leftovers.remove_dead(out.parent.resolve())
    before = _put(report, loss)
    try:
        _put(out, data)
    except BaseException:
        folder = report.parent.resolve()
        with suppress(DollError):
            if before is None:
                files.remove(folder, report.name, sha256(loss))
            else:
                files.replace(folder, report.name, before, sha256(loss))
        raise


def _put(place: Path, data: bytes) -> bytes | None:
    """Write a file, in place of the one that is there; return what that held, None for none."""
    folder = place.parent.resolve()
    try:
        before = files.read(folder, place.name)
    except FileNotFoundError:
        files.create(folder, place.name, data)
        return None
    except OSError as error:
        raise StorageError(f"{place} cannot be read: {error.strerror}") from error
    files.replace(folder, place.name, data, sha256(before))
    return before


def loss_path(out: Path) -> Path:
    """Return where the loss report of an export lies: beside it."""
    return out.with_name(out.name + LOSS)


def _making(folder: Path) -> str:
    """Return the line that makes a folder, from wherever it is typed."""
    folder = folder.absolute()
    there = next(each for each in (folder, *folder.parents) if os.path.lexists(each))
    if not there.is_dir():
        return f"name a place in a folder: {there} is none"
    return f"mkdir -p -- {typed(str(folder))}"


def _check_place(out: Path, root: Path) -> None:
    if not out.name or not out.parent.is_dir():
        where = out.parent if out.name else out
        raise UsageError(f"there is no folder {where} to write into", hint=_making(where))
    place = out.parent.resolve() / out.name
    inside = place.relative_to(root.resolve()) if place.is_relative_to(root.resolve()) else None
    first = inside.parts[0].casefold() if inside else ""
    if first in (*layout.AREAS, ".doll", ".git", layout.MARKER):
        raise UsageError(
            f"--out {out} lies in {first} of the vault, where an export does not belong",
            hint="choose a place outside the vault",
        )


def _check_file(place: Path, *, report: bool, force: bool) -> None:
    try:
        status = place.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISREG(status.st_mode):
        kind = "a symbolic link" if stat.S_ISLNK(status.st_mode) else "no regular file"
        hint = "choose another name; without --out the export goes to stdout"
        raise UsageError(f"{place} is {kind}", hint=hint)
    if not force and not _is_ours(place, report=report):
        what = "loss report of doll's" if report else "export of doll's"
        raise ConflictError(f"{place} is there and is no {what}; nothing was written", hint=_FORCE)


def _is_ours(place: Path, *, report: bool) -> bool:
    try:
        descriptor = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            head = file.read(_HEAD).decode("utf-8", "replace")
    except OSError:
        return False
    if report:
        return head.startswith(REPORT_BEGINNING)
    return head.startswith(BEGINNING) and EXPORTED_BY in head
