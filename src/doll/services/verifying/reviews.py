"""What enters `confirmed/`, and what is imported into `experience/`, was reviewed.

Judged in the commit where the record enters: no parent has it. Its bytes without the three
`reviewed_*` lines have the reviewed digest, and a parent holds just these bytes under `staging/`.
Moves and renames inside `confirmed/` are edits, and a person may edit confirmed memory. An edit
after which what is not the user's has no review any more is a fault of its commit.
"""

import re
from collections.abc import Iterator, Mapping

from doll.errors import ConflictError
from doll.records.codec import UnreadableError, values_of
from doll.records.digest import blob_id, sha256
from doll.records.frontmatter import Value
from doll.services.checking.kept import FILES
from doll.services.checking.review_rules import before_review, renamed_from
from doll.services.verifying.faults import Fault, fault
from doll.services.verifying.ground import Ground
from doll.vault.layout import is_record
from doll.vcs.plumbing.history import Step
from doll.vcs.plumbing.index import Change

_END = re.compile(rb"^---[ \t]*\r?$", re.MULTILINE)
_OTHERS = re.compile(
    rb"^[ \t'\"]*origin['\"]?[ \t]*:[ \t]*['\"]?(?:import|model|system)", re.MULTILINE
)
_USER = re.compile(rb"^origin: user[ \t]*\r?$", re.MULTILINE)


def review_faults(step: Step, ground: Ground) -> Iterator[Fault]:
    """Yield a fault for each record that enters in a commit without its review, or loses it."""
    found = list(_new(step))
    contents = ground.contents.read(oid for _, oid, _ in found)
    for path, oid, there in found:
        data = contents.get(oid, b"")
        if is_users(data):
            continue
        if before := there or _moved_from(step, path, data):
            yield from _lost(step, path, data, before, ground)
        elif (wrong := _fault(step, path, data, ground)) and not _came_back(
            step, path, oid, ground
        ):
            yield wrong


def _new(step: Step) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield path, blob and earlier blobs of the records that no parent has so.

    Without earlier ones no parent has a file at the path: the record enters. What changes under
    `experience/` has a rule of its own.
    """
    needed = max(len(step.parents), 1)
    if len(step.sides) != needed:
        return
    seen: dict[tuple[str, str], list[Change]] = {}
    for side in step.sides:
        for change in side:
            if change.mode in FILES and change.path.startswith(("confirmed/", "experience/")):
                seen.setdefault((change.path, change.oid), []).append(change)
    for (path, oid), changes in seen.items():
        before = tuple(c.old_oid for c in changes if c.old_mode in FILES)
        changed = not before or (path.startswith("confirmed/") and oid not in before)
        if len(changes) == needed and changed and is_record(path):
            yield path, oid, before


def _lost(
    step: Step, path: str, data: bytes, before: tuple[str, ...], ground: Ground
) -> Iterator[Fault]:
    """Yield the fault of an edit after which a review is missing that was not missing before."""
    wrong = _missing(step, path, data, "leaves")
    if wrong is not None:
        contents = ground.contents.read(before)
        if not any(_missing(step, path, contents.get(oid, b""), "") for oid in before):
            yield wrong


def is_users(data: bytes) -> bool:
    """Return whether a record is by the user for certain, told without a parser.

    Whatever else says `origin`, or may say it by an escape, is left to the parser.
    """
    end = _END.search(data, data.find(b"\n") + 1)
    rest = _USER.sub(b"", data[: end.start()] if end else data, count=1)
    return b"origin" not in rest and b"\\" not in rest


def _missing(step: Step, path: str, data: bytes, does: str) -> Fault | None:
    """Return the fault of a record that is not the user's and has no review, None where it has."""
    try:
        values = values_of(data)
    except UnreadableError:
        if not _OTHERS.search(data):
            return None
        message = f"{does} this file, which says that it is not the user's and cannot be read"
        return fault(step, path, "review.missing", message)
    origin = _foreign(path, values)
    if not origin or values.get("reviewed_sha256") is not None:
        return None
    message = f"{does} this record (origin {origin}) without a review"
    return fault(step, path, "review.missing", message, _line(data, b"origin"))


def _foreign(path: str, values: Mapping[str, Value]) -> str:
    """Return the origin of a record that needs a review, "" for one that needs none."""
    origin = values.get("origin") or "user"
    is_free = origin == "user" or (path.startswith("experience/") and origin != "import")
    return "" if is_free else str(origin)


def _fault(step: Step, path: str, data: bytes, ground: Ground) -> Fault | None:
    """Return what is wrong with the review of a record that enters."""
    if found := _missing(step, path, data, "brings in"):
        return found
    try:
        values = values_of(data)
    except UnreadableError:
        return None
    said = values.get("reviewed_sha256")
    if not _foreign(path, values):
        return None
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


def _moved_from(step: Step, path: str, data: bytes) -> tuple[str, ...]:
    """Return the blobs that parents had under this id or an alias of it, at a path that goes."""
    if not path.startswith("confirmed/"):
        return ()
    gone = [c for c in _changes(step, "confirmed/") if c.status == "D" and is_record(c.path)]
    aliases = _aliases(data) if gone else ()
    left = renamed_from(path, aliases, [c.path for c in gone])
    return tuple(c.old_oid for c in gone if c.path in left)


def _came_back(step: Step, path: str, oid: str, ground: Ground) -> bool:
    return path.startswith("confirmed/") and ground.earlier.left(oid, step.commit)


def _aliases(data: bytes) -> list[str]:
    """Return the aliases of a record, none where it cannot be read."""
    try:
        said = values_of(data).get("aliases")
    except UnreadableError:
        said = None
    aliases = [said] if isinstance(said, str) else said if isinstance(said, list) else []
    return [each for each in aliases if isinstance(each, str)]


def _changes(step: Step, folder: str) -> Iterator[Change]:
    return (c for side in step.sides for c in side if c.path.startswith(folder))
