"""Open work and decisions of the project, as they are accepted.

With a project all of its own may be chosen; without one only what shares a word with the task or
matches an action or path of it. First comes what matches, then what shares most words.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, cast

from doll.preflight.matching import Matched, match
from doll.preflight.rules.decisions import replaced_decisions
from doll.records.model import Decision, Record, WorkItem
from doll.records.names import fold
from doll.services.packing.asked import Asked, Tally, best, shows
from doll.services.packing.candidates import Bounds, Candidate, candidate, moment
from doll.services.packing.ground import Ground
from doll.services.packing.quoting import words

_OPEN = ("in_progress", "blocked", "ready")


class _Found(NamedTuple):
    """A record that may concern the task: what of the request it matches, and the words shared."""

    record: Record
    body: str
    matched: tuple[Matched, ...]
    shared: tuple[str, ...]


def open_work(ground: Ground, asked: Asked, bounds: Bounds, tally: Tally) -> Iterator[Candidate]:
    """Yield the work items that are ready, in progress or blocked, with what they wait for."""
    items = [
        record
        for record in ground.context.authority.get("work-item", ())
        if cast("WorkItem", record.fields).status in _OPEN
    ]
    found = _concerning(ground, items, bounds, asked, tally)
    for each in best(sorted(found, key=_work_order), tally):
        said = cast("WorkItem", each.record.fields)
        facts = {
            "project": _shown_project(ground, asked, said.project),
            "status": said.status,
            "priority": said.priority or "",
            "waits for": ", ".join(_waiting(ground, asked, said)),
        }
        why = _why(each, "open work of the project")
        yield candidate("work", each.record, each.body, bounds, facts, why)


def decisions(ground: Ground, asked: Asked, bounds: Bounds, tally: Tally) -> Iterator[Candidate]:
    """Yield the accepted decisions that no other one has replaced."""
    replaced = replaced_decisions(ground.context)
    accepted = [
        record
        for record in ground.context.authority.get("decision", ())
        if cast("Decision", record.fields).status == "accepted" and record.path not in replaced
    ]
    found = _concerning(ground, accepted, bounds, asked, tally)
    for each in best(sorted(found, key=_decision_order), tally):
        said = cast("Decision", each.record.fields)
        facts = {
            "project": _shown_project(ground, asked, said.project),
            "decided": moment(said.decided_at)[:10],
        }
        why = _why(each, "accepted in the project")
        yield candidate("decisions", each.record, each.body, bounds, facts, why)


def _concerning(
    ground: Ground, records: Iterable[Record], bounds: Bounds, asked: Asked, tally: Tally
) -> list[_Found]:
    """Return those of the records that the pack may take: of the project, or else related."""
    wanted = [record for record in records if _of_project(ground, record)]
    settled = [record for record in wanted if record.path not in ground.unsettled]
    bodies = ground.bodies(settled)
    found = []
    for record in wanted:
        fields = cast("WorkItem | Decision", record.fields)
        body = bodies.get(record.path, "")
        actions = fields.actions if isinstance(fields, Decision) else ()
        matching = match(ground.context, ("project", (fields.project,)), actions, fields.paths)
        targets = tuple(m for m in matching.matched if m.field != "project") if matching else ()
        terms = words(record, body)
        shared = tuple(dict.fromkeys(said for t, said in bounds.terms.items() if t in terms))
        if ground.project is None and not targets and not shared:
            continue
        if not shows(asked, record, tally):
            continue
        if record.path in ground.unsettled:
            tally.add("unsettled", record.id)
        elif ground.is_unproven:
            tally.add("not_signed", record.id)
        else:
            found.append(_Found(record, body, targets, shared))
    return found


def _of_project(ground: Ground, record: Record) -> bool:
    name = cast("WorkItem | Decision", record.fields).project
    return ground.project is None or ground.named_project(name) == ground.project


def _work_order(found: _Found) -> tuple[bool, int, int, str]:
    status = cast("WorkItem", found.record.fields).status
    shared = len(found.shared)
    return not found.matched, -shared, _OPEN.index(status), fold(found.record.id)


def _decision_order(found: _Found) -> tuple[bool, int, float, str]:
    """Return the key of the order: matching, sharing words, the newest, those without a date."""
    decided = cast("Decision", found.record.fields).decided_at
    newest = -decided.timestamp() if decided else 0.0
    return not found.matched, -len(found.shared), newest, fold(found.record.id)


def _why(found: _Found, otherwise: str) -> list[str]:
    why = [matched_words(matched) for matched in found.matched]
    if found.shared:
        why.append(f"shares with the task: {', '.join(found.shared)}")
    return why or [otherwise]


def matched_words(matched: Matched) -> str:
    """Return `paths: migrations/** matches migrations/0042.sql`."""
    return f"{matched.field}: {matched.pattern} matches {matched.value}"


def _shown_project(ground: Ground, asked: Asked, name: str) -> str:
    """Return the project's id; "" where the head says it, or where its label keeps it out."""
    project = ground.context.resolver.record(name, "project")
    if project is None or project.id == ground.project:
        return ""
    return project.id if asked.may_show(project.fields.sensitivity) else ""


def _waiting(ground: Ground, asked: Asked, item: WorkItem) -> Iterator[str]:
    """Yield the work items that have to be completed first and are not."""
    for name in item.depends_on:
        other = ground.context.resolver.record(name, "work-item")
        if other is None:
            continue
        status = cast("WorkItem", other.fields).status
        if status != "completed":
            shown = asked.may_show(other.fields.sensitivity)
            yield f"{other.id} ({status})" if shown else f"another one ({status})"
