"""What enters `confirmed/`, and what is imported into `experience/`, was reviewed.

Judged in the commit where the record enters: no parent has it. Its bytes without the three
`reviewed_*` lines have the reviewed digest, and a parent holds just these bytes under `staging/`.
Moves and renames inside `confirmed/` are edits, and a person may edit confirmed memory.
"""

import re
from collections import Counter
from collections.abc import Iterator

from doll.errors import ConflictError
from doll.records.codec import UnreadableError, values_of
from doll.records.digest import blob_id, sha256
from doll.records.frontmatter import Value
from doll.records.names import fold
from doll.services.checking.kept import FILES
from doll.services.checking.review_rules import before_review
from doll.services.verifying.faults import Fault, fault
from doll.services.verifying.ground import Ground
from doll.vault.layout import is_record, record_id
from doll.vcs.plumbing.history import Step
from doll.vcs.plumbing.index import Change

_END = re.compile(rb"^---[ \t]*\r?$", re.MULTILINE)
_OTHERS = re.compile(
    rb"^[ \t'\"]*origin['\"]?[ \t]*:[ \t]*['\"]?(?:import|model|system)", re.MULTILINE
)
_USER = re.compile(rb"^origin: user[ \t]*\r?$", re.MULTILINE)


def review_faults(step: Step, ground: Ground) -> Iterator[Fault]:
    """Yield a fault for each record that enters in a commit without its review."""
    entering = dict(_entering(step))
    contents = ground.contents.read(entering.values())
    for path, oid in entering.items():
        data = contents.get(oid, b"")
        if is_users(data):
            continue
        found = _fault(step, path, data, ground)
        if found is not None and not _was_there(step, path, oid, ground):
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


def _fault(step: Step, path: str, data: bytes, ground: Ground) -> Fault | None:
    try:
        values = values_of(data)
    except UnreadableError:
        if not _OTHERS.search(data):
            return None
        message = "brings in this file, which says that it is not the user's and cannot be read"
        return fault(step, path, "review.missing", message)
    origin = values.get("origin") or "user"
    if origin == "user" or (path.startswith("experience/") and origin != "import"):
        return None
    said = values.get("reviewed_sha256")
    if said is None:
        message = f"brings in this record (origin {origin}) without a review"
        return fault(step, path, "review.missing", message, _line(data, b"origin"))
    if message := _difference(step, data, said, ground):
        at = _line(data, b"reviewed_sha256")
        return fault(step, path, "review.digest", f"brings in this record, {message}", at)
    return None


def _difference(step: Step, data: bytes, said: Value, ground: Ground) -> str:
    """Return how a record differs from what was reviewed, "" where it does not."""
    try:
        reviewed = before_review(data)
    except ConflictError:
        return "in a form whose review cannot be told"
    if sha256(reviewed) != said:
        return "and its text is not the one that was reviewed"
    if not _was_staged(step, blob_id(reviewed, ground.algorithm), ground):
        return "and no parent has the reviewed bytes under staging/"
    return ""


def _line(data: bytes, key: bytes) -> int:
    """Return the line of the front matter that says a key, else 1."""
    found = re.search(rb"^[ \t'\"]*" + key, data, re.MULTILINE)
    return data.count(b"\n", 0, found.start()) + 1 if found else 1


def _was_staged(step: Step, oid: str, ground: Ground) -> bool:
    """Return whether a parent holds a blob under `staging/`."""
    went = {change.old_oid for change in _changes(step, "staging/") if change.status != "A"}
    return oid in went or any(oid in ground.staged(parent) for parent in step.parents)


def _was_there(step: Step, path: str, oid: str, ground: Ground) -> bool:
    """Return whether a parent had the record under this id or an alias, or it comes back."""
    if not path.startswith("confirmed/"):
        return False
    gone = {
        fold(record_id(change.path))
        for change in _changes(step, "confirmed/")
        if change.status == "D" and is_record(change.path)
    }
    names = _names(path, ground.contents.read([oid]).get(oid, b"")) if gone else set()
    return not gone.isdisjoint(names) or ground.earlier.left(oid, step.commit)


def _names(path: str, data: bytes) -> set[str]:
    """Return the folded id and aliases of a record."""
    try:
        said = values_of(data).get("aliases")
    except UnreadableError:
        said = None
    aliases = [said] if isinstance(said, str) else said if isinstance(said, list) else []
    return {fold(record_id(path)), *(fold(each) for each in aliases if isinstance(each, str))}


def _changes(step: Step, folder: str) -> Iterator[Change]:
    return (c for side in step.sides for c in side if c.path.startswith(folder))
