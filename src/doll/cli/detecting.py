"""`doll import --detect`: what a place is, why, and the line to type. Reads, and no more."""

import shlex
from collections.abc import Container, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from doll.cli.archives import is_archive, read_archive
from doll.cli.note_sources import notes_below, vault_of
from doll.cli.sources import read_file
from doll.errors import InvalidDocumentError, UsageError
from doll.interchange import detecting, registry
from doll.interchange.detecting import Sign
from doll.interchange.markdown.adapter import OBSIDIAN
from doll.interchange.markdown.agent_files import is_agent_file
from doll.interchange.strict_json import MAX_BYTES
from doll.render.text import count, visible
from doll.secrets import mask
from doll.vault.layout import MARKER

SCHEMA = "doll.import-detect/1"

_INSTEAD = "give a file or a folder"
_MANY = 1000
_JSON_FILES = 20
_OWN = {"engram": ("SKILL.md",), "projectmem": ("summary.md",)}
_SUMMARIES = ("summary.md", ".projectmem/summary.md")


class Detected(NamedTuple):
    """What a place is: its signs, the likeliest first, each with the place that it is about."""

    place: Path
    signs: tuple[tuple[Path, Sign], ...]


def detect(place: Path) -> Detected:
    """Return what a file or folder is; UsageError where there is none.

    InvalidDocumentError for a place that is neither, or cannot be read.
    """
    return Detected(place, tuple(_signs(place)))


def payload(found: Detected) -> dict[str, object]:
    """Return the content of the JSON document; secrets are masked."""
    signs = [
        {
            "kind": sign.kind,
            "what": sign.what,
            "why": mask(sign.why),
            "adapter": sign.adapter or None,
            "command": mask(_line(sign, where)) or None,
            "note": sign.note,
        }
        for where, sign in found.signs
    ]
    return {"path": mask(str(found.place)), "found": signs}


def lines(found: Detected) -> Iterator[str]:
    """Yield what it is in words; what is foreign is escaped, and secrets masked."""
    shown = visible(mask(str(found.place)))
    if not found.signs:
        yield f"{shown}: nothing that doll knows; it reads {', '.join(registry.ADAPTERS)}"
    for number, (where, sign) in enumerate(found.signs):
        yield f"{shown}: {'also ' if number else ''}{sign.what}"
        yield f"  since {visible(mask(sign.why))}"
        if sign.note:
            yield f"  {sign.note}"
        if line := _line(sign, where):
            yield f"  to type: {visible(mask(line))}"


def _line(sign: Sign, where: Path) -> str:
    """Return the line to type, "" where nothing imports it."""
    place = str(where) if not str(where).startswith("-") else f"./{where}"
    if sign.kind == "doll-vault":
        return f"doll list --vault {shlex.quote(place)}"
    if not sign.adapter:
        return ""
    words = [f"doll import {sign.adapter}", shlex.quote(place), *sign.options]
    return " ".join(words)


def _signs(place: Path) -> Iterator[tuple[Path, Sign]]:
    if place.exists() and (root := vault_of(place)):
        why = f"{root} holds {MARKER}"
        note = "its records need no import; doll export pam takes them to another vault"
        yield root, Sign("doll-vault", "a doll vault, or a part of one", why, note=note)
        return
    if place.is_dir():
        yield from _of_folder(place)
        return
    data = read_file(place, MAX_BYTES, instead=_INSTEAD)
    if is_archive(data):
        yield from ((place, sign) for sign in _of_archive(place, data))
        return
    found = list(detecting.signs(place.name, data))
    if found and found[0].kind == "note" and (beside := _pack_beside(place)):
        yield place.parent, beside
    yield from ((place, sign) for sign in found)


def _of_archive(place: Path, data: bytes) -> Iterator[Sign]:
    try:
        document = read_archive(place.name, data, registry.LAYOUTS["pam"], MAX_BYTES)
    except InvalidDocumentError:
        note = "it holds no memory-store.json; unpack it, and look at what is in it"
        yield Sign("archive", "an archive", f"{place.name} begins as one", note=note)
        return
    for sign in detecting.signs(document.main, document.data):
        what = f"an archive of {sign.what}"
        yield sign._replace(kind=sign.kind.replace("pam-store", "pam-bundle"), what=what)


def _of_folder(place: Path) -> Iterator[tuple[Path, Sign]]:
    found = [*_stores(place), *_logs(place)]
    yield from found
    own = {path for _, sign in found for path in _OWN.get(sign.adapter, ())}
    yield from ((place, sign) for sign in _notes(place, own))


def _stores(place: Path) -> Iterator[tuple[Path, Sign]]:
    if (place / "engrams.yaml").is_file():
        pack = _pack_beside(place / "engrams.yaml")
        why = "it holds engrams.yaml"
        yield place, pack or Sign("engram-store", "a store of engrams", why, "engram")
    if sign := _one(place / "memory-store.json"):
        what = f"a folder with {sign.what}"
        yield place, sign._replace(kind=sign.kind.replace("pam-store", "pam-bundle"), what=what)
        return
    for path in islice(sorted(place.glob("*.json")), _JSON_FILES):
        sign = _one(path)
        if sign is not None and sign.adapter == "pam":
            yield path, sign._replace(what=f"a folder with {sign.what}")


def _pack_beside(place: Path) -> Sign | None:
    """Return what the folder of a file is where it is a pack of engrams."""
    names = ("engrams.yaml", "SKILL.md")
    if place.name not in names or not all((place.parent / name).is_file() for name in names):
        return None
    why = "it holds SKILL.md and engrams.yaml"
    return Sign("engram-pack", "a pack of engrams", why, "engram")


def _logs(place: Path) -> Iterator[tuple[Path, Sign]]:
    for path in registry.LAYOUTS["projectmem"].main:
        sign = _one(place / path)
        if sign is not None and sign.adapter == "projectmem":
            yield place, sign._replace(why=sign.why.replace("events.jsonl", path))
            return
    for path in _SUMMARIES:
        if (place / path).is_file() and (path != "summary.md" or place.name == ".projectmem"):
            note = "the log is ignored by git, so a clone has none; the summary is text and no more"
            options = ("--project", "ID", "--lossy")
            what = "a clone of a repository that projectmem watches, without its log"
            why = f"it holds {path} and no events.jsonl"
            yield place, Sign("projectmem-summary", what, why, "projectmem", options, note)
            return


def _notes(place: Path, own: Container[str]) -> Iterator[Sign]:
    """Yield what the notes of a folder make it; `own` are files of what else it is."""
    notes = list(islice((path for path in notes_below(place) if path not in own), _MANY + 1))
    if not notes:
        return
    number = f"more than {_MANY:,} notes" if len(notes) > _MANY else count(len(notes), "note")
    if (place / OBSIDIAN).is_dir():
        why = f"it holds {OBSIDIAN} and {number}"
        yield Sign("obsidian-vault", "an Obsidian vault", why, "markdown")
        return
    agents = sorted({name for path in notes if is_agent_file(name := path.rpartition("/")[2])})
    why = f"it holds {number}" + (f", among them {', '.join(agents)}" if agents else "")
    yield Sign("notes", "a folder of notes", why, "markdown")


def _one(place: Path) -> Sign | None:
    """Return the first sign of a file in a folder; a link is not followed."""
    try:
        data = read_file(place, MAX_BYTES, instead=_INSTEAD, follow=False)
    except (InvalidDocumentError, UsageError):
        return None
    return next(detecting.signs(place.name, data), None)
