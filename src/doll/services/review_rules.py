"""Rules of a review: what entered `confirmed/` or `experience/` is what was reviewed.

Judged where a record first enters, against HEAD; afterwards a person may edit confirmed memory.
"""

from collections.abc import Callable, Iterable

from doll.errors import ConflictError, Problem
from doll.records.digest import blob_id, sha256
from doll.records.model import Record
from doll.records.splice import splice
from doll.services.opening import Vault
from doll.vcs import plumbing

Reader = Callable[[str], bytes]

REVIEW_FIELDS = ("reviewed_by", "reviewed_at", "reviewed_sha256")


def fresh_review_problems(vault: Vault, records: Iterable[Record], read: Reader) -> list[Problem]:
    """Return what is wrong with the reviews of records that HEAD does not have yet.

    Their bytes without the three `reviewed_*` lines have the reviewed digest, and HEAD holds just
    these bytes under `staging/`. `read` gives the bytes of a path.
    """
    reviewed = [
        record
        for record in records
        if record.fields.reviewed_sha256 is not None
        and record.fields.origin != "user"
        and not record.path.startswith("staging/")
    ]
    if not reviewed:
        return []
    tree = plumbing.tree(vault.repository, vault.head, [vault.in_git("staging")])
    staged = {item.oid for item in tree}
    faults = (_fault(vault, record, read(record.path), staged) for record in reviewed)
    return [fault for fault in faults if fault is not None]


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
        return Problem(*at, message, hint="git mv it back to staging/, then `doll review approve`")
    if blob_id(reviewed, vault.repository.algorithm) not in staged:
        message = "HEAD has no candidate with the reviewed bytes under staging/"
        return Problem(*at, message, hint="commit the import first, then review it")
    return None
