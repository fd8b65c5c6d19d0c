"""Duplicates as JSON: `doll.duplicates/1`, a document for each thing that the command does."""

from collections.abc import Sequence

from doll.errors import Problem
from doll.records import times
from doll.render.duplicates_values import (
    Duplicates,
    Finding,
    Judged,
    Member,
    Proposed,
    Side,
    Verdict,
)
from doll.render.problems import problem_values

SCHEMA = "doll.duplicates/1"


def report_values(
    report: Duplicates, proposed: Proposed | None, problems: Sequence[Problem]
) -> dict[str, object]:
    """Return the values of a report, with what was proposed (null where nothing was asked)."""
    return {
        "as_of": times.render(report.as_of),
        "findings": [_finding(each) for each in report.findings],
        "counts": dict(report.counts),
        "hidden": report.hidden,
        "compared": report.compared,
        "left_out": dict(report.left_out),
        "judged": report.judged,
        "judged_not_committed": report.not_committed,
        "cut": report.cut,
        "changed": report.changed,
        "problems": problem_values(problems),
        "unreadable": problem_values(report.unreadable),
        "proposed": None if proposed is None else _proposed(proposed),
    }


def verdict_values(verdicts: Sequence[Verdict], problems: Sequence[Problem]) -> dict[str, object]:
    """Return the values of a list of judgements."""
    return {
        "judgements": [each._asdict() for each in verdicts],
        "problems": problem_values(problems),
    }


def judged_values(done: Judged, steps: Sequence[str]) -> dict[str, object]:
    """Return the values of a judgement; `steps` are the lines that commit it."""
    return {
        "ids": list(done.ids),
        "path": done.path,
        "verdict": None if done.undone else "distinct",
        "changed": done.changed,
        "commit": done.commit or None,
        "next": list(steps),
    }


def _proposed(proposed: Proposed) -> dict[str, object]:
    return {
        "proposals": [
            {**each._asdict(), "supersedes": list(each.supersedes), "reason": each.reason or None}
            for each in proposed.proposals
        ],
        "hints": [{"id": record_id, "reason": reason} for record_id, reason in proposed.hints],
        "commit": proposed.commit or None,
    }


def _finding(finding: Finding) -> dict[str, object]:
    return {
        "kind": finding.kind,
        "why": finding.why,
        "leader": _side(finding.leader),
        "members": [_member(each) for each in finding.members],
        "paths": list(finding.paths),
        "more": finding.more,
    }


def _side(side: Side) -> dict[str, object]:
    return {**side._asdict(), "facts": dict(side.facts)}


def _member(member: Member) -> dict[str, object]:
    return {
        **member._asdict(),
        "side": _side(member.side),
        "added": list(member.added),
        "lacking": list(member.lacking),
        "judged": member.judged or None,
        "judged_before": member.judged_before or None,
    }
