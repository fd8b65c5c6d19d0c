"""What enters `confirmed/`, and what is imported into `experience/`, was reviewed.

Judged in the commit where the record enters: no parent has it. Its bytes without the three
`reviewed_*` lines have the reviewed digest, and a parent holds just these bytes under `staging/`.
Moves and renames inside `confirmed/` are edits, and a person may edit confirmed memory.
"""

import re
from collections import Counter
from collections.abc import Iterator

from doll.errors import ConflictError
from doll.records.digest import blob_id, sha256
from doll.records.model import Record
from doll.records.names import fold
from doll.services.checking.kept import FILES
from doll.services.checking.review_rules import before_review
from doll.services.verifying.faults import Fault, fault
from doll.services.verifying.ground import Ground
from doll.vault.entries import parse_file
from doll.vault.layout import is_record, record_id
from doll.vcs.plumbing.history import Step
from doll.vcs.plumbing.index import Change

_END = re.compile(rb"^---[ \t]*\r?$", re.MULTILINE)
_USER = re.compile(rb"^origin: user[ \t]*\r?$", re.MULTILINE)


def review_faults(step: Step, ground: Ground) -> Iterator[Fault]:
    """Yield a fault for each record that enters in a commit without its review."""
    entering = dict(_entering(step))
    contents = ground.contents.read(entering.values())
    for path, oid in entering.items():
        data = contents.get(oid, b"")
        record = None if is_users(data) else parse_file(data, path)[0]
        if record is None or not _needs_review(record):
            continue
        found = _fault(step, record, data, ground)
        if found is not None and not _was_there(step, record, oid, ground):
            yield found


def _entering(step: Step) -> Iterator[tuple[str, str]]:
    """Yield path and blob of the records where no parent has a file at their path."""
    needed = max(len(step.parents), 1)
    if len(step.sides) != needed:
        return
    seen = Counter(
        (change.path, change.oid)
        for side in step.sides
        for change in side
        if change.mode in FILES and change.old_mode not in FILES
    )
    for (path, oid), times in seen.items():
        if times == needed and path.startswith(("confirmed/", "experience/")) and is_record(path):
            yield path, oid


def is_users(data: bytes) -> bool:
    """Return whether a record is by the user for certain, told without a parser.

    Whatever else says `origin`, or may say it by an escape, is left to the parser.
    """
    end = _END.search(data, data.find(b"\n") + 1)
    rest = _USER.sub(b"", data[: end.start()] if end else data, count=1)
    return b"origin" not in rest and b"\\" not in rest


def _needs_review(record: Record) -> bool:
    origin = record.fields.origin
    return origin == "import" if record.path.startswith("experience/") else origin != "user"


def _fault(step: Step, record: Record, data: bytes, ground: Ground) -> Fault | None:
    said = record.fields.reviewed_sha256
    if said is None:
        message = f"brings in this record (origin {record.fields.origin}) without a review"
        return fault(step, record.path, "review.missing", message, record.line("origin"))
    at = record.line("reviewed_sha256")
    try:
        reviewed = before_review(data)
    except ConflictError:
        message = "brings in this record in a form whose review cannot be told"
        return fault(step, record.path, "review.digest", message, at)
    if sha256(reviewed) != said:
        message = "brings in this record, and its text is not the one that was reviewed"
        return fault(step, record.path, "review.digest", message, at)
    if not _was_staged(step, blob_id(reviewed, ground.algorithm), ground):
        message = "brings in this record, and no parent has the reviewed bytes under staging/"
        return fault(step, record.path, "review.digest", message, at)
    return None


def _was_staged(step: Step, oid: str, ground: Ground) -> bool:
    """Return whether a parent holds a blob under `staging/`."""
    went = {change.old_oid for change in _changes(step, "staging/") if change.status != "A"}
    return oid in went or any(oid in ground.staged(parent) for parent in step.parents)


def _was_there(step: Step, record: Record, oid: str, ground: Ground) -> bool:
    """Return whether a parent had the record under this id or an alias, or it comes back."""
    if not record.path.startswith("confirmed/"):
        return False
    names = {fold(record.id), *map(fold, record.fields.aliases)}
    gone = (change for change in _changes(step, "confirmed/") if change.status == "D")
    moved = any(is_record(c.path) and fold(record_id(c.path)) in names for c in gone)
    return moved or ground.earlier.left(oid, step.commit)


def _changes(step: Step, folder: str) -> Iterator[Change]:
    return (c for side in step.sides for c in side if c.path.startswith(folder))
