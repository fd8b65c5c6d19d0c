"""Experience: recording what happened, correcting it, confirming it. Always a new file.

Nothing here changes an entry, a work item or any authority: experience is history. What a model
records is `model_proposed` and stays that.
"""

from collections.abc import Iterator, Sequence
from typing import cast

from doll.errors import ConflictError, UsageError
from doll.preflight.strength import assertion_of
from doll.records.codec import render
from doll.records.model import Experience, Record, with_article
from doll.records.names import experience_name
from doll.services.opening import Vault
from doll.services.reading import finding, referring
from doll.services.reading.referring import Known
from doll.services.recording import writing
from doll.services.recording.authorship import Author, require_user
from doll.services.recording.projects import NO_PROJECT, configured_id
from doll.services.recording.screening import Place
from doll.services.recording.statements import (
    Statement,
    Values,
    check_links,
    fields_from,
    notes_on,
    values_given,
    values_taken,
)
from doll.services.recording.writing import Draft, Manner, Written
from doll.services.writer import writing as writer_lock
from doll.vault.layout import path_of

# What a correction keeps of the entry that it corrects, unless it says otherwise: everything but
# the text that was wrong, and what that text rested on.
KEPT = (
    "project",
    "kind",
    "at",
    "work_item",
    "outcome",
    "actions",
    "paths",
    "evidence",
    "resolves",
    "tags",
    "sensitivity",
)
DROPPABLE = ("work_item", "outcome", "actions", "paths", "evidence", "resolves", "tags")
_CONFIRMED = ("title", "summary", "sources", "supersedes", *KEPT)


def log(
    vault: Vault, statement: Statement, manner: Manner, configured: str | None = None
) -> Written:
    """Record what was tried and what happened, as a new entry of its project.

    `configured` is the project that git's configuration names; it counts where none was given.
    Raises UsageError (a reference or value that does not fit), ConflictError (a secret), BusyError,
    GitError (written and not committed).
    """
    allowed = writing.prepare(vault, manner)
    with writer_lock(vault):
        known = referring.load(vault)
        values = values_given(known, _with_project(known, statement, configured))
        body = writing.below(statement.body)
        notes = tuple(_replaced(known, values))
        return _write(vault, known, values, body, manner, allowed, "log", notes)


def correct(
    vault: Vault, name: str, statement: Statement, drop: Sequence[str], manner: Manner
) -> Written:
    """Record a correction of the entry `name`: a new entry that supersedes it.

    The fields of `KEPT` are taken over where the statement does not give them and `drop` does not
    name them; summary, body, title and sources are the correction's own. Raises as `log` does, and
    ConflictError for an entry that the user has replaced already.
    """
    allowed = writing.prepare(vault, manner)
    with writer_lock(vault):
        known = referring.load(vault)
        target, _ = _entry(vault, known, name)
        _refuse_replaced(known, target)
        given = values_given(known, statement)
        values = {**values_taken(known, target, [f for f in KEPT if f not in drop]), **given}
        named = cast("tuple[str, ...]", given.get("supersedes", ()))
        values["supersedes"] = tuple(dict.fromkeys((target.id, *named)))
        notes = tuple(_replaced(known, {**given, "supersedes": values["supersedes"]}))
        body = writing.below(statement.body)
        return _write(vault, known, values, body, manner, allowed, "correct", notes)


def confirm(vault: Vault, name: str, manner: Manner) -> Written:
    """Confirm the entry `name` as the user: a new `user_confirmed` entry that supersedes it.

    All that the entry says is taken over, its body byte for byte; it becomes a source. An entry
    that the user recorded may be confirmed as well, and a note says that it weighs the same. Raises
    ConflictError when a model asks, and when the entry is confirmed or replaced already.
    """
    instead = "the user types: doll confirm ID"
    require_user(manner.author, "confirm an entry", instead)
    allowed = writing.prepare(vault, manner)
    with writer_lock(vault):
        known = referring.load(vault)
        target, body = _entry(vault, known, name)
        _refuse_confirmed(target)
        _refuse_replaced(known, target)
        values = values_taken(known, target, _CONFIRMED)
        for field in ("sources", "supersedes"):
            before = cast("tuple[str, ...]", values.get(field, ()))
            values[field] = tuple(dict.fromkeys((*before, target.id)))
        mine = assertion_of(target) == "user_recorded"
        notes = ["it was yours already: confirmed, it weighs the same"] if mine else []
        return _write(vault, known, values, body, manner, allowed, "confirm", notes)


