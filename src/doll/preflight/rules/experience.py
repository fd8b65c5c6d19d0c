"""Experience: prior failures, entries from the future, entries that cannot be read.

It warns and never does more: history is no authority.
"""

from collections.abc import Iterator
from datetime import timedelta
from itertools import groupby
from typing import cast

from doll.errors import Problem
from doll.preflight.codes import CODES, failure_code
from doll.preflight.context import Context
from doll.preflight.findings import (
    Aside,
    Finding,
    Settled,
    effect_of,
    line_to_type,
    shown_title,
)
from doll.preflight.history import History
from doll.preflight.inputs import Entry
from doll.preflight.matching import Match, match
from doll.preflight.strength import assertion_of, trust
from doll.records.model import Experience, Record
from doll.records.names import fold

FUTURE = timedelta(hours=24)
_CORRECTION = "what holds now"
_RESOLUTION = "what works instead"


def find(context: Context) -> Iterator[Finding | Aside]:
    """Yield the prior failures that are directly relevant, and what is wrong with entries."""
    history = History(context.experience, context.resolver)
    yield from _once(_failures(history, context))
    yield from _in_the_future(history, context)
    yield from _unreadable(context)


def _once(found: Iterator[Finding | Aside]) -> Iterator[Finding | Aside]:
    """Leave out the work tree's version of an entry whose committed version is there already."""
    seen: set[str] = set()
    for item in found:
        if isinstance(item, Finding):
            if fold(item.record) in seen and not item.committed:
                continue
            seen.add(fold(item.record))
        yield item


def _failures(history: History, context: Context) -> Iterator[Finding | Aside]:
    for entry in sorted(history.current(), key=lambda entry: not entry.committed):
        fields = cast("Experience", entry.record.fields)
        if fields.outcome != "failed":
            continue
        found = _match(context, fields)
        if found:
            yield _failure(entry, found, history, hook=context.request.hook)


def _match(context: Context, fields: Experience) -> Match | None:
    return match(
        context, ("project", (fields.project,)), fields.actions, fields.paths, fields.work_item
    )


def _failure(entry: Entry, found: Match, history: History, *, hook: bool) -> Finding | Aside:
    record, fields = entry.record, cast("Experience", entry.record.fields)
    assertion = assertion_of(record)
    code = failure_code(assertion)
    effect = effect_of(CODES[code], record, found, hook=hook)
    if isinstance(effect, Aside):
        return effect
    title = shown_title(record)
    resolutions = history.resolutions(record)
    about = ("--project", fields.project, "--resolves", record.id)
    log = line_to_type("log", "resolution", _RESOLUTION, *about)
    return Finding(
        code=code,
        severity=effect,
        record=record.id,
        path=record.path,
        line=record.line("outcome"),
        title=title,
        detail="this failed before",
        answer=line_to_type("correct", record.id, _CORRECTION),
        at=fields.at,
        assertion=assertion,
        origin=fields.origin,
        committed=entry.committed,
        evidence=() if title is None else fields.evidence,
        matched_on=found.matched,
        unknown=found.unknown,
        resolutions=tuple(_settled(other) for other in resolutions),
        alternative="" if resolutions else log,
        trust=trust(record, committed=entry.committed),
    )


def _settled(record: Record) -> Settled:
    return Settled(record.id, record.path, shown_title(record), assertion_of(record))


def _in_the_future(history: History, context: Context) -> Iterator[Finding]:
    """Yield one finding for all entries of the project that are dated too late."""
    late = [
        entry
        for entry in history.current()
        if cast("Experience", entry.record.fields).at - context.as_of > FUTURE
        and _may_be_of_the_project(context, cast("Experience", entry.record.fields).project)
    ]
    if late:
        first = min(late, key=lambda entry: trust(entry.record, committed=entry.committed)).record
        number = len({fold(entry.record.id) for entry in late})
        yield Finding(
            code="experience.in_the_future",
            severity=CODES["experience.in_the_future"].effect,
            record=first.id,
            path=first.path,
            line=first.line("at"),
            title=None,
            detail=f"{number} {'entry is' if number == 1 else 'entries are'} dated more than"
            " 24 hours after the moment of this check, such as",
            answer=line_to_type("correct", first.id, _CORRECTION),
            trust=4,
        )


def _unreadable(context: Context) -> Iterator[Finding]:
    """Yield one finding per file, at its first problem."""
    problems = sorted(set(context.unreadable_experience))
    for path, found in groupby(problems, key=lambda problem: problem.path):
        if _may_be_of_the_project(context, *path.split("/")[1:-1][:1]):
            yield _not_read(path, next(found))


def _not_read(path: str, problem: Problem) -> Finding:
    return Finding(
        code="experience.unreadable",
        severity=CODES["experience.unreadable"].effect,
        record=path.rpartition("/")[2].removesuffix(".md"),
        path=path,
        line=problem.line,
        title=None,
        detail=f"an entry cannot be read ({problem.message})",
        answer=line_to_type("validate"),
        trust=4,
    )


def _may_be_of_the_project(context: Context, name: str | None = None) -> bool:
    """Return False only for what is surely of another project than the request's."""
    project = context.request.project
    if project is None or name is None:
        return True
    ids, code, _ = context.resolver.resolve(name, "project")
    return code is not None or project in ids
