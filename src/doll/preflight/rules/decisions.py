"""Accepted decisions about this request, save those that another decision has replaced."""

from collections.abc import Iterator
from typing import cast

from doll.preflight.context import Context
from doll.preflight.findings import Aside, Finding, finding
from doll.preflight.links import Link, sound
from doll.preflight.matching import match
from doll.records.model import Decision, Record


def find(context: Context) -> Iterator[Finding | Aside]:
    """Yield the accepted decisions that match, dated by when they were taken."""
    replaced = replaced_decisions(context)
    for record in context.authority.get("decision", ()):
        decision = cast("Decision", record.fields)
        if decision.status != "accepted" or record.path in replaced:
            continue
        found = match(context, ("project", (decision.project,)), decision.actions, decision.paths)
        if found:
            said = finding(
                "decision.applies",
                record,
                found,
                "status",
                "this has been decided",
                hook=context.request.hook,
            )
            if isinstance(said, Finding):
                said = said._replace(at=decision.decided_at)
            yield said


def replaced_decisions(context: Context) -> frozenset[str]:
    """Return the paths of decisions that one of the same project supersedes.

    A proposed decision replaces nothing; one that has itself been superseded once did.
    """
    links = sound(
        Link(record.path, target.path)
        for record in context.authority.get("decision", ())
        for target in _targets(context, record)
    )
    return frozenset(link.target for link in links)


def _targets(context: Context, record: Record) -> Iterator[Record]:
    decision = cast("Decision", record.fields)
    if decision.status == "proposed":
        return
    project = context.resolver.record(decision.project, "project")
    for reference in decision.supersedes:
        target = context.resolver.record(reference, "decision")
        if target is None or project is None:
            continue
        theirs = cast("Decision", target.fields).project
        if context.resolver.record(theirs, "project") == project:
            yield target
