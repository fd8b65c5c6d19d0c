"""`doll propose`: what a model sent becomes one candidate in staging, and nothing else.

The text stays as it was sent; what doll adds are lines of front matter that say what it is and
whose. Whatever it says of itself, it waits for the user's review.
"""

from collections.abc import Iterator
from datetime import datetime

from doll.errors import ConflictError, Problem, UsageError
from doll.records import fences
from doll.records.codec import parse, values_of
from doll.records.frontmatter import BlockError
from doll.records.handler import Plain
from doll.records.limits import MAX_BLOCK_BYTES, ROOM_FOR_REVIEW
from doll.records.model import Experience, Memory, Record, RecordType, with_article
from doll.records.splice import splice
from doll.services.opening import Vault
from doll.services.proposing import naming, rules
from doll.services.proposing.reading import NAME, Given, read, refused
from doll.services.reading import referring
from doll.services.reading.referring import Known
from doll.services.recording import writing
from doll.services.recording.authorship import Author
from doll.services.recording.statements import notes_on
from doll.services.recording.writing import Draft, Manner, Written
from doll.services.writer import writing as writer_lock
from doll.vault.layout import record_id

# What a record is called while it has no name: an id cannot be this.
UNNAMED = "(proposal)"
TYPES: tuple[RecordType, ...] = ("memory", "experience")


def propose(vault: Vault, record_type: RecordType, data: bytes, manner: Manner) -> Written:
    """Write the proposal that `data` is, unless it is there already.

    Raises UsageError (nobody says which model), ConflictError (authority, a secret),
    InvalidDocumentError with every problem of what was sent, BusyError, GitError.
    """
    model = require_model(manner.author)
    if record_type not in TYPES:
        raise ConflictError(
            f"{with_article(record_type)} cannot be proposed: authority is the user's alone",
            hint="propose a memory that says what you suggest; the user writes the "
            f"{record_type}: doll new {record_type} ID",
        )
    writing.prepare(vault, manner)
    given = read(data, record_type)
    if problems := [*given.problems, *rules.claim_problems(given, model)]:
        raise refused(sorted(problems))
    filled = _filled(given, record_type, model, manner.now.replace(microsecond=0))
    record = _record(filled, record_type)
    with writer_lock(vault):
        known = referring.load(vault)
        problems = [*rules.empty_problems(record, given.body)]
        problems += rules.link_problems(given, record, known)
        if problems:
            raise refused(problems)
        draft = _draft(given, record, filled)
        notes = (*draft.notes, *_link_notes(known, record, manner.now))
        return writing.write(vault, known, draft._replace(notes=notes), manner, ())


def require_model(author: Author) -> str:
    """Return who proposes, as `model:NAME`; UsageError where nobody says so."""
    if author.model is None:
        raise UsageError(
            "a proposal comes from a model, and nothing says from which",
            hint="--by model:NAME, or DOLL_BY in the environment\n"
            "what you know yourself, you write yourself: doll new memory",
        )
    return author.model


def _filled(given: Given, record_type: RecordType, model: str, now: datetime) -> bytes:
    """Return what was sent with the lines that doll adds: what it is first, whose it is last."""
    added: dict[str, Plain] = {}
    if record_type == "experience":
        added["assertion"] = "model_proposed"
    added |= {"origin": "model", "origin_source": model, "created": now}
    try:
        data = splice(given.data, added)
        if "schema" not in values_of(data):
            start = fences.bounds(data.decode())[0]
            opening = data.decode()[:start]
            newline = "\r\n" if opening.endswith("\r\n") else "\n"
            said = f"{opening}schema: doll/{record_type}/1{newline}"
            data = said.encode() + data[len(opening.encode()) :]
    except (ConflictError, BlockError) as error:
        message = getattr(error, "message", str(error))
        hint = "write one `field: value` on each line"
        raise refused([Problem(NAME, 0, 0, "frontmatter.missing", message, hint=hint)]) from error
    start, end, _ = fences.bounds(data.decode())
    if len(data.decode()[start:end].encode()) > MAX_BLOCK_BYTES - ROOM_FOR_REVIEW:
        message = "the front matter leaves no room for the lines of a review"
        hint = "put what is long into the text below it"
        raise refused([Problem(NAME, 0, 0, "frontmatter.too_large", message, hint=hint)])
    return data


def _record(data: bytes, record_type: RecordType) -> Record:
    parsed = parse(data, NAME, UNNAMED, record_type)
    if parsed.record is None or parsed.problems:
        # These lines are not those that were sent.
        raise refused(problem._replace(line=0, column=0) for problem in parsed.problems)
    return parsed.record


def _draft(given: Given, record: Record, data: bytes) -> Draft:
    fields = record.fields
    # An id is shown where a title is not, so it says nothing of a secret record.
    secret = fields.sensitivity == "secret"
    name = "secret" if secret else _name(record, given.body)
    path = naming.path_of(fields, given.values, given.body, name)
    waits = f"it waits for the user's review: doll review show {record_id(path)}"
    shown = record_id(path) if secret else name
    return Draft(path, data, f"propose: {record.type} {shown}", (waits,))


def _link_notes(known: Known, record: Record, now: datetime) -> Iterator[str]:
    """Yield what its links would do, so that nobody takes them for done."""
    fields = record.fields
    if isinstance(fields, Experience):
        yield from (f"once approved: {note}" for note in notes_on(known, fields, now))
    elif isinstance(fields, Memory) and fields.supersedes:
        named = ", ".join(fields.supersedes)
        yield f"until it is approved, {named} stands as it is"


def _name(record: Record, body: str) -> str:
    if isinstance(record.fields, Experience):
        return record.fields.summary
    if record.name != UNNAMED:
        return record.name
    return next(filter(None, map(str.strip, body.splitlines())), "")[:60]
