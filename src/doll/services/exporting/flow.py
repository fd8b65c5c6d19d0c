"""Exporting memories as a PAM store: what is asked for, what may go, its bytes, what is missing.

Reads the vault and writes nothing into it. The same records give the same bytes: an export is dated
by the last change of confirmed memory that is accepted, unless the user says when.
"""

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from doll.errors import DollError, Problem, UsageError
from doll.interchange.base import Document, Loss
from doll.interchange.pam import export_fields
from doll.interchange.pam.encoding import Encoded, Exportable, Lost, encode, relations
from doll.interchange.pam.exported_store import Base, Statement, Store, assemble
from doll.reconcile.sharing import Progress as Indexing
from doll.records import times
from doll.records.digest import sha256
from doll.records.model import Record
from doll.render.export_text import left_out_line
from doll.render.export_values import REASONS, Counts, ExportReport, LeftOut, Reason
from doll.services.accepted import accepted_commit
from doll.services.exporting import asking
from doll.services.exporting.asking import Asked
from doll.services.exporting.base import Difference, gone, read_base
from doll.services.exporting.reading import Progress, Texts, read
from doll.services.exporting.standing import Memories, memories
from doll.services.opening import Vault
from doll.vault import layout
from doll.vcs.plumbing.dates import last_change

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_STEP = 200
_PLACES = {rule.field: place for place, rule in enumerate(export_fields.FIELDS)}


class Wish(NamedTuple):
    """What the user wants. `as_of` dates the export (aware); `version` is doll's, as `1.2.3`."""

    owner: str
    asked: Asked
    version: str
    base: Document | None = None
    key: "Ed25519PrivateKey | None" = None
    as_of: datetime | None = None


class Export(NamedTuple):
    """The bytes of an export, and what is to be said of it."""

    data: bytes
    report: ExportReport


class _Selection(NamedTuple):
    """What is exported, in the order of the paths, and what bars the rest of what was asked for."""

    records: Sequence[Exportable]
    barred: Mapping[str, Reason]
    problems: tuple[Problem, ...]


class _Encoded(NamedTuple):
    """The memories of a selection that go into the export, its relations, and the losses."""

    memories: Sequence[dict[str, Any]]
    relations: Sequence[dict[str, str]]
    lost: Mapping[str, tuple[Lost, ...]]
    counts: Counts
    missing: tuple[str, ...]


def export(
    vault: Vault, wish: Wish, progress: Progress, indexing: Indexing | None = None
) -> Export:
    """Return accepted memories as a PAM store, and what it lacks.

    `progress` is told a stage, how far it is, and how far it goes. Raises UsageError for an owner,
    a name or a query that cannot be used, ConflictError for records by name that may not be
    exported, InvalidDocumentError for a base that is none, NoVaultError, ConfigurationError and
    GitError.
    """
    asking.check(wish.asked)
    _check_owner(wish.owner)
    base = read_base(wish.base, wish.owner) if wish.base else None
    accepted = accepted_commit(vault)
    as_of = wish.as_of or last_change(vault.repository, accepted.commit, vault.in_git("confirmed"))
    found = memories(vault, accepted, as_of, progress)
    paths = asking.chosen(vault, wish.asked, found, as_of, indexing)
    selection = _select(vault, wish.asked, found, paths, accepted.commit, progress)
    if not selection.records and base is None:
        raise _nothing(wish.asked, selection)
    encoded = _encode(selection.records, as_of, base, progress)
    statement = Statement(wish.owner, times.render(as_of), wish.version, base)
    store = assemble(encoded.memories, encoded.relations, statement, wish.key)
    report = _report(wish, found, selection, encoded, store)
    report = report._replace(commit=accepted.commit, export_date=statement.export_date)
    return Export(store.data, report._replace(base=base.export_id if base else ""))


def _check_owner(owner: str) -> None:
    from doll.secrets import scan_document

    if not owner.strip():
        raise UsageError("--owner is empty", hint="give the id under which others know you")
    if any("\ud800" <= character <= "\udfff" for character in owner):
        raise UsageError("--owner is not UTF-8 text", hint="type it as UTF-8")
    if scan_document({"owner": owner}):
        raise UsageError("--owner seems to hold a secret", hint="choose another id")


