"""What a doll left behind: temporary files, texts of an editor, the heartbeat of a dead watcher."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from doll.errors import Problem
from doll.records.digest import sha256
from doll.records.names import fold
from doll.services.diagnosing.subject import Subject
from doll.services.editing import copies
from doll.vault import files, layout, leftovers
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
    paths = {fold(found.path.rpartition("/")[2]): found.path for found in subject.on_disk.files}
    for place in sorted((subject.vault.state / leftovers.EDITS).glob("*/*.md")):
        data, base = _text(place), place.parent.name.partition("-")[0]
        if data is None or sha256(data) == base:
            continue
        path = paths.get(fold(place.name))
        now = None if path is None else _text(subject.vault.root / path)
        if data == now:
            continue
        message = "the text of an edit that was not written into its record"
        lines = "\n".join(_ways(subject, place, path, now))
        hint = f"{lines}\nrm -r -- {typed(str(place.parent))}    throws it away"
        yield Problem(str(place), 0, 0, "state.edit", message, "warning", hint)


def _ways(subject: Subject, place: Path, path: str | None, now: bytes | None) -> Iterator[str]:
    """Yield the lines that go on with a kept text; only the newest one of its record resumes."""
    if path is None or now is None:
        yield f"cat -- {typed(str(place))}    shows it; its record is gone"
        return
    name = typed(layout.record_id(path))
    newest = copies.kept(subject.vault.state, place.name, now)[:1]
    if newest == [copies.Copy(place, sha256(now))]:
        yield f"doll edit {name} --resume    goes on with it"
        return
    record = typed(str(subject.vault.root / path))
    yield f"diff -- {record} {typed(str(place))}    shows how it differs from the record of today"
    yield f"doll edit {name}    to take over what you want of it"


def _text(place: Path) -> bytes | None:
    with suppress(OSError):
        return files.read(place.parent, place.name)
    return None
