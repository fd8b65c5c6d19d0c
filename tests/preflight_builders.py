"""Records and inputs for tests of preflight, as values: no files."""

from datetime import UTC, datetime
from typing import Any

import msgspec

from doll.preflight import Entry, Inputs, Report, Request, evaluate
from doll.records.digest import sha256
from doll.records.model import FOLDERS, STRUCTS, Record, RecordType

AS_OF = datetime(2026, 8, 20, 12, 0, tzinfo=UTC)
EARLIER = "2026-08-01T10:00:00Z"

_REQUIRED: dict[RecordType, dict[str, Any]] = {
    "project": {"status": "active"},
    "work-item": {"project": "atlas", "status": "ready"},
    "decision": {"project": "atlas", "status": "accepted"},
    "procedure": {"project": "atlas", "status": "approved"},
    "policy": {"effect": "deny"},
    "permission": {"capability": "db.migrate", "mode": "allow"},
    "capability": {"risk": "low", "release": "available"},
    "memory": {},
    "experience": {
        "project": "atlas",
        "kind": "attempt",
        "assertion": "user_recorded",
        "at": EARLIER,
        "outcome": "failed",
    },
}


def record(record_type: RecordType, record_id: str, path: str = "", **fields: Any) -> Record:
    """Return a record with the required fields filled in; times may be given as text."""
    values = {**_REQUIRED[record_type], **fields}
    if record_type == "experience":
        values.setdefault("summary", f"about {record_id}")
    struct = msgspec.convert(values, STRUCTS[record_type], strict=False)
    folder = FOLDERS[record_type]
    if record_type == "experience":
        folder = f"{folder}/{values['project']}"
    path = path or f"{folder}/{record_id}.md"
    digest = sha256(repr((record_id, path, sorted(values.items()))).encode())
    name = values.get("title") or values.get("summary") or record_id
    lines = {field: number for number, field in enumerate(values, start=2)}
    return Record(record_id, path, record_type, digest, name, struct, lines)


def failure(record_id: str, *, committed: bool = True, path: str = "", **fields: Any) -> Entry:
    """Return an experience entry, a failure unless `outcome` says otherwise."""
    return Entry(record("experience", record_id, path, **fields), committed)


ATLAS = record("project", "atlas", aliases=["atlas-old"])
GARDEN = record("project", "garden")


def check(
    *records: Record | Entry, cap: int = 1000, as_of: datetime = AS_OF, **request: Any
) -> Report:
    """Evaluate a request (project atlas unless given) over two projects and `records`."""
    authority = [ATLAS, GARDEN, *(r for r in records if isinstance(r, Record))]
    entries = [r for r in records if isinstance(r, Entry)]
    asked = Request(**{"project": "atlas", **request})
    return evaluate(Inputs(authority=authority, experience=entries), asked, as_of, cap=cap)


def said(report: Report) -> list[tuple[str, str]]:
    """Return code and record of each finding that is listed."""
    return [(finding.code, finding.record) for finding in report.findings]
