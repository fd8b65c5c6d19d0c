"""Stores and packs of engrams made for tests: small, and with whatever a test wants in them."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from doll.cli.sources import read_document
from doll.interchange.base import Decoded, Document, Options
from doll.interchange.engram.adapter import EngramAdapter
from doll.interchange.registry import LAYOUTS
from doll.records.model import Memory

STATEMENT = "Use blue-green deploys for the API service."


def engram(statement: str = STATEMENT, **changes: object) -> dict[str, object]:
    """Return an engram of profile 0.18 with some of the fields that the tool always writes."""
    made: dict[str, object] = {
        "id": "ENG-2026-0820-001",
        "version": 2,
        "status": "active",
        "consolidated": False,
        "type": "procedural",
        "scope": "project:demo",
        "visibility": "private",
        "statement": statement,
        "tags": ["deploy"],
        "activation": {"retrieval_strength": 0.7, "last_accessed": "2026-08-20"},
        "associations": [],
        "commitment": "leaning",
        "content_hash": hashlib.sha256(statement.encode()).hexdigest(),
        "sources": [{"scope": "project:demo", "session_id": None, "stored_at": "2026-08-20"}],
        **changes,
    }
    return made


def changed(**changes: object) -> dict[str, object]:
    """Return an engram with any value for its fields; "ABSENT" leaves one out."""
    made = {**engram(), **changes}
    return {name: value for name, value in made.items() if value != "ABSENT"}


def text(*entries: object, key: str = "engrams") -> bytes:
    """Return entries as a YAML file; JSON is YAML."""
    lines = "".join(f"  - {json.dumps(entry, ensure_ascii=False)}\n" for entry in entries)
    return f"{key}:\n{lines or '  []'}".encode()


def listed(*entries: object) -> bytes:
    """Return entries as a bare YAML list."""
    return "".join(f"- {json.dumps(entry, ensure_ascii=False)}\n" for entry in entries).encode()


def history(*ids: str) -> bytes:
    """Return a history that made these engrams."""
    events = (
        {"event": "engram_created", "engram_id": each, "timestamp": "2026-08-20T10:00:00Z"}
        for each in ids
    )
    return "".join(f"{json.dumps(event)}\n" for event in events).encode()


def document(
    *entries: object, companions: Mapping[str, bytes] | None = None, name: str = "store"
) -> Document:
    """Return a folder with these entries and other files."""
    return Document(name, text(*entries), companions or {}, "engrams.yaml")


def raw(data: bytes | str) -> Document:
    """Return an engrams.yaml of just these bytes."""
    return Document("engrams.yaml", data.encode() if isinstance(data, str) else data)


def decode(source: Document, project: str = "") -> Decoded:
    """Return what a document holds."""
    return EngramAdapter().decode(source, Options(project=project))


def pack(*entries: object, skill: str = "") -> Document:
    """Return a pack whose INTEGRITY is right."""
    said = skill or "---\nname: demo\nversion: 1.0.0\ncreator: ada\n---\n\n# demo\n"
    digest = hashlib.sha256(said.encode() + text(*entries)).hexdigest()
    files = {"SKILL.md": said.encode(), "INTEGRITY": f"sha256:{digest}\n".encode()}
    return document(*entries, companions=files, name="demo-pack")


def accounted(found: Decoded) -> int:
    """Return how many entries are accounted for, in every way that there is."""
    return len(found.candidates) + len(found.parked) + found.repeated + len(found.set_aside)


def write(folder: Path, source: Document) -> Path:
    """Write a document as the folder that it is read from."""
    for name, data in source.files:
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return folder


def real(foreign: Path, name: str) -> Document:
    """Return one of the real stores."""
    return read_document(foreign / "engram" / name, LAYOUTS["engram"], 10**8, instead="")


def memory(source: Document, index: int = 0) -> Memory:
    """Return the fields of one candidate, which is a memory."""
    fields = decode(source).candidates[index].fields
    assert isinstance(fields, Memory)
    return fields


def bodies(found: Decoded) -> Sequence[str]:
    """Return the bodies of the candidates in their order."""
    return [each.body for each in found.candidates]
