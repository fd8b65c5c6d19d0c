"""A report as plain data: the fields of `doll preflight --json`, documented and key-stable.

Values are texts, numbers, flags, None, lists and dicts; the same report gives the same data.
Source: docs/preflight.md, "JSON".
"""

from datetime import UTC, datetime
from typing import Any

from doll.errors import Problem
from doll.preflight.codes import RULESET, RULESET_VERSION
from doll.preflight.context import Obstacle
from doll.preflight.findings import Finding
from doll.preflight.report import Report

SCHEMA = "doll.preflight/1"
# The request's paths are echoed up to this number; `paths_total` counts them all.
PATHS_SHOWN = 100


def report_payload(report: Report) -> dict[str, Any]:
    """Return `report` as data for JSON, without the `schema` key."""
    return {
        "as_of": _time(report.as_of),
        "authorizes": report.authorizes,
        "codes": dict(report.codes),
        "accepted_commit": report.commit,
        "complete": report.complete,
        "counts": dict(report.counts),
        "draft": report.draft,
        "findings": [_finding(finding) for finding in report.findings],
        "head": report.head,
        "notes": [note._asdict() for note in report.notes],
        "omitted": dict(report.omitted),
        "problems": [_problem(obstacle) for obstacle in report.obstacles],
        "request": _request(report),
        "ruleset": {"name": RULESET, "version": RULESET_VERSION},
        "status": report.status,
    }


def _request(report: Report) -> dict[str, Any]:
    request = report.request
    return {
        "actions": _list(request.actions),
        "actions_from_paths": list(report.derived),
        "hook": request.hook,
        "paths": None if request.paths is None else list(request.paths[:PATHS_SHOWN]),
        "paths_total": None if request.paths is None else len(request.paths),
        "project": request.project,
        "range": request.range,
        "scope": _list(request.scope),
        "work_item": request.work_item,
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "alternative": finding.alternative,
        "answer": finding.answer,
        "assertion": finding.assertion,
        "at": None if finding.at is None else _time(finding.at),
        "code": finding.code,
        "committed": finding.committed,
        "detail": finding.detail,
        "evidence": list(finding.evidence),
        "line": finding.line,
        "matched_on": [matched._asdict() for matched in finding.matched_on],
        "origin": finding.origin,
        "path": finding.path,
        "record": finding.record,
        "resolutions": [settled._asdict() for settled in finding.resolutions],
        "severity": finding.severity,
        "title": finding.title,
        "unknown": list(finding.unknown),
    }


def _problem(obstacle: Obstacle) -> dict[str, Any]:
    problem: Problem = obstacle.problem
    return {
        "code": problem.code,
        "column": problem.column,
        "hint": problem.hint,
        "line": problem.line,
        "message": problem.message,
        "path": problem.path,
        "stops": obstacle.stops,
    }


def _list(values: tuple[str, ...] | None) -> list[str] | None:
    return None if values is None else list(values)


def _time(moment: datetime) -> str:
    """Return a moment in UTC; at the calendar's ends, where UTC has no date, as it stands."""
    try:
        return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
    except OverflowError:
        return moment.isoformat()
