"""Explaining: what one record has to do with a request, field by field, whether it spoke or not.

Pure, and of the same table as the rules (`doll.preflight.matching`). It decides nothing: a finding
says why it was found by itself, and this says why there is none.
"""

import shlex
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple, cast

from doll.errors import Problem
from doll.preflight.context import Context, prepare
from doll.preflight.history import History
from doll.preflight.inputs import Inputs, Pending
from doll.preflight.matching import (
    Outcome,
    match_actions,
    match_paths,
    match_project,
    match_scope,
    match_work_item,
)
from doll.preflight.request import Request
from doll.preflight.rules.decisions import replaced_decisions
from doll.records.model import (
    Capability,
    Decision,
    Experience,
    Permission,
    Policy,
    Procedure,
    Record,
    WorkItem,
    with_article,
)
from doll.records.names import fold


class Comparison(NamedTuple):
    """One field of a record (`says`) against the request (`given`, None where it is not given)."""

    field: str
    says: tuple[str, ...]
    given: tuple[str, ...] | None
    outcome: Outcome


class Account(NamedTuple):
    """What a record has to do with a request; `silent`: why it has no say whatever is asked."""

    record: Record
    silent: str
    comparisons: tuple[Comparison, ...]


def accounts(inputs: Inputs, request: Request, as_of: datetime, name: str) -> tuple[Account, ...]:
    """Return the account of each record that `name` is the id or an alias of, sorted by path."""
    context, _ = prepare(inputs, request, as_of)
    wanted = fold(name)
    entries = (entry.record for entry in inputs.experience)
    found = {
        (record.path, record.digest): record
        for record in (*inputs.authority, *entries)
        if wanted in {fold(record.id), *map(fold, record.fields.aliases)}
    }
    return tuple(
        Account(found[key], _silent(found[key], context), tuple(_compared(found[key], context)))
        for key in sorted(found)
    )


def uncounted(inputs: Inputs, name: str) -> tuple[Problem, ...]:
    """Return why files do not count as they are that `name` is the id or the path of."""
    unread = (*inputs.unreadable, *inputs.unreadable_experience)
    pending = (
        Problem(each.path, 0, 0, each.code, each.what, "note", _counting(each))
        for each in inputs.pending
    )
    wanted = {fold(name), fold(f"{name}.md")}
    found = (
        each
        for each in (*unread, *pending)
        if {fold(each.path), fold(each.path.rpartition("/")[2])} & wanted
    )
    return tuple(sorted(set(found)))


def _counting(pending: Pending) -> str:
    """Return the line, for the vault's folder, after which a change counts."""
    if pending.code == "authority.not_signed":
        return "git commit -S    signs your next change of it"
    path = shlex.quote(pending.path)
    return f"git add -A -- {path} && git commit -- {path}    on the vault's branch lets it count"


def _compared(record: Record, context: Context) -> Iterator[Comparison]:
    """Yield how the fields that decide compare; those that the record leaves out say nothing."""
    said, request = record.fields, context.request
    for field in ("project", "projects"):
        names = _texts(getattr(said, field, ()))
        outcome = match_project(context, field, names).outcome
        given = None if request.project is None else (request.project,)
        yield Comparison(field, names, given, outcome)
    for field in ("actions", "required_for"):
        actions = _texts(getattr(said, field, ()))
        yield Comparison(field, actions, request.actions, match_actions(context, actions).outcome)
    paths = _texts(getattr(said, "paths", ()))
    if not isinstance(said, WorkItem):
        yield Comparison("paths", paths, request.paths, match_paths(context, paths).outcome)
    item = getattr(said, "work_item", None)
    given = None if request.work_item is None else (request.work_item,)
    yield Comparison("work_item", _texts(item), given, match_work_item(context, item).outcome)
    yield from _about_capability(record, context)


def _about_capability(record: Record, context: Context) -> Iterator[Comparison]:
    said, actions = record.fields, context.request.actions
    if isinstance(said, Capability):
        of = {each.path for action in actions or () for each in context.registry.of(action)}
        yield Comparison("id", (record.id,), actions, _row(actions, hit=record.path in of))
    if isinstance(said, Permission):
        ids = context.resolver.resolve(said.capability, "capability").ids
        asked = {each.id for action in actions or () for each in context.registry.of(action)}
        hit = not asked.isdisjoint(ids)
        yield Comparison("capability", (said.capability,), actions, _row(actions, hit=hit))
        scope = match_scope(context, said.scope).outcome
        yield Comparison("scope", said.scope, context.request.scope, scope)


def _row(given: Sequence[str] | None, *, hit: bool) -> Outcome:
    if given is None:
        return "unknown"
    return "match" if hit else "none"


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return cast("tuple[str, ...]", value or ())


def _silent(record: Record, context: Context) -> str:
    """Return why a record has no say whatever is asked, "" for one that has."""
    said = record.fields
    if isinstance(said, Experience):
        return _silent_entry(record, said, context)
    if said.origin != "user":
        return f"its origin is {said.origin}, and only records of your own have a say"
    if isinstance(said, Policy):
        return _silent_policy(said, context.as_of)
    if isinstance(said, Permission):
        ended = said.valid_until is not None and said.valid_until <= context.as_of
        return "it has expired" if ended else ""
    return _silent_other(record, context)


def _silent_other(record: Record, context: Context) -> str:
    said = record.fields
    if isinstance(said, Capability):
        harmless = said.release == "available" and said.risk != "high"
        return f"it is available and of {said.risk} risk" if harmless else ""
    if isinstance(said, Decision):
        replaced = record.path in replaced_decisions(context)
        status = "" if said.status == "accepted" else f"its status is {said.status}"
        return status or ("another decision supersedes it" if replaced else "")
    if isinstance(said, Procedure):
        needless = "" if said.required_for else "it is required for no action"
        approved = said.status == "approved"
        return "it is approved, so nothing is missing" if approved else needless
    if isinstance(said, WorkItem):
        named = context.work_item is not None and context.work_item.path == record.path
        return "" if named else "a work item speaks only where the request names it"
    return f"{with_article(record.type)} is no rule"


def _silent_policy(policy: Policy, as_of: datetime) -> str:
    if not policy.enabled:
        return "it is not enabled"
    if policy.valid_from is not None and policy.valid_from > as_of:
        return "it is not valid yet"
    ended = policy.valid_until is not None and policy.valid_until <= as_of
    return "it is not valid any more" if ended else ""


def _silent_entry(record: Record, said: Experience, context: Context) -> str:
    if said.outcome != "failed":
        return f"its outcome is {said.outcome or 'not said'}, and only failures warn"
    history = History(context.experience, context.resolver)
    return "another entry supersedes it" if history.is_superseded(record) else ""
