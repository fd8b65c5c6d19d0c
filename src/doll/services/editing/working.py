"""Moving a work item along: its status is spliced, and every other byte is kept.

Only the user does it, by the ways that `records.work_items` has. Experience never does.
"""

import shlex
from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

from doll.errors import ConflictError, UsageError
from doll.records.codec import parse
from doll.records.digest import blob_id
from doll.records.model import Record, WorkItem, with_article
from doll.records.splice import splice
from doll.records.work_items import VERBS, ends_block, open_ways
from doll.services.checking.declarations import declare
from doll.services.committing import require_committable
from doll.services.editing.against_head import at_head, earlier_changes
from doll.services.opening import Vault
from doll.services.reading import finding, referring
from doll.services.reading.referring import Known
from doll.services.recording import screening, writing
from doll.services.recording.authorship import require_user
from doll.services.recording.counting import branch_notes
from doll.services.recording.wording import one_line
from doll.services.recording.writing import Manner, Written
from doll.services.staged_texts import refuse_staged_text
from doll.services.uncommitted import along
from doll.services.writer import writing as writer_lock
from doll.vault import files


class Worked(NamedTuple):
    """A work item that was to be moved from `before` to `after`.

    `changed` is False where its file said so already. `pending` tells whether the file differs
    from HEAD now. `written` is the record as it stands, with its commit where one was made.
    """

    before: str
    after: str
    changed: bool
    pending: bool
    written: Written


def work(vault: Vault, verb: str, name: str, manner: Manner, reasons: Sequence[str] = ()) -> Worked:
    """Move a work item along by a verb of `work_items.VERBS`; `reasons` are for `block`.

    One that is there already stays as it is; a new reason is added. Raises UsageError (no such
    work item), ConflictError (a model at work, no way from here, a secret in a reason, changed on
    disk), InvalidDocumentError (it cannot be read), BusyError: then nothing was changed. GitError
    when the commit failed.
    """
    require_user(manner.author, "move a work item along", f"the user types: doll work {verb} ID")
    said = [one_line(reason, "--reason") for reason in reasons]
    allowed = screening.allowed_places(manner.not_a_secret, manner.author)
    screening.screen({"blocked_by": said}, allowed)
    if manner.commit:
        require_committable(vault.repository)
    with writer_lock(vault):
        known = referring.load(vault)
        data, record = _work_item(finding.read(vault, finding.find(vault, known, name)))
        after = _changed(data, record, verb, said)
        refuse_staged_text(vault, [record.path])
        notes = [*_notes(vault, record, data, commit=manner.commit)]
        if verb in ("start", "done"):
            notes += _waiting(known, record)
        beside = along(vault, known, record, commit=manner.commit)
        if after != data:
            declare(vault, after, allowed)
            files.replace(vault.root, record.path, after, record.digest)
        pending = at_head(vault, record.path) != blob_id(after, vault.repository.algorithm)
        written = _written(after, record, verb, screening.trailers(allowed))
        if pending:
            notes += beside.notes
            written = written._replace(notes=tuple(notes), along=beside.paths)
        if manner.commit and pending:
            written = writing.committed(vault, written)
        before = cast("WorkItem", record.fields).status
        return Worked(before, VERBS[verb].target, after != data, pending, written)


def _work_item(read: tuple[bytes, Record, str]) -> tuple[bytes, Record]:
    data, record, _ = read
    if record.type != "work-item" or not record.path.startswith("authority/"):
        raise UsageError(
            f"ID: {record.id} is {with_article(record.type)} and no work item",
            hint="doll list --type work-item    shows them",
        )
    return data, record


def _changed(data: bytes, record: Record, verb: str, reasons: Sequence[str]) -> bytes:
    """Return the file as the verb makes it, the same bytes where nothing changes."""
    fields = cast("WorkItem", record.fields)
    target = VERBS[verb].target
    if fields.status != target:
        if fields.status not in VERBS[verb].sources:
            raise _no_way(record, fields.status, verb)
        data = splice(data, {"status": target})
    if ends_block(fields.status, target) and fields.blocked_by:
        data = splice(data, {"blocked_by": None})
    if new := [reason for reason in reasons if reason not in fields.blocked_by]:
        data = splice(data, {"blocked_by": [*fields.blocked_by, *dict.fromkeys(new)]})
    return data


def _no_way(record: Record, status: str, verb: str) -> ConflictError:
    ways = open_ways(status)
    name = shlex.quote(record.id)
    lines = [f"doll work {word} {name}    makes it {state}" for word, state in ways]
    closed = f"a {status} work item stays so; doll new work-item … begins another"
    return ConflictError(
        f"{record.id} is {status}, and no way leads from there to {VERBS[verb].target}; "
        "nothing was changed",
        hint="\n".join(lines) or closed,
    )


def _written(data: bytes, record: Record, verb: str, trailers: Sequence[str]) -> Written:
    parsed = parse(data, record.path, record.id, record.type)
    assert parsed.record is not None, "a splice that does not read back is refused"
    subject = writing.bounded(f"work: {verb} {record.id}")
    return Written(parsed.record, parsed.body, None, subject, tuple(trailers), ())


def _notes(vault: Vault, record: Record, data: bytes, *, commit: bool) -> Iterator[str]:
    yield from branch_notes(vault)
    yield from earlier_changes(vault, record.path, data, commit=commit)


def _waiting(known: Known, record: Record) -> Iterator[str]:
    """Yield what the work item depends on and is not completed; preflight stops on that."""
    for name in cast("WorkItem", record.fields).depends_on:
        for other in known.named(name):
            if isinstance(other.fields, WorkItem) and other.fields.status != "completed":
                yield f"it depends on {other.id}, which is {other.fields.status}"
