"""The work item that the request names: blocked, or waiting for another one."""

from collections.abc import Iterator
from typing import cast

from doll.preflight.context import Context
from doll.preflight.findings import Aside, Finding, finding, shown_title
from doll.preflight.matching import Match, Matched
from doll.records.model import Record, WorkItem


def find(context: Context) -> Iterator[Finding | Aside]:
    """Yield what stands against the named work item, one finding per dependency."""
    record = context.work_item
    if record is None:
        return
    hook, item = context.request.hook, cast("WorkItem", record.fields)
    if item.status == "blocked":
        reasons = "; ".join(item.blocked_by)
        shown = reasons and shown_title(record) is not None
        detail = f"the work item is blocked ({reasons})" if shown else "the work item is blocked"
        yield finding("work_item.blocked", record, _named(record), "status", detail, hook=hook)
    for reference in item.depends_on:
        other = context.resolver.record(reference, "work-item")
        status = cast("WorkItem", other.fields).status if other else "completed"
        if other and status != "completed":
            detail = f"the work item depends on {other.id}, which is {status}"
            yield finding(
                "work_item.dependency_incomplete",
                record,
                _named(record),
                "depends_on",
                detail,
                hook=hook,
            )


def _named(record: Record) -> Match:
    """Return the match of the work item that the request names."""
    return Match((Matched("work_item", record.id, record.id),), (), targeted=True)
