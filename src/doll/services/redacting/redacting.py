"""`doll redact`: one committed entry of experience with values replaced, in a commit of its own.

The user's act alone. It says what it cannot do: history, clones and other files hold the words.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from doll.errors import ConflictError, UsageError
from doll.records.checks import is_identity
from doll.records.codec import UnreadableError, values_of
from doll.records.digest import blob_id
from doll.records.model import Experience, Record, with_article
from doll.records.names import slug
from doll.services.identity import require_identity
from doll.services.opening import Vault
from doll.services.reading import finding, referring
from doll.services.recording import screening, writing
from doll.services.recording.authorship import require_user
from doll.services.recording.wording import one_line
from doll.services.recording.writing import Manner, Written
from doll.services.redacting import leftovers, purging
from doll.services.redacting.replacing import Mark, redacted, texts_of
from doll.services.redacting.wanted import Wanted, parse_wanted
from doll.services.reviewing import candidates
from doll.services.staged_texts import refuse_staged_text
from doll.services.trailers import REDACTS
from doll.services.writer import writing as writer_lock
from doll.vault import files
from doll.vault.entries import parse_file
from doll.vault.typed import typed


class Redacted(NamedTuple):
    """What was redacted: `written` is the entry as it is now, `fields` what was replaced.

    `before` is the SHA-256 of the file as it was, `left` are files that hold the same words,
    `purge` the commands, to be joined by `&&`, that take them out of history.
    """

    written: Written
    fields: tuple[str, ...]
    before: str
    left: tuple[str, ...]
    purge: tuple[str, ...]


def redact(
    vault: Vault, name: str, fields: tuple[str, ...], reason: str, manner: Manner
) -> Redacted:
    """Redact values of the entry `name`; `fields` are they as typed, such as `summary`, `tags:2`.

    Raises UsageError (no entry, no such value), ConflictError (a model at work, no committed entry,
    a secret in the reason), BusyError: then nothing was changed. GitError when the commit failed.
    """
    instead = "tell the user what stands there; the user types: doll redact ID --field F --reason R"
    require_user(manner.author, "redact an entry", instead)
    if not fields:
        raise UsageError("--field: nothing is named", hint="--field summary")
    text = one_line(reason, "--reason", "say it in one line")
    screening.screen({"redacted_reason": text}, None)
    writing.prepare(vault, manner)
    identity = _person(vault)
    with writer_lock(vault):
        data, record, body = _entry(vault, name)
        refuse_staged_text(vault, [record.path])
        wanted = parse_wanted(fields, values_of(data), body)
        hidden = texts_of(data, wanted)
        if leftovers.repeats(text, hidden):
            raise UsageError("--reason: it says again what is redacted", hint="say it without that")
        after = redacted(data, wanted, Mark(_moment(record, manner.now), identity, text))
        again, problems = parse_file(after, record.path)
        if again is None:
            raise ConflictError("it would not read back; nothing was changed", problems=problems)
        files.replace(vault.root, record.path, after, record.digest)
        written = _written(vault, again, manner)
    return _told(vault, written, record, after, wanted, hidden)


def _person(vault: Vault) -> str:
    identity = require_identity(vault.repository)
    if not is_identity(identity):
        raise ConflictError(
            f"git's identity {identity} is not that of a person; nothing was changed",
            hint="# git config user.name NAME, and for NAME your own",
        )
    return identity


def _moment(record: Record, now: datetime) -> datetime:
    """Return what `redacted_at` says: now, or the time of an entry that is dated later."""
    assert isinstance(record.fields, Experience)
    return max(now.replace(microsecond=0), record.fields.at).astimezone(UTC)


def _entry(vault: Vault, name: str) -> tuple[bytes, Record, str]:
    """Return the committed entry that is meant: its bytes, its record and its body."""
    found = finding.find(vault, referring.load(vault), name)
    data, record, body = finding.read(vault, found)
    if not found.path.startswith("experience/"):
        raise UsageError(
            f"{record.id} is {_what(record)}, and only committed experience is redacted; the rest "
            "may be edited",
            hint=f"edit {record.path} itself; git's history holds what stood there",
        )
    oid = blob_id(data, vault.repository.algorithm)
    at_head = candidates.at_head(vault, [found.path]).get(found.path)
    if at_head is None:
        raise ConflictError(
            f"{record.id} is not committed yet, so it is no history; nothing was changed",
            hint=f"edit {record.path} itself",
        )
    if not candidates.is_committed(at_head, oid):
        raise ConflictError(
            f"{record.path} is not as HEAD has it; nothing was changed",
            hint=f"git diff HEAD -- {typed(record.path)}    then git restore it, or commit it",
        )
    try:
        values_of(data)
    except UnreadableError as error:
        raise ConflictError("it cannot be read whole", problems=error.problems) from error
    return data, record, body


def _what(record: Record) -> str:
    return "a candidate" if record.path.startswith("staging/") else with_article(record.type)


def _written(vault: Vault, record: Record, manner: Manner) -> Written:
    written = Written(
        record=record,
        body="",
        commit=None,
        subject=writing.bounded(f"redact: {record.id}"),
        trailers=(f"{REDACTS}: {record.id}",),
        notes=(),
    )
    return writing.committed(vault, written) if manner.commit else written


def _told(
    vault: Vault,
    written: Written,
    before: Record,
    after: bytes,
    wanted: list[Wanted],
    hidden: list[str],
) -> Redacted:
    """Return the report: what was done, and what still holds the words."""
    oid = blob_id(after, vault.repository.algorithm)
    commits = leftovers.commits(vault, hidden)
    place = vault.in_git(before.path)
    purge = purging.commands(vault.repository.top, vault.root, place, oid, commits)
    notes = (*_notes(before, wanted), *_where(leftovers.lines(after, hidden)))
    return Redacted(
        written=written._replace(notes=notes),
        fields=tuple(map(str, wanted)),
        before=before.digest,
        left=leftovers.places(vault, hidden),
        purge=purge,
    )


def _where(lines: tuple[int, ...]) -> Iterator[str]:
    """Yield where in the entry itself the words are left: in a comment, or a value not named."""
    if lines:
        numbers = ", ".join(map(str, lines[:10])) + (", …" if len(lines) > 10 else "")
        where = f"line {numbers} of it has" if len(lines) == 1 else f"lines {numbers} of it have"
        yield f"{where} the same words still; a comment beside a value stays"


def _notes(before: Record, wanted: list[Wanted]) -> Iterator[str]:
    fields = before.fields
    assert isinstance(fields, Experience)
    if fields.outcome == "failed":
        yield "it is a failure still: it warns whom it warned before"
    keys = {each.key for each in wanted}
    if "paths" in keys:
        yield "in `paths`, [redacted] matches every path: it may warn more often than before"
    if "summary" in keys and slug(fields.summary) in before.id:
        yield "its file name has words of the summary, and an entry keeps its name"
    if fields.reviewed_sha256:
        yield "it was reviewed: once history is purged, `doll verify` cannot find what was reviewed"