def _select(
    vault: Vault,
    asked: Asked,
    found: Memories,
    paths: Sequence[str],
    commit: str,
    progress: Progress,
) -> _Selection:
    """Read what may be exported of what was asked for; what was named and may not is refused."""
    records = [cast("Record", found.record(path)) for path in paths if path not in found.barred]
    texts: Texts = read(vault, records, commit, progress)
    if asked.ids and texts.problems:
        raise asking.refused(texts.problems)
    barred = {path: found.barred[path] for path in paths if path in found.barred}
    unreadable = {path for path, reason in barred.items() if reason == "unreadable"}
    problems = [p for p in found.problems if p.path in unreadable or p.path not in found.entries]
    return _Selection(
        list(texts.records.values()),
        {**barred, **texts.barred},
        (*problems, *(p for p in texts.problems if p.code == "secret.found")),
    )


def _nothing(asked: Asked, selection: _Selection) -> DollError:
    """Return the error for an export that would hold no memory at all (exit 1)."""
    left_out = _left_out(selection.barred)
    hint = list(map(left_out_line, left_out))
    nowhere = "no confirmed memory is like that; doll list --type memory    shows all"
    message = f"there is nothing to export, and nothing was written: {asked.words()}"
    return DollError(
        message,
        hint="\n".join(hint or [nowhere]),
        problems=selection.problems,
    )


def _encode(
    records: Sequence[Exportable], as_of: datetime, base: Base | None, progress: Progress
) -> _Encoded:
    made = list[Encoded]()
    for number, record in enumerate(records):
        if number % _STEP == 0:
            progress("encoding", number, len(records))
        made.append(encode(record, as_of))
    by_id = {each.memory["id"]: each.memory for each in made}
    links, lost_links = relations(records, by_id)
    if base is None:
        counts = Counts(len(made), len(made), 0, 0)
        lost = _ordered(made, lost_links, by_id.keys())
        return _Encoded(list(by_id.values()), links, lost, counts, ())
    difference = Difference(base, list(by_id.values()), links)
    kept = difference.new | difference.changed
    return _Encoded(
        [memory for name, memory in by_id.items() if name in kept],
        [link for link in links if link["from"] in kept],
        _ordered(made, lost_links, kept),
        Counts(len(kept), len(difference.new), len(difference.changed), len(by_id) - len(kept)),
        difference.missing,
    )


def _ordered(
    made: Sequence[Encoded], links: Mapping[str, tuple[Lost, ...]], kept: Container[str]
) -> dict[str, tuple[Lost, ...]]:
    """Return what was lost of some records, by id; of one record in the order of the table."""
    found = dict[str, tuple[Lost, ...]]()
    for encoded in sorted(made, key=lambda each: str(each.memory["id"])):
        name = encoded.memory["id"]
        if name not in kept:
            continue
        found[name] = encoded.lost
        if name in links:
            both = (*encoded.lost, *links[name])
            order = sorted(both, key=lambda each: _PLACES.get(each.field, len(_PLACES)))
            found[name] = tuple(order)
    return found


def _losses(lost: Mapping[str, tuple[Lost, ...]]) -> tuple[Loss, ...]:
    """Return how many records each loss concerns, in the order of the mapping table."""
    known = export_fields.REASONS
    counts = Counter[str]()
    for fields in lost.values():
        names = {each.field for each in fields}
        counts.update({name if name in known else export_fields.OTHER for name in names})
    rules = export_fields.FIELDS
    return tuple(
        Loss(rule.field, counts[rule.field], rule.reason) for rule in rules if counts[rule.field]
    )


def _left_out(barred: Mapping[str, Reason]) -> tuple[LeftOut, ...]:
    found: dict[Reason, list[str]] = {}
    for path in sorted(barred):
        found.setdefault(barred[path], []).append(layout.record_id(path))
    return tuple(
        LeftOut(reason, len(found[reason]), tuple(found[reason]))
        for reason in REASONS
        if reason in found
    )


def _report(
    wish: Wish, found: Memories, selection: _Selection, encoded: _Encoded, store: Store
) -> ExportReport:
    """Return the report; what it says of the commit, the date and the base is added."""
    barred = {**found.barred, **selection.barred}
    return ExportReport(
        owner=wish.owner,
        asked=wish.asked.words(),
        whole=wish.asked.everything,
        commit="",
        export_id=store.export_id,
        export_date="",
        checksum=store.checksum,
        public_key=store.public_key,
        base="",
        counts=encoded.counts,
        relations=len(encoded.relations),
        left_out=_left_out(selection.barred),
        gone=gone(encoded.missing, found, barred),
        elsewhere=found.elsewhere,
        losses=_losses(encoded.lost),
        lost=encoded.lost,
        problems=selection.problems,
        digest=sha256(store.data),
        size=len(store.data),
    )
