"""Feedback: somebody says how recalled records served. It orders answers, and changes no record."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from doll.errors import ConflictError, InvalidDocumentError, UsageError
from doll.records import times
from doll.records.model import Record, with_article
from doll.services import usage
from doll.services.opening import Vault
from doll.services.reading import finding, referring
from doll.services.recording.authorship import Author
from doll.vault.entries import Entry
from doll.vault.layout import record_id
from doll.vault.signals import USER, Feedback, Verdict

_RECALLED = ("memory", "experience")


class Given(NamedTuple):
    """Feedback that was kept: of which records, and in which file of the usage log."""

    records: tuple[Record, ...]
    signal: Feedback
    path: str


def give(vault: Vault, names: Sequence[str], said: Verdict, author: Author, now: datetime) -> Given:
    """Keep what `author` says of the records that `names` mean; of all of them, or of none.

    Raises UsageError (no such record, an id of two, none that recall answers with), ConflictError
    (a candidate, a usage log that is not this machine's own), InvalidDocumentError, StorageError.
    """
    known = referring.load(vault)
    found = [_answerable(finding.find(vault, known, name)) for name in names]
    records = tuple({record.path: record for record in found}.values())
    for record in records:
        # A path can mean one of two records of one id: a signal, which has the id, cannot.
        finding.find(vault, known, record.id)
    ids = tuple(record.id for record in records)
    signal = Feedback(times.render(now), ids, said, author.model or USER)
    return Given(records, signal, usage.add(vault, signal))


def _answerable(entry: Entry) -> Record:
    """Return the record of a file that recall can answer with."""
    name, record = record_id(entry.path), entry.record
    if entry.path.startswith("staging/"):
        raise ConflictError(
            f"{name} is a candidate: feedback is about what was confirmed or experienced",
            hint=f"doll review show {name}    it waits to be approved or rejected",
        )
    if record is None:
        raise InvalidDocumentError(f"{entry.path} cannot be read", problems=entry.problems)
    if record.type not in _RECALLED:
        raise UsageError(
            f"{name} is {with_article(record.type)}, and recall answers with none",
            hint="feedback is about a memory or an entry of experience: doll list --type memory",
        )
    if record.fields.sensitivity == "secret":
        raise UsageError(
            f"{name} is labelled secret, and recall never answers with it",
            hint="doll list --type memory    shows the others",
        )
    return record
