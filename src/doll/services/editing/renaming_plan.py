"""What a rename would write: the record under its new id, and the references that name it.

Decides and refuses; writes nothing. Experience is never touched: it goes on naming the old id,
which stays an alias.
"""

import os
import re
from collections.abc import Iterator
from typing import NamedTuple

from doll.errors import ConflictError
from doll.records.model import Record
from doll.records.names import fold
from doll.records.references import Names, plain, references
from doll.records.repointing import repoint
from doll.records.splice import splice
from doll.services.editing.against_head import open_reviews, refuse_open_review
from doll.services.opening import Vault
from doll.services.reading import finding
from doll.services.reading.referring import Known
from doll.services.recording.wording import typed_id
from doll.vault import files
from doll.vault.layout import record_id

# The areas whose references follow a rename.
OWN = ("confirmed/", "authority/")
_LINK = re.compile(r"\[\[([^\[\]|#\n]+)")


class Rewrite(NamedTuple):
    """A record whose references are to name the new id: its bytes now and then."""

    record: Record
    before: bytes
    after: bytes


class Plan(NamedTuple):
    """A rename: the record, its ids and paths, and what is to be written.

    `bridge` are its bytes with both ids as aliases: with them the old name and the new one resolve
    under either file name. `final` is what it is to say. `entries` counts the experience that
    names the old id; `linking` are the files whose bodies hold a wikilink to it; `passed_over` are
    records that keep the old name, since a review is about their very bytes.
    """

    record: Record
    data: bytes
    was: str
    id: str
    path: str
    bridge: bytes
    final: bytes
    rewrites: tuple[Rewrite, ...]
    entries: int
    linking: tuple[str, ...]
    passed_over: tuple[str, ...]

    @property
    def is_made(self) -> bool:
        """Whether the record has the new id already."""
        return self.record.path == self.path


def plan(vault: Vault, known: Known, name: str, new: str) -> Plan:
    """Return what the rename of the record `name` to the id `new` would write.

    Raises UsageError (no such record, an id that cannot be), ConflictError (experience, a
    candidate, a name that is taken, an open review), InvalidDocumentError (it cannot be read).
    """
    entry = finding.find(vault, known, name, "OLD")
    _refuse(entry.path)
    data, record, _ = finding.read(vault, entry)
    wanted = typed_id(new, "NEW", record.type)
    folder, _, _ = record.path.rpartition("/")
    path = f"{folder}/{wanted}.md"
    _refuse_taken(vault, known, record, wanted, path)
    refuse_open_review(vault, record)
    was = record.id if record.id != wanted else _former(record, name)
    rewrites, passed_over = _rewrites(vault, known, record, was, wanted)
    return Plan(
        record,
        data,
        was,
        wanted,
        path if record.id != wanted else record.path,
        _with_aliases(data, record, (*_aliases(record, was, wanted), wanted)),
        _with_aliases(data, record, _aliases(record, was, wanted)),
        tuple(rewrites),
        sum(names_of(other, was) != [] for other in known.records if other.type == "experience"),
        tuple(_linking(vault, known, was)),
        tuple(passed_over),
    )


def _refuse(path: str) -> None:
    if path.startswith("experience/"):
        raise ConflictError(
            f"{record_id(path)} is experience, and history keeps its names; nothing was renamed",
            hint='doll correct ID "what is right"    says it in a new entry',
        )
    if path.startswith("staging/"):
        raise ConflictError(
            f"{record_id(path)} is a candidate, named after its source; nothing was renamed",
            hint="approve it first: doll review; the memory can be renamed then",
        )


def _refuse_taken(vault: Vault, known: Known, record: Record, wanted: str, path: str) -> None:
    named = Names(known.records).named(wanted)
    holders = [other.path for other in named if other.path != record.path]
    holders += [each for each in known.unreadable if fold(record_id(each)) == fold(wanted)]
    # A file that is no record yet, such as a link, would be in the way as well.
    place = vault.root / path
    if not holders and path != record.path and os.path.lexists(place):
        holders = [] if place.samefile(vault.root / record.path) else [path]
    if holders:
        raise ConflictError(
            f"the id {wanted} is taken by {holders[0]}; nothing was renamed",
            hint="choose another id; ids and aliases are one name space, in any case of letters",
        )


def _former(record: Record, name: str) -> str:
    """Return the alias by which a record was named that has the new id already, else its id."""
    word = fold(plain(name))
    return next((alias for alias in record.fields.aliases if fold(alias) == word), record.id)


def _aliases(record: Record, was: str, wanted: str) -> tuple[str, ...]:
    """Return the aliases under the new id: those it has, and the old id; never the id itself.

    In just their spelling: it names the folder of a project's experience.
    """
    kept = [alias for alias in record.fields.aliases if alias != wanted]
    if was not in (wanted, *kept):
        kept.append(was)
    return tuple(kept)


def _with_aliases(data: bytes, record: Record, aliases: tuple[str, ...]) -> bytes:
    """Return the file with these aliases; first without those that go, so that a list stays one."""
    kept = [alias for alias in record.fields.aliases if alias in aliases]
    if kept and kept != list(record.fields.aliases):
        data = splice(data, {"aliases": kept})
    if aliases in (record.fields.aliases, tuple(kept)):
        return data
    return splice(data, {"aliases": list(aliases) or None})


def names_of(record: Record, name: str) -> list[str]:
    """Return the fields of a record in which a reference is written as `name`."""
    found = (r.field for r in references(record) if fold(plain(r.name)) == fold(name))
    return list(dict.fromkeys(found))


def _rewrites(
    vault: Vault, known: Known, record: Record, was: str, wanted: str
) -> tuple[list[Rewrite], list[str]]:
    """Return what changes in other records, and which of them cannot change now."""
    if was == wanted:
        return [], []
    naming = {
        other.path: (other, fields)
        for other in known.records
        if other.path.startswith(OWN) and (fields := names_of(other, was))
    }
    naming.pop(record.path, None)
    passed_over = open_reviews(vault, (other for other, _ in naming.values()))
    rewrites = []
    for path, (other, fields) in naming.items():
        if path not in passed_over:
            before = files.read(vault.root, path)
            rewrites.append(Rewrite(other, before, repoint(before, fields, was, wanted)))
    return rewrites, sorted(passed_over)


def _linking(vault: Vault, known: Known, was: str) -> Iterator[str]:
    """Yield the files with a wikilink to the old id in their text, experience left out."""
    for other in known.records:
        if other.path.startswith(OWN):
            text = files.read(vault.root, other.path).decode("utf-8", "replace")
            body = text.partition("\n---")[2]
            if any(fold(link.strip()) == fold(was) for link in _LINK.findall(body)):
                yield other.path
