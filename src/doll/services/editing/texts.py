"""Editing a record as text: a copy for the editor, judged, and written as the editor left it.

Byte for byte, and only over the bytes that the copy was made of. It starts no editor and asks
nothing. Experience and candidates are not edited.
"""

import shlex
from collections.abc import Iterator
from typing import NamedTuple, NoReturn

from doll.errors import ConflictError, DollError, InvalidDocumentError, Problem
from doll.records.codec import parse
from doll.records.digest import sha256
from doll.records.limits import MAX_FILE_BYTES
from doll.records.model import Record
from doll.services.committing import require_committable
from doll.services.editing import copies
from doll.services.editing.against_head import earlier_changes, refuse_open_review
from doll.services.editing.copies import Copy
from doll.services.editing.judging import judge
from doll.services.editing.kept_lines import comparing, is_as_it_was
from doll.services.opening import Vault
from doll.services.reading import finding, referring
from doll.services.recording import writing
from doll.services.recording.authorship import require_user
from doll.services.recording.counting import branch_notes
from doll.services.recording.writing import Manner, Written
from doll.services.staged_texts import refuse_staged_text
from doll.services.uncommitted import Along, along
from doll.services.writer import writing as writer_lock
from doll.vault import files
from doll.vault.entries import Entry, parse_file
from doll.vault.layout import record_id


class Text(NamedTuple):
    """A record that is being edited: its id, path and bytes, and the copy for the editor.

    `others` are copies of it that hold another text: kept by earlier edits, or open elsewhere.
    """

    id: str
    path: str
    data: bytes
    copy: Copy
    others: tuple[Copy, ...]


class Judged(NamedTuple):
    """What the editor left: the bytes, whether they are new, what is wrong, whether it counts."""

    data: bytes
    changed: bool
    problems: tuple[Problem, ...] = ()
    refused: bool = False


def begin(vault: Vault, name: str, manner: Manner, *, resume: bool = False) -> Text:
    """Make the copy of a record that the editor opens; `resume` takes up the newest kept one.

    Raises UsageError (no such record), ConflictError (a model at work, experience, a candidate, a
    review that is not committed; with `resume`: nothing kept, or the record has changed since),
    InvalidDocumentError (it cannot be read), StorageError.
    """
    require_user(manner.author, "edit a record", "tell the user: doll edit ID")
    if manner.commit:
        require_committable(vault.repository)
    entry = finding.find(vault, referring.load(vault), name)
    known = record_id(entry.path)
    _refuse(entry, known)
    refuse_staged_text(vault, [entry.path])
    data = _whole(vault, entry)
    record = parse_file(data, entry.path)[0]
    if record is not None:
        refuse_open_review(vault, record)
    file = entry.path.rpartition("/")[2]
    kept = copies.kept(vault.state, [file, *_former(record)], data)
    if resume:
        copy = _kept(vault, entry.path, known, data, kept)
    else:
        copy = copies.begin(vault.state, file, data)
    others = tuple(other for other in kept if other != copy)
    return Text(known, entry.path, data, copy, others)


def _former(record: Record | None) -> Iterator[str]:
    """Yield the file names that a record had under its former ids: texts are kept under them."""
    yield from (f"{alias}.md" for alias in (record.fields.aliases if record else ()))


def _refuse(entry: Entry, known: str) -> None:
    name = shlex.quote(known)
    if entry.path.startswith("experience/"):
        raise ConflictError(
            f"{known} is experience, and history is not edited: what is right instead is a new "
            "entry",
            hint=f'doll correct {name} "what is right"',
        )
    if entry.path.startswith("staging/"):
        raise ConflictError(
            f"{known} is a candidate: its bytes are what is reviewed, so they stay as they are",
            hint=f"doll review show {name}    then approve it and edit the memory, or reject it",
        )


