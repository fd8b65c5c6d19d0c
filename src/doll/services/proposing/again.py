"""A proposal that was made before: nothing is written, and what became of it is said."""

import shlex

from doll.errors import ConflictError
from doll.records.codec import parse
from doll.records.digest import blob_id
from doll.records.model import Record
from doll.services.opening import Vault
from doll.services.proposing.naming import Standing, standing
from doll.services.recording.writing import Draft, Manner, Written, bounded, committed, said_by
from doll.services.reviewing import candidates
from doll.vault import files
from doll.vault.entries import parse_file
from doll.vault.layout import record_id


def made_before(vault: Vault, draft: Draft, manner: Manner) -> Written | None:
    """Return what became of a proposal that was made before, None for a new one.

    One that waits and is not committed yet is committed where that is wanted. Raises ConflictError
    when what stands in its place cannot be read, GitError.
    """
    there = standing(vault, draft.path, candidates.approved(vault))
    if there.state == "new":
        return None
    data, record = _read(vault, there.path)
    body = parse(data, record.path, record.id, record.type).body
    oid = blob_id(data, vault.repository.algorithm)
    at_head = candidates.at_head(vault, [there.path]).get(there.path)
    written = Written(
        record=record,
        body=body,
        commit=None,
        subject=bounded(draft.subject),
        trailers=said_by(manner.author),
        notes=(_note(there),),
        state=there.state,
        pending=not candidates.is_committed(at_head, oid),
    )
    waits = there.state == "there already" and written.pending
    return committed(vault, written) if manner.commit and waits else written


def _read(vault: Vault, path: str) -> tuple[bytes, Record]:
    try:
        data = files.read(vault.root, path)
        record, _ = parse_file(data, path)
    except OSError:
        record = None
    if record is None:
        raise ConflictError(
            f"{path} stands in its place and cannot be read; nothing was written",
            hint="doll validate    says what is wrong with it",
        )
    return data, record


def _note(there: Standing) -> str:
    if there.state == "approved":
        return f"it was proposed and approved before: {there.path}"
    if there.state == "rejected":
        because = f": {there.reason}" if there.reason else ""
        return f"the user rejected it{because}; it is not proposed again"
    name = shlex.quote(record_id(there.path))
    return f"it was proposed before, and waits for review: doll review show {name}"
