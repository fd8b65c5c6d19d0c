"""Listing records as they are on disk, and what could not be read. Changes nothing."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from doll.errors import Problem, UsageError
from doll.recall.rows import row
from doll.recall.standing import Standing
from doll.records.fields import fields_of
from doll.records.model import TYPES, Policy, Record, RecordType
from doll.records.names import fold
from doll.services.opening import Vault
from doll.services.reading.referring import Known
from doll.vault.entries import Entry
from doll.vault.layout import AREAS, LOCAL_AREAS

_ORDER = {record_type: place for place, record_type in enumerate(TYPES)}
# The field that says where a record of the type stands; a policy switched off is `disabled`.
_STATES: dict[RecordType, str] = {
    "memory": "status",
    "experience": "outcome",
    "project": "status",
    "work-item": "status",
    "decision": "status",
    "procedure": "status",
    "policy": "effect",
    "permission": "mode",
    "capability": "release",
}
_DISABLED, _REJECTED, _SUPERSEDED = "disabled", "rejected", "superseded"


class Filters(NamedTuple):
    """Which records are wanted; an empty filter lets all pass."""

    types: tuple[RecordType, ...] = ()
    project: str | None = None
    states: tuple[str, ...] = ()
    staging: bool = False


class Listing(NamedTuple):
    """The records that were asked for, by type and then id, and every file that is unreadable.

    `superseded` are the paths of those that something current replaces, or that say so themselves.
    """

    records: tuple[Record, ...]
    superseded: frozenset[str]
    unreadable: tuple[str, ...]
    problems: tuple[Problem, ...]


def list_records(vault: Vault, filters: Filters, now: datetime) -> Listing:
    """Return the records that pass the filters; UsageError for a filter that nothing can pass.

    `superseded` passes what was replaced, whatever else it says of itself.
    """
    _check_states(filters)
    loaded = vault.load(AREAS if filters.staging else LOCAL_AREAS)
    local = [entry for entry in loaded.entries if not entry.path.startswith("staging/")]
    known = Known(local)
    records: Sequence[Record] = loaded.records
    if filters.types:
        records = [record for record in records if record.type in filters.types]
    superseded = _superseded(local, now)
    if filters.states:
        records = [
            record
            for record in records
            if state(record) in filters.states
            or (record.path in superseded and _SUPERSEDED in filters.states)
        ]
    if filters.project is not None:
        project = known.one(filters.project, ("project",), "--project")
        records = [record for record in records if _belongs(record, project, known)]
    unreadable = [entry for entry in loaded.entries if entry.record is None]
    problems = [problem for entry in unreadable for problem in entry.problems]
    problems += loaded.problems
    paths = tuple(dict.fromkeys([e.path for e in unreadable] + [p.path for p in loaded.problems]))
    ordered = tuple(sorted(records, key=_place))
    here = superseded.intersection(record.path for record in ordered)
    return Listing(ordered, here, paths, tuple(sorted(problems)))


def _superseded(entries: Iterable[Entry], now: datetime) -> frozenset[str]:
    """Return the paths of memories and entries that are superseded, as recall leaves them out."""
    made = (row(entry.record, 0, 0) for entry in entries if entry.record is not None)
    rows = [each for each in made if each is not None]
    standing = Standing(rows, now)
    return frozenset(each.path for each in rows if standing.of(each) == _SUPERSEDED)


def state(record: Record) -> str:
    """Return where a record stands: its status, outcome, effect, mode or release; "" for none."""
    if record.fields.review is not None:
        return _REJECTED
    if isinstance(record.fields, Policy) and not record.fields.enabled:
        return _DISABLED
    found: str | None = getattr(record.fields, _STATES[record.type])
    return found or ""


def states_of(types: Sequence[RecordType]) -> tuple[str, ...]:
    """Return every state that records of these types can have, in the order of the fields."""
    found = [_REJECTED]
    for record_type in types:
        found += fields_of(record_type)[_STATES[record_type]].choices
        if record_type == "policy":
            found.append(_DISABLED)
        if record_type == "experience":
            found.append(_SUPERSEDED)
    return tuple(dict.fromkeys(found))


def projects_of(record: Record) -> tuple[str, ...]:
    """Return the projects that a record names, as it names them."""
    one = getattr(record.fields, "project", None)
    many: tuple[str, ...] = getattr(record.fields, "projects", ())
    return (one, *many) if one is not None else many


def _belongs(record: Record, project: Record, known: Known) -> bool:
    return any(project in known.named(name) for name in projects_of(record))


def _check_states(filters: Filters) -> None:
    possible = states_of(filters.types or TYPES)
    for wanted in filters.states:
        if wanted not in possible:
            from doll.records.checks import did_you_mean

            near = did_you_mean(wanted, possible)
            what = " or ".join(filters.types) or "record"
            raise UsageError(
                f"--status: no {what} is ever {wanted[:60]!r}",
                hint=f"did you mean {near}?" if near else f"one of {', '.join(possible)}",
            )


def _place(record: Record) -> tuple[int, str, str]:
    return _ORDER[record.type], fold(record.id), record.path
