"""What a doll left behind: temporary files, texts of an editor, the heartbeat of a dead watcher."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from doll.errors import Problem
from doll.records.digest import sha256
from doll.services.diagnosing.subject import Subject
from doll.vault import files, leftovers
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
        yield Problem("", 0, 0, "state.leftover", message, "note", "any doll that writes")
    yield from _texts(subject)


def _texts(subject: Subject) -> Iterator[Problem]:
    for place in sorted((subject.vault.state / "edits").glob("*/*.md")):
        data = _text(place)
        base = place.parent.name.partition("-")[0]
        if data is not None and sha256(data) != base:
            message = "the text of an edit that was not written into its record"
            name = typed(place.name.removesuffix(".md"))
            hint = (
                f"doll edit {name} --resume    goes on with it\n"
                f"rm -r -- {typed(str(place.parent))}    throws it away"
            )
            yield Problem(str(place), 0, 0, "state.edit", message, "warning", hint)


def _text(place: Path) -> bytes | None:
    with suppress(OSError):
        return files.read(place.parent, place.name)
    return None
