"""Logs of projectmem made for tests."""

import json
from datetime import UTC, datetime

from doll.interchange.base import Candidate, Decoded, Document, Options
from doll.interchange.projectmem.adapter import ProjectmemAdapter
from doll.records.model import Experience

AS_OF = datetime(2026, 8, 21, tzinfo=UTC)
TIME = "2026-08-20T14:32:05Z"


def event(summary: str = "round() each line", **changes: object) -> dict[str, object]:
    """Return a row; a change of "ABSENT" leaves its key out."""
    row = {"type": "note", "summary": summary, "id": "evt_0001", "timestamp": TIME, **changes}
    return {name: value for name, value in row.items() if value != "ABSENT"}


def line(row: object) -> bytes:
    """Return a row as the tool writes it: one line, keys sorted."""
    return json.dumps(row, sort_keys=True, ensure_ascii=False).encode()


def log(*rows: object) -> Document:
    """Return a log of rows; bytes stand as they are."""
    lines = [row if isinstance(row, bytes) else line(row) for row in rows]
    return Document("events.jsonl", b"".join(each + b"\n" for each in lines))


def decode(
    document: Document, *, lossy: bool = False, as_of: datetime = AS_OF, project: str = "shop"
) -> Decoded:
    """Return what a log holds for the project `shop`."""
    options = Options(project=project, lossy=lossy, as_of=as_of)
    return ProjectmemAdapter().decode(document, options)


def one(row: object) -> tuple[Candidate, Experience]:
    """Return the one candidate that a row makes, and its fields."""
    (candidate,) = decode(log(row)).candidates
    assert isinstance(candidate.fields, Experience)
    return candidate, candidate.fields


def accounted(found: Decoded) -> int:
    """Return how many rows are accounted for."""
    return len(found.candidates) + len(found.parked) + found.repeated
