"""The one matching table: what a record names against what a request gives.

| the record | the request | result |
|---|---|---|
| leaves the field out | anything | does not matter |
| names it | a value matches | match |
| names it | values, none matches | no finding |
| names it | field not given | unknown |

An action that the request's paths mean in some project only is unknown while the project is.
Every rule goes through `match`; none compares for itself, and nothing goes by vocabulary.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from doll.preflight.context import Context

Outcome = Literal["any", "match", "none", "unknown"]
Part = Literal["project", "actions", "paths", "scope"]

# What a person types to give a part of the request.
OPTIONS: Mapping[Part, str] = {
    "project": "--project",
    "actions": "--action",
    "paths": "--path",
    "scope": "--scope",
}


class Matched(NamedTuple):
    """Which field of the record matched: what it says there, and the part of the request."""

    field: str
    pattern: str
    value: str


class Match(NamedTuple):
    """How a record applies to a request.

    `targeted`: an action, path or work item that the record names is one of the request's.
    `unknown`: the parts of the request that are not given and would decide.
    """

    matched: tuple[Matched, ...]
    unknown: tuple[Part, ...]
    targeted: bool


class Result(NamedTuple):
    """`decides`: the part of the request that is not given, where it is another than compared."""

    outcome: Outcome
    matched: tuple[Matched, ...] = ()
    decides: Part | None = None


def outcome(*, named: bool, given: bool, hit: bool) -> Outcome:
    """Return the table's row: `hit` says that a value of the request matches."""
    if not named:
        return "any"
    if not given:
        return "unknown"
    return "match" if hit else "none"


def match(
    context: Context,
    projects: tuple[str, Sequence[str]],
    actions: Sequence[str] = (),
    paths: Sequence[str] = (),
    work_item: str | None = None,
) -> Match | None:
    """Return how a record applies, None where it does not.

    `projects` is the record's field and the ids in it. The project must match; of the actions and
    paths that the record names, one must, and then the other no longer counts. A record's work
    item that is the request's counts as they do.
    """
    project = match_project(context, *projects)
    if project.outcome == "none":
        return None
    target = _target(context, actions, paths, work_item)
    if target is None:
        return None
    unknown: tuple[Part, ...] = ("project",) if project.outcome == "unknown" else ()
    unknown = tuple(dict.fromkeys(unknown + target.unknown))
    return Match(project.matched + target.matched, unknown, target.targeted)


def _target(
    context: Context, actions: Sequence[str], paths: Sequence[str], work_item: str | None
) -> Match | None:
    results: dict[Part, Result] = {
        "actions": match_actions(context, actions),
        "paths": match_paths(context, paths),
    }
    item = match_work_item(context, work_item)
    matched = [m for result in (*results.values(), item) for m in result.matched]
    if matched:
        return Match(tuple(matched), (), targeted=True)
    outcomes = {result.outcome for result in results.values()}
    if outcomes == {"any"}:
        # A work item alone narrows a record only where the request names another one.
        return None if item.outcome == "none" else Match((), (), targeted=False)
    if "unknown" not in outcomes:
        return None
    unknown = (r.decides or part for part, r in results.items() if r.outcome == "unknown")
    return Match((), tuple(unknown), targeted=False)


def match_project(context: Context, field: str, names: Sequence[str]) -> Result:
    """Return how a record's projects, in `field`, match the request's."""
    wanted = context.request.project
    ambiguous = False
    for name in names:
        ids, code, _ = context.resolver.resolve(name, "project")
        if wanted in ids and code is None:
            return Result("match", (Matched(field, name, wanted or ""),))
        # Two records share the name and one of them is the project: nobody knows which is meant.
        ambiguous = ambiguous or wanted in ids
    if ambiguous:
        return Result("unknown")
    return Result(outcome(named=bool(names), given=wanted is not None, hit=False))


def match_actions(context: Context, patterns: Sequence[str]) -> Result:
    """Return how a record's actions match the request's."""
    given = context.request.actions
    hit = first_action(patterns, given or ())
    matched = (Matched("actions", *hit),) if hit else ()
    row = outcome(named=bool(patterns), given=given is not None, hit=bool(hit))
    if row == "none" and first_action(patterns, context.possible):
        return Result("unknown", decides="project")
    return Result(row, matched)


def match_paths(context: Context, patterns: Sequence[str]) -> Result:
    """Return how a record's path patterns match the request's paths."""
    hit = context.paths.first_of(patterns) if context.paths is not None else None
    matched = (Matched("paths", *hit),) if hit else ()
    row = outcome(named=bool(patterns), given=context.paths is not None, hit=bool(hit))
    return Result(row, matched)


def match_work_item(context: Context, name: str | None) -> Result:
    """Return how the work item that a record names matches the request's."""
    wanted = context.request.work_item
    hit = bool(name and wanted and wanted in context.resolver.resolve(name, "work-item").ids)
    matched = (Matched("work_item", name, wanted),) if hit and name and wanted else ()
    return Result(outcome(named=name is not None, given=wanted is not None, hit=hit), matched)


def match_scope(context: Context, entries: Sequence[str]) -> Result:
    """Return how the scope of a permission matches the request's.

    Each key is a field of its own: the request must have one of the values that are named for it.
    """
    wanted: dict[str, list[str]] = {}
    for entry in entries:
        key, _, value = entry.partition("=")
        wanted.setdefault(key, []).append(value)
    given = dict(entry.partition("=")[::2] for entry in context.request.scope or ())
    if any(key in given and given[key] not in values for key, values in wanted.items()):
        return Result("none")
    found = (f"{key}={given[key]}" for key in wanted if key in given)
    matched = tuple(Matched("scope", entry, entry) for entry in found)
    known = given.keys() >= wanted.keys()
    return Result(outcome(named=bool(wanted), given=known, hit=known), matched)


def action_matches(pattern: str, action: str) -> bool:
    """Return whether a record's `db.migrate` is about `action`: itself or anything below it."""
    return action == pattern or action.startswith(pattern + ".")


def first_action(patterns: Iterable[str], actions: Sequence[str]) -> tuple[str, str] | None:
    """Return the first pattern that matches, in the record's order, and the action it matches."""
    for pattern in patterns:
        for action in actions:
            if action_matches(pattern, action):
                return pattern, action
    return None