def _with_project(known: Known, statement: Statement, configured: str | None) -> Statement:
    """Return the statement with its project; UsageError where nothing names one."""
    if statement.project is not None:
        return statement
    if configured is None:
        raise UsageError("an entry belongs to a project", hint=NO_PROJECT)
    return statement._replace(project=configured_id(known, "experience", configured))


def _write(
    vault: Vault,
    known: Known,
    values: Values,
    body: str,
    manner: Manner,
    allowed: Sequence[Place],
    verb: str,
    notes: Sequence[str] = (),
) -> Written:
    now = manner.now.replace(microsecond=0)
    values = {"at": now, **values, "created": now, **_said_by(manner.author, verb)}
    fields = fields_from(values)
    check_links(known, fields)
    secret = fields.sensitivity == "secret"
    # An id is shown where a title is not, so it says nothing of a secret record.
    words = "secret" if secret else fields.summary
    record_id = experience_name(fields.at, fields.kind, words, manner.token())
    draft = Draft(
        path_of("experience", record_id, fields.project),
        render(fields, body),
        f"{verb}: {fields.kind} {record_id if secret else fields.summary}",
        (*notes, *notes_on(known, fields, now)),
    )
    return writing.write(vault, known, draft, manner, allowed)


def _said_by(author: Author, verb: str) -> Values:
    if author.model is not None:
        return {
            "assertion": "model_proposed",
            "origin": "model",
            "origin_source": author.model,
        }
    return {"assertion": "user_confirmed" if verb == "confirm" else "user_recorded"}


def _entry(vault: Vault, known: Known, name: str) -> tuple[Record, str]:
    """Return the entry of experience that is meant, and its body; UsageError for anything else."""
    found = finding.find(vault, known, name)
    record, body = finding.read(vault, found)[1:]
    if found.path.startswith("staging/"):
        raise UsageError(
            f"{record.id} is a candidate and no entry yet", hint=f"doll review show {record.id}"
        )
    if not isinstance(record.fields, Experience):
        raise UsageError(
            f"{record.id} is {with_article(record.type)}, not an entry of experience",
            hint=f"edit {record.path} itself, or: doll edit {record.id}",
        )
    return record, body


def _replaced(known: Known, values: Values) -> Iterator[str]:
    """Yield a note on each entry that is named here and was superseded before."""
    fields = ("supersedes", "resolves")
    named = [name for field in fields for name in cast("tuple[str, ...]", values.get(field, ()))]
    for name in dict.fromkeys(named):
        for target in known.named(name):
            for other in _successors(known, target):
                yield f"{name} was superseded by {other.id} before; it may be that one you mean"


def _successors(known: Known, target: Record) -> Iterator[Record]:
    """Yield the user's entries that supersede `target`."""
    for record in known.records:
        if isinstance(record.fields, Experience) and assertion_of(record).startswith("user_"):
            named = [r.id for name in record.fields.supersedes for r in known.named(name)]
            if target.id in named:
                yield record


def _refuse_confirmed(target: Record) -> None:
    if assertion_of(target) == "user_confirmed":
        raise ConflictError(
            f"{target.id} is confirmed already; nothing was written",
            hint=f'doll correct {target.id} "…"    says what is right instead',
        )


def _refuse_replaced(known: Known, target: Record) -> None:
    """Refuse an entry that the user has corrected or confirmed: what follows it is the newer."""
    for other in _successors(known, target):
        raise ConflictError(
            f"{target.id} was replaced by {other.id}; nothing was written",
            hint=f"doll show {other.id}    is the entry that stands; correct that one",
        )