def _whole(vault: Vault, entry: Entry) -> bytes:
    data = finding.bytes_of(vault, entry)
    if len(data) > MAX_FILE_BYTES:
        raise InvalidDocumentError(f"{entry.path} is too large", problems=entry.problems)
    return data


def _kept(vault: Vault, path: str, known: str, data: bytes, kept: list[Copy]) -> Copy:
    if not kept:
        raise ConflictError(
            f"no earlier text of {known} is kept", hint=f"doll edit {shlex.quote(known)}"
        )
    copy = kept[0]
    if copy.base != sha256(data):
        raise ConflictError(
            f"{path} has changed since that text was begun; both are kept as they are",
            hint="\n".join(comparing(vault, path, copy.place)),
        )
    return copy


def judged(vault: Vault, text: Text) -> Judged:
    """Return what the editor left; ConflictError when that cannot be read. Writes nothing.

    Raises DollError where the records around it cannot be read: it says where the text is kept.
    """
    data = copies.text_of(text.copy)
    if data == text.data:
        return Judged(data, changed=False)
    try:
        problems, refused = judge(vault, text.path, text.data, data)
    except DollError as error:
        _say_kept(vault, text, error)
    return Judged(data, changed=True, problems=tuple(problems), refused=refused)


def save(vault: Vault, text: Text, after: Judged, manner: Manner) -> Written:
    """Write the text over the bytes that it began as, and commit it where that is wanted.

    Raises ConflictError (the record changed meanwhile, or names what is not committed), BusyError,
    StorageError: then the copy is kept, and the hint says where. GitError when the commit failed.
    """
    written = _written(text, after.data)
    beside = _beside(vault, text, written.record, commit=manner.commit)
    try:
        with writer_lock(vault):
            refuse_staged_text(vault, [text.path])
            notes = (*_notes(vault, text, manner), *beside.notes)
            files.replace(vault.root, text.path, after.data, sha256(text.data))
            copies.drop(text.copy, after.data)
            written = written._replace(notes=notes, along=beside.paths)
            return writing.committed(vault, written) if manner.commit else written
    except DollError as error:
        if not text.copy.place.exists():
            raise
        _say_kept(vault, text, error)


def _beside(vault: Vault, text: Text, record: Record, *, commit: bool) -> Along:
    try:
        return along(vault, referring.load(vault), record, commit=commit)
    except ConflictError as error:
        raise ConflictError(
            f"{error.message}; your text is kept at {text.copy.place}",
            hint=f"{error.hint}: doll edit {shlex.quote(text.id)} --resume --commit",
        ) from error
    except DollError as error:
        _say_kept(vault, text, error)


def discard(text: Text) -> None:
    """Throw the copy away, as the user said."""
    copies.drop(text.copy)


def drop_unchanged(text: Text) -> None:
    """Remove a copy in which nothing was changed."""
    copies.drop(text.copy, text.data)


def _say_kept(vault: Vault, text: Text, error: DollError) -> NoReturn:
    if not isinstance(error, ConflictError) or is_as_it_was(vault.root, text.path, text.data):
        lines = [error.hint, f"doll edit {shlex.quote(text.id)} --resume    goes on with your text"]
    else:
        lines = comparing(vault, text.path, text.copy.place)
    raise type(error)(
        f"{error.message.removesuffix('; it is left as it is')}; your text is kept at "
        f"{text.copy.place}",
        hint="\n".join(filter(None, lines)),
        problems=error.problems,
    ) from error


def _notes(vault: Vault, text: Text, manner: Manner) -> Iterator[str]:
    if text.path.startswith("authority/"):
        yield from branch_notes(vault)
    yield from earlier_changes(vault, text.path, text.data, commit=manner.commit)


def _written(text: Text, data: bytes) -> Written:
    record = parse_file(data, text.path)[0]
    assert isinstance(record, Record), "a text with errors is not written"
    body = parse(data, text.path, record.id, record.type).body
    return Written(record, body, None, writing.bounded(f"edit: {record.id}"), (), ())
