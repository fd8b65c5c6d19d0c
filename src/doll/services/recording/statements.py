"""What an entry of experience says: from typed options to the checked fields of a record.

Knows options, fields and the rules between them; writes nothing and decides nothing about who says
it. Every fault of the options is reported at once, under the option that was typed.
"""

import shlex
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import NamedTuple, cast

import msgspec

from doll.errors import Problem, UsageError
from doll.preflight.strength import assertion_of, strength
from doll.records import checks, times
from doll.records.model import Experience, Record, WorkItem
from doll.records.work_items import way_to_done
from doll.services.reading.referring import Known, canonical
from doll.services.recording.wording import one_line, path_pattern, readable

OPTIONS = {
    "kind": "KIND",
    "summary": "SUMMARY",
    "project": "--project",
    "work_item": "--work-item",
    "outcome": "--outcome",
    "actions": "--action",
    "paths": "--path",
    "evidence": "--evidence",
    "sources": "--source",
    "resolves": "--resolves",
    "supersedes": "--supersedes",
    "tags": "--tag",
    "sensitivity": "--sensitivity",
    "at": "--at",
}
REFERENCES = ("project", "work_item", "sources", "resolves", "supersedes")
_LINKS = ("resolves", "supersedes")
_FAR = timedelta(hours=24)

Values = dict[str, object]


class Statement(NamedTuple):
    """What an entry says, as it was typed; None and () mean that it was not given."""

    summary: str
    kind: str | None = None
    project: str | None = None
    work_item: str | None = None
    outcome: str | None = None
    actions: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    resolves: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    sensitivity: str | None = None
    at: str | None = None
    body: str = ""


def values_given(known: Known, statement: Statement) -> Values:
    """Return the fields that were given, references as ids; UsageError for what does not fit."""
    values: Values = {"summary": one_line(statement.summary, "SUMMARY")}
    for field, option in OPTIONS.items():
        given = getattr(statement, field)
        if field == "summary" or given in (None, ()):
            continue
        if field in REFERENCES:
            listed = (given,) if isinstance(given, str) else given
            ids = tuple(r.id for r in canonical(known, "experience", field, listed, option))
            values[field] = ids[0] if isinstance(given, str) else ids
        elif field == "at":
            values[field] = _moment(given)
        elif isinstance(given, str):
            values[field] = readable(given, option)
        else:
            line = path_pattern if field == "paths" else one_line
            values[field] = tuple(line(text, option) for text in given)
    return values


def values_taken(known: Known, record: Record, names: Iterable[str]) -> Values:
    """Return the fields `names` of an entry as it has them, references as ids of today.

    UsageError when a reference names nothing any more.
    """
    values: Values = {}
    for name in names:
        value = getattr(record.fields, name)
        if value in (None, ()):
            continue
        if name in REFERENCES:
            listed = (value,) if isinstance(value, str) else value
            where = f"`{name}` of {record.id}"
            ids = tuple(r.id for r in canonical(known, "experience", name, listed, where))
            value = ids[0] if isinstance(value, str) else ids
        values[name] = value
    return values


def fields_from(values: Mapping[str, object]) -> Experience:
    """Return the fields; UsageError with a problem at each option that does not fit."""
    try:
        return msgspec.convert(dict(values), Experience)
    except msgspec.ValidationError as error:
        problems = [
            Problem(
                OPTIONS.get(str(fault.where[0]), str(fault.where[0])) if fault.where else "",
                *(0, 0, fault.code, fault.message),
                hint=fault.hint,
            )
            for fault in checks.value_faults(values, "experience")
        ]
        raise UsageError(
            "the entry would not be valid; nothing was written", problems=problems
        ) from error


def check_links(known: Known, fields: Experience) -> None:
    """Raise UsageError when the entry is linked across projects: such a link never counts."""
    for field in _LINKS:
        for target in _targets(known, fields, field):
            other = cast("Experience", target.fields).project
            if _project(known, other) != _project(known, fields.project):
                raise UsageError(
                    f"{OPTIONS[field]}: {target.id} belongs to the project {other}, "
                    f"and this entry to {fields.project}",
                    hint="entries correct and resolve those of their own project; "
                    "--source names one of another project",
                )
    item = work_item(known, fields)
    if item is not None and _project(known, item[1].project) != _project(known, fields.project):
        raise UsageError(
            f"--work-item: {item[0]} belongs to the project {item[1].project}, "
            f"and this entry to {fields.project}",
            hint=f"--project {item[1].project}, or another work item",
        )


def notes_on(known: Known, fields: Experience, now: datetime) -> Iterator[str]:
    """Yield what a person should know of an entry that is about to be written."""
    if fields.assertion == "model_proposed":
        yield "recorded as model_proposed: it can warn, and it overrules nothing of the user's"
    mine = strength(fields.assertion)
    for field, effect in (("supersedes", "still stands"), ("resolves", "is not resolved by it")):
        for target in _targets(known, fields, field):
            theirs = assertion_of(target)
            if strength(theirs) > mine:
                yield f"{target.id} is {theirs}, more than {fields.assertion}: it {effect}"
    if fields.kind == "resolution" or fields.resolves:
        yield from _resolution_notes(known, fields)
    if fields.at - now > _FAR:
        yield "it is dated in the future; preflight will point that out"


def work_item(known: Known, fields: Experience) -> tuple[str, WorkItem] | None:
    """Return id and fields of the work item that the entry names."""
    for record in known.named(fields.work_item) if fields.work_item else ():
        if isinstance(record.fields, WorkItem):
            return record.id, record.fields
    return None


def _resolution_notes(known: Known, fields: Experience) -> Iterator[str]:
    resolved = (cast("Experience", t.fields) for t in _targets(known, fields, "resolves"))
    found = (work_item(known, each) for each in (fields, *resolved))
    items = dict(item for item in found if item is not None)
    for name, item in items.items():
        yield f"the work item {name} is left as it was, {item.status}{_next(name, item, fields)}"
    if not items:
        yield "no work item is changed by it"
    if not fields.resolves:
        yield "it names no failure that it resolves: --resolves ID does"


def _next(name: str, item: WorkItem, fields: Experience) -> str:
    """Return how the user moves a work item on to completed, as the lines to type."""
    way = [f"doll work {verb} {shlex.quote(name)}" for verb in way_to_done(item.status)]
    if not way:
        return ""
    who = "the user types" if fields.assertion == "model_proposed" else "if it is done, type"
    return f"; {who}: {' && '.join(way)}"


def _targets(known: Known, fields: Experience, field: str) -> Iterator[Record]:
    for name in getattr(fields, field):
        yield from (record for record in known.named(name) if record.type == "experience")


def _project(known: Known, name: str) -> str:
    return next((r.id for r in known.named(name) if r.type == "project"), name)


def _moment(text: str) -> datetime:
    try:
        moment = times.parse(text)
        moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise UsageError(f"--at: {text[:80]!r} is no time", hint=times.hint(text)) from error
    return moment
