"""The candidates in staging: finding one, and how it stands to HEAD and to what was approved.

Reads only.
"""

import shlex
from collections.abc import Mapping, Sequence
from typing import NamedTuple, NoReturn

from doll.errors import ConflictError, Problem, UsageError, errors_in
from doll.records.digest import blob_id, sha256
from doll.records.model import Record
from doll.records.names import fold
from doll.render.listing_text import shown_name
from doll.render.review_values import Candidate, State
from doll.services.opening import Vault
from doll.services.recording.wording import readable
from doll.vault import files, layout
from doll.vault.entries import Entry, parse_file
from doll.vault.snapshot import snapshot
from doll.vcs import plumbing

_FILES = ("100644", "100755")


class Read(NamedTuple):
    """A candidate as it is on disk: its record, bytes, body, and whether HEAD has these bytes."""

    record: Record
    data: bytes
    body: str
    committed: bool


def at_head(vault: Vault, paths: Sequence[str] = ("staging",)) -> Mapping[str, plumbing.TreeEntry]:
    """Return the files of HEAD at or below `paths`, by vault path."""
    head = plumbing.head(vault.repository)
    items = plumbing.tree(vault.repository, head, [vault.in_git(path) for path in paths])
    return {path: item for item in items if (path := vault.in_vault(item.path)) is not None}


def is_committed(item: plumbing.TreeEntry | None, oid: str) -> bool:
    """Return whether HEAD has a file with the blob id `oid`."""
    return item is not None and item.mode in _FILES and item.oid == oid


def find(vault: Vault, entries: Sequence[Entry], name: str) -> Entry:
    """Return the candidate that `name` means: its id, its path, or its stem where only one has it.

    UsageError when there is none or more than one; ConflictError when it is approved already.
    """
    word = readable(name, "ID").removeprefix("./")
    found = meant([entry.path for entry in entries], word)
    if len(found) == 1:
        return next(entry for entry in entries if entry.path == found[0])
    if found:
        paths = "\n".join(found[:10])
        raise UsageError(f"{word!r} can mean {len(found)} candidates", hint=f"use a path:\n{paths}")
    stem = stem_meant(word)
    if place := approved(vault).paths.get(stem):
        _refuse_approved(vault, word, place)
    near = _near(entries, stem)
    hint = f"did you mean {' or '.join(near)}?" if near else "doll review list    shows the ids"
    raise UsageError(f"there is no candidate {word[:120]!r} in staging", hint=hint)


def meant(paths: Sequence[str], word: str) -> list[str]:
    """Return the paths that a word means: those that are it, else of that id, else of that stem."""
    wanted = fold(word.removesuffix(".md"))
    found = [path for path in paths if path == word]
    found = found or [path for path in paths if fold(layout.record_id(path)) == wanted]
    return found or [path for path in paths if fold(_stem(path)) == wanted]


def stem_meant(word: str) -> str:
    """Return the folded id that the candidate which a word means has once it is approved."""
    return fold(word.removesuffix(".md")).rpartition("/")[2]


def _refuse_approved(vault: Vault, word: str, place: str) -> NoReturn:
    """Say that what is asked for is a record already, and where."""
    try:
        record = parse_file(files.read(vault.root, place), place)[0]
    except OSError:
        record = None
    message = f"there is no candidate {word[:120]!r} in staging"
    hint = f"doll show {shlex.quote(layout.record_id(place))}"
    if record is not None and record.fields.reviewed_sha256 is not None:
        raise ConflictError(f"{message} any more: it is approved already, as {place}", hint=hint)
    raise UsageError(f"{message}; {place} is a record already", hint=hint)


def _near(entries: Sequence[Entry], stem: str) -> list[str]:
    """Return the ids of candidates whose stem looks like `stem` or holds it, at most three."""
    from difflib import get_close_matches

    ids = {fold(_stem(entry.path)): layout.record_id(entry.path) for entry in entries}
    holding = [each for each in sorted(ids) if len(stem) > 2 and stem in each]
    near = [*get_close_matches(stem[:200], sorted(ids), 3, 0.6), *holding]
    return list(dict.fromkeys(ids[each] for each in near))[:3]


def read(vault: Vault, path: str) -> Read:
    """Read one candidate; ConflictError with its problems when it is no readable record."""
    try:
        data = files.read(vault.root, path)
    except OSError as error:
        raise ConflictError(f"{path} cannot be read: {error.strerror}") from error
    record, problems = parse_file(data, path)
    if record is None:
        raise ConflictError(f"{path} is no readable record", problems=errors_in(problems))
    from doll.records.codec import parse

    body = parse(data, path, record.id, record.type).body
    oid = blob_id(data, vault.repository.algorithm)
    committed = is_committed(at_head(vault, [path]).get(path), oid)
    return Read(record, data, body, committed)


class Approved(NamedTuple):
    """The records outside staging by their stems, to tell whether a candidate is among them."""

    paths: Mapping[str, str]

    def half(self, vault: Vault, record: Record) -> str | None:
        """Return the path of the reviewed copy of a candidate, None when there is none.

        It is there when an approval was interrupted before the candidate was removed.
        """
        path = self.paths.get(fold(stem_of(record)))
        if path is None:
            return None
        try:
            data = files.read(vault.root, path)
        except OSError:
            return None
        copy, _ = parse_file(data, path)
        return path if copy and copy.fields.reviewed_sha256 == record.digest else None


def approved(vault: Vault) -> Approved:
    """Return the records outside staging, by their folded ids."""
    found = snapshot(vault.root, ("confirmed", "experience")).files
    return Approved({fold(layout.record_id(file.path)): file.path for file in found})


def candidate(vault: Vault, record: Record, others: Approved, *, committed: bool) -> Candidate:
    """Return what is to be said of a readable candidate in one line."""
    fields = record.fields
    state: State = "open"
    if fields.review == "rejected":
        state = "rejected"
    elif others.half(vault, record):
        state = "half-approved"
    return Candidate(
        id=record.id,
        path=record.path,
        digest=record.digest,
        type=record.type,
        name=shown_name(record),
        state=state,
        committed=committed,
        origin=fields.origin,
        adapter=fields.origin_adapter or "",
        source=fields.origin_source or "",
        source_id=fields.origin_id or "",
        updates=fields.updates or "",
    )


def stem_of(record: Record) -> str:
    """Return the id that a candidate has once it is approved."""
    return record.id.rpartition("/")[2]


def report_path(vault: Vault, path: str) -> str:
    """Return the path of the `_import.md` of a candidate's import, "" where there is none."""
    parts = path.split("/")
    report = "/".join([*parts[:3], "_import.md"])
    return report if len(parts) > 3 and (vault.root / report).is_file() else ""


def digest_fault(path: str, data: bytes, digest: str) -> Problem | None:
    """Return what is wrong when the bytes of a candidate are not those that were reviewed."""
    found = sha256(data)
    if found == digest:
        return None
    message = f"its bytes have the digest {found}, and {digest} was given"
    hint = f"read it again: doll review show {layout.record_id(path)}"
    return Problem(path, 0, 0, "review.candidate", message, hint=hint)


def fault(path: str, message: str, hint: str = "", line: int = 0) -> Problem:
    """Return one reason why a candidate is not approved."""
    return Problem(path, line, int(line > 0), "review.candidate", message, hint=hint)


def _stem(path: str) -> str:
    return layout.record_id(path).rpartition("/")[2]
