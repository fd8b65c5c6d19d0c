"""Rules of a review: what entered `confirmed/` or `experience/` is what was reviewed.

Judged where a record first enters, against HEAD; afterwards a person may edit confirmed memory.
"""

import shlex
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from doll.errors import ConflictError, Problem
from doll.records.codec import UnreadableError, values_of
from doll.records.digest import blob_id, sha256
from doll.records.limits import MAX_FILE_BYTES
from doll.records.model import Record
from doll.records.names import fold
from doll.records.splice import splice
from doll.services.opening import Vault
from doll.vault.layout import is_record, record_id
from doll.vault.typed import moving
from doll.vcs import plumbing

Reader = Callable[[str], bytes]


class Entering(NamedTuple):
    """A reviewed record that enters; `was` is where HEAD has its review, "" for nowhere."""

    record: Record
    was: str = ""


_CONFIRMED = "confirmed/"
REVIEW_FIELDS = ("reviewed_by", "reviewed_at", "reviewed_sha256")


def entering(
    vault: Vault, records: Iterable[Record], head: Mapping[str, str], gone: Iterable[str]
) -> list[Entering]:
    """Return the reviewed records that HEAD does not have under this review.

    `records` are new or changed, `head` gives the blob ids of their paths at HEAD, `gone` are the
    paths of HEAD that go: a record that is edited or renamed (`renamed_from`) keeps its review.
    """
    reviewed = [record for record in records if _is_reviewed(record)]
    if not reviewed:
        return []
    homes = {record.path for record in reviewed if record.path in head}
    homes |= {path for path in gone if is_record(path) and not path.startswith("staging/")}
    oids = [head[path] for path in sorted(homes)]
    blobs = plumbing.blobs(vault.repository, oids, MAX_FILE_BYTES)
    known = {path: _digest(blobs[head[path]]) for path in sorted(homes)}
    found = []
    for record in reviewed:
        digest = record.fields.reviewed_sha256
        left = sorted(path for path in gone if path in known and known[path] == digest)
        is_edit = known.get(record.path) == digest
        if not is_edit and not renamed_from(record.path, record.fields.aliases, left):
            found.append(Entering(record, left[0] if left else ""))
    return found


def renamed_from(path: str, aliases: Iterable[str], gone: Iterable[str]) -> list[str]:
    """Return those of the paths that go at which the record at `path` was before.

    In `confirmed/` its id or one of its aliases names them. By that alone a rename is told, here
    and in history: the bytes may change with it.
    """
    if not path.startswith(_CONFIRMED):
        return []
    names = {fold(record_id(path)), *map(fold, aliases)}
    return [
        each
        for each in gone
        if each.startswith(_CONFIRMED) and is_record(each) and fold(record_id(each)) in names
    ]


def review_problems(vault: Vault, records: Iterable[Entering], read: Reader) -> list[Problem]:
    """Return what is wrong with the reviews of entering records.

    Their bytes without the three `reviewed_*` lines have the reviewed digest, and HEAD holds just
    these bytes under `staging/`. `read` gives the bytes of a path.
    """
    reviewed = list(records)
    if not reviewed:
        return []
    tree = plumbing.tree(vault.repository, vault.head, [vault.in_git("staging")])
    staged = {item.oid for item in tree}
    faults = ((_fault(vault, record, read(record.path), staged), was) for record, was in reviewed)
    return [_renamed(fault, was) if was else fault for fault, was in faults if fault is not None]


def _renamed(problem: Problem, was: str) -> Problem:
    """Return the problem of a record that was renamed without keeping its old id as an alias."""
    message = f"this was {was}, and no alias says so: it counts as a new record without a review"
    old, new = (shlex.quote(record_id(path)) for path in (was, problem.path))
    back = moving(problem.path, was)
    return problem._replace(message=message, hint=f"{back}\ndoll mv -- {old} {new}")


def _is_reviewed(record: Record) -> bool:
    fields = record.fields
    reviewed = fields.reviewed_sha256 is not None and fields.origin != "user"
    return reviewed and not record.path.startswith("staging/")


def _digest(data: bytes) -> object:
    try:
        return values_of(data).get("reviewed_sha256")
    except UnreadableError:
        return None


def before_review(data: bytes) -> bytes:
    """Return the bytes that were reviewed: a record's file without its `reviewed_*` lines."""
    return splice(data, dict.fromkeys(REVIEW_FIELDS))


def _fault(vault: Vault, record: Record, data: bytes, staged: set[str]) -> Problem | None:
    at = (record.path, record.line("reviewed_sha256"), 1, "review.digest")
    try:
        reviewed = before_review(data)
    except ConflictError as error:
        return Problem(*at, error.message, hint=error.hint)
    if sha256(reviewed) != record.fields.reviewed_sha256:
        message = "the text is not what was reviewed: its digest is another"
        return Problem(
            *at, message, hint="move it back to staging/ and commit that, then: doll review"
        )
    if blob_id(reviewed, vault.repository.algorithm) not in staged:
        message = "HEAD has no candidate with the reviewed bytes under staging/"
        return Problem(*at, message, hint="commit the import first, then review it")
    return None
