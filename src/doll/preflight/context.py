"""What every rule looks at: the resolved request, the accepted records, and the moment.

Owns the step from what was given to what it means, and the obstacles found on the way: whatever
makes the answer incomplete. It decides nothing about the request.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, cast

from doll.errors import Problem
from doll.preflight import request as asking
from doll.preflight.inputs import Entry, Inputs
from doll.preflight.paths import PathIndex
from doll.preflight.references import broken_references, projects_of, reference_problem
from doll.preflight.registry import Registry
from doll.preflight.request import REQUEST, ActionRule, Request
from doll.preflight.resolver import Resolver, by_type
from doll.records.model import Record, RecordType, WorkItem

_MARKER = "doll.yaml"


class Obstacle(NamedTuple):
    """Why the answer is not complete; `stops`: in a hook it stops the commit."""

    problem: Problem
    stops: bool


class Context(NamedTuple):
    """What the rules see. `request` holds canonical ids and the derived actions too.

    `possible` are actions that the paths mean in some project, where nobody says which project.
    `paths` is None where the request gives none. `work_item` is None unless the request names a
    work item of its project.
    """

    request: Request
    derived: tuple[str, ...]
    possible: tuple[str, ...]
    as_of: datetime
    resolver: Resolver
    registry: Registry
    authority: Mapping[RecordType, list[Record]]
    experience: Sequence[Entry]
    unreadable_experience: Sequence[Problem]
    paths: PathIndex | None
    work_item: Record | None


def prepare(
    inputs: Inputs, request: Request, as_of: datetime
) -> tuple[Context, tuple[Obstacle, ...]]:
    """Return the context of a check and what stands in the way of a complete answer, sorted."""
    accepted = [record for record in inputs.authority if record.fields.origin == "user"]
    resolver = Resolver(accepted)
    authority = by_type(accepted)
    registry = Registry(authority.get("capability", ()))
    faults = [*asking.faults(request)]
    work_item = _named(request.work_item, "work-item", resolver, faults)
    project = _named(request.project, "project", resolver, faults)
    project_id = project.id if project else None
    if work_item and request.project is None:
        project_id = _project_of(work_item, resolver)
    elif work_item and project_id and _project_of(work_item, resolver) not in (project_id, None):
        faults.append(_other_project(work_item, project_id))
        work_item = None
    rules = list(_sound_rules(inputs.action_map, resolver, faults))
    paths = None if request.paths is None else PathIndex(request.paths)
    derived = () if paths is None else asking.derive_actions(rules, project_id, paths)
    possible: tuple[str, ...] = ()
    if paths is not None and project_id is None and request.project is None:
        possible = asking.derive_actions([r._replace(project=None) for r in rules], None, paths)
    given = _expanded(request.actions, registry, faults)
    resolved = Request(
        project=project_id,
        actions=_actions(given, derived, hook=request.hook),
        paths=None if request.paths is None else tuple(sorted(set(request.paths))),
        work_item=work_item.id if work_item else None,
        scope=None if request.scope is None else tuple(sorted(set(request.scope))),
        hook=request.hook,
        range=request.range,
    )
    context = Context(
        request=resolved,
        derived=derived,
        possible=possible,
        as_of=as_of,
        resolver=resolver,
        registry=registry,
        authority=authority,
        experience=inputs.experience,
        unreadable_experience=inputs.unreadable_experience,
        paths=paths,
        work_item=work_item,
    )
    return context, tuple(sorted({*_obstacles(inputs, context, faults)}, key=_order))


def _order(obstacle: Obstacle) -> tuple[bool, Problem]:
    return not obstacle.stops, obstacle.problem


def _obstacles(inputs: Inputs, context: Context, faults: list[Problem]) -> Iterator[Obstacle]:
    yield from (Obstacle(problem, stops=True) for problem in inputs.unreadable)
    yield from (Obstacle(problem, stops=False) for problem in (*inputs.obstacles, *faults))
    for record in inputs.authority:
        if record.fields.origin != "user":
            yield Obstacle(_not_the_users(record), stops=False)
            continue
        for problem in broken_references(record, context.resolver):
            yield Obstacle(problem, stops=_can_concern(record, context))


def _can_concern(record: Record, context: Context) -> bool:
    """Return False only where a record is surely about other projects than the request's."""
    project, names = context.request.project, projects_of(record)
    if project is None or not names:
        return True
    found = [context.resolver.resolve(name, "project") for name in names]
    return any(code is not None or project in ids for ids, code, _ in found)


def _named(
    reference: str | None, wanted: RecordType, resolver: Resolver, faults: list[Problem]
) -> Record | None:
    if reference is None:
        return None
    problem = reference_problem(reference, wanted, resolver, REQUEST, 0)
    if problem:
        faults.append(problem)
    return resolver.record(reference, wanted)


def _project_of(work_item: Record, resolver: Resolver) -> str | None:
    project = resolver.record(cast("WorkItem", work_item.fields).project, "project")
    return project.id if project else None


def _other_project(work_item: Record, project_id: str) -> Problem:
    named = cast("WorkItem", work_item.fields).project
    message = f"the work item {work_item.id!a} belongs to {named!a}, not to {project_id!a}"
    hint = f"name a work item of {project_id}, or ask about {named}"
    return Problem(REQUEST, 0, 0, "request.other_project", message, hint=hint)


def _not_the_users(record: Record) -> Problem:
    message = f"a record of origin {record.fields.origin} has no say here; it is not looked at"
    hint = "if it is yours, take `origin` out and commit; else remove the file"
    return Problem(record.path, record.line("origin"), 1, "authority.origin", message, hint=hint)


class _Rule(NamedTuple):
    project: str | None
    paths: tuple[str, ...]
    actions: tuple[str, ...]


def _sound_rules(
    rules: Sequence[ActionRule], resolver: Resolver, faults: list[Problem]
) -> Iterator[_Rule]:
    """Yield the entries of the map with canonical project ids; the others become faults."""
    for rule in rules:
        if rule.project is None:
            yield _Rule(None, rule.paths, rule.actions)
            continue
        problem = reference_problem(rule.project, "project", resolver, _MARKER, 0)
        project = resolver.record(rule.project, "project")
        if problem:
            faults.append(problem)
        elif project:
            yield _Rule(project.id, rule.paths, rule.actions)


def _expanded(
    actions: tuple[str, ...] | None, registry: Registry, faults: list[Problem]
) -> tuple[str, ...] | None:
    """Return the given actions, each pattern as the registered capabilities that it matches."""
    if actions is None:
        return None
    found: list[str] = []
    for action in actions:
        named = [*registry.matching(action)] if asking.is_pattern(action) else [action]
        if not named:
            message = f"no registered capability matches {action!a}"
            hint = "`doll list --type capability` shows them"
            faults.append(Problem(REQUEST, 0, 0, "request.value", message, hint=hint))
        found += named
    return tuple(found)


def _actions(
    given: tuple[str, ...] | None, derived: tuple[str, ...], *, hook: bool
) -> tuple[str, ...] | None:
    """Return given and derived actions; None where none is given and none can be derived."""
    if given is None and not derived and not hook:
        return None
    return tuple(sorted({*(given or ()), *derived}))
