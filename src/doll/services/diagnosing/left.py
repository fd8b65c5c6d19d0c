"""What a doll left behind: temporary files, texts of an editor, the heartbeat of a dead watcher."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from doll.errors import Problem
from doll.records.digest import sha256
from doll.records.names import fold
from doll.services.diagnosing.subject import Subject
from doll.services.editing import copies, kept_lines
from doll.vault import files, layout, leftovers
from doll.vault.entries import parse_file
from doll.vault.obstacles import permitting
from doll.vault.typed import typed

_SHOWN = 10


def left_behind(subject: Subject) -> Iterator[Problem]:
    """Yield leftovers in the vault, then kept texts, each with what becomes of it."""
    found = leftovers.find(subject.vault.root)
    for path in found[:_SHOWN]:
        message = "left by a doll that was killed; the next command that writes removes it"
        hint = f"rm -r -- {typed(str(subject.vault.root / path))}    if no doll is running"
        yield Problem(path, 0, 0, "state.leftover", message, "note", hint)
    if len(found) > _SHOWN:
        message = f"+{len(found) - _SHOWN:,} more of them"
        yield Problem(
            "", 0, 0, "state.leftover", message, "note", "# any doll that writes removes them"
        )
    yield from _texts(subject)


def _texts(subject: Subject) -> Iterator[Problem]:
    folder = subject.vault.state / leftovers.EDITS
    if os.path.isdir(folder) and not os.access(folder, os.R_OK | os.X_OK):  # noqa: PTH112
        message = "the texts of an editor that are kept here cannot be looked at"
        yield Problem(str(folder), 0, 0, "state.edit", message, "warning", permitting(folder))
    found = sorted(folder.glob("*/*.md"))
    records = _records(subject) if found else {}
    for place in found:
        data, base = _text(place), place.parent.name.partition("-")[0]
        if data is None or sha256(data) == base:
            continue
        path = records.get(fold(place.name))
        now = None if path is None else _text(subject.vault.root / path)
        if data == now:
            continue
        message = "the text of an edit that was not written into its record"
        dropping = f"rm -r -- {typed(str(place.parent))}"
        if path is None or now is None:
            lines = [*_gone(subject, place, path), f"# {dropping}    throws the text away"]
        else:
            lines = [*_ways(subject, place, path, now), f"{dropping}    throws it away"]
        yield Problem(str(place), 0, 0, "state.edit", message, "warning", "\n".join(lines))


def _records(subject: Subject) -> dict[str, str]:
    """Return the paths of the records by their folded file names, those that they had as well."""
    entries = subject.vault.load(layout.LOCAL_AREAS).entries
    former = {
        fold(f"{alias}.md"): entry.path
        for entry in entries
        for alias in (entry.record.fields.aliases if entry.record else ())
    }
    return former | {fold(entry.path.rpartition("/")[2]): entry.path for entry in entries}


def _gone(subject: Subject, place: Path, path: str | None) -> Iterator[str]:
    """Yield the lines for a text whose record is gone, or stands where nothing reads it."""
    tracked = (p for p in subject.tracked if fold(p.rpartition("/")[2]) == fold(place.name))
    path = path or next((p for p in tracked if layout.area_of(p) in layout.LOCAL_AREAS), None)
    if path is not None:
        yield from kept_lines.comparing(subject.vault, path, place)
        return
    yield f"cat -- {typed(str(place))}    shows it; its record is gone"
    yield "# copy it to where the record belongs"


def _ways(subject: Subject, place: Path, path: str, now: bytes) -> Iterator[str]:
    """Yield the lines that go on with a kept text; only the newest one of its record resumes."""
    name = typed(layout.record_id(path))
    record = parse_file(now, path)[0]
    former = [f"{alias}.md" for alias in (record.fields.aliases if record else ())]
    kept = copies.kept(subject.vault.state, [path.rpartition("/")[2], *former], now)
    if kept[:1] == [copies.Copy(place, sha256(now))]:
        yield f"doll edit {name} --resume    goes on with it"
        return
    at = typed(str(subject.vault.root / path))
    yield f"diff -- {at} {typed(str(place))}    shows how it differs from the record of today"
    yield f"doll edit {name}    to take over what you want of it"


def _text(place: Path) -> bytes | None:
    with suppress(OSError):
        return files.read(place.parent, place.name)
    return None
