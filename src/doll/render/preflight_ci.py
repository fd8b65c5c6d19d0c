"""A preflight report as other tools show it: GitHub's annotations, GitLab's code quality report.

Both put a finding at a path of the request where one matched, since that is the file of the change,
and else at the record. Sources: docs.github.com, "Workflow commands"; docs.gitlab.com, "Code
Quality", the report format.
"""

import hashlib
import json
from collections.abc import Iterator
from typing import NamedTuple

from doll.preflight import Finding, Obstacle, Report
from doll.render.document import whole
from doll.render.preflight_text import covered, more_lines, name_of, place_of, trouble_of
from doll.render.text import visible

_ANNOTATIONS = {"blocked": "error", "confirmation_required": "warning", "warning": "warning"}
_SEVERITIES = {"blocked": "blocker", "confirmation_required": "major", "warning": "minor"}
# GitLab wants a file for each entry; a problem of the request itself has none.
_NOWHERE = "doll.yaml"


class _Place(NamedTuple):
    path: str
    line: int


def github_lines(report: Report) -> list[str]:
    """Return one workflow command for each finding and problem, none where all is clear."""
    report = covered(report)
    lines = [_annotation(finding) for finding in report.findings]
    lines += [_trouble_annotation(obstacle) for obstacle in report.obstacles]
    return [*lines, *(_command("notice", {}, line) for line in more_lines(report))]


def gitlab_json(report: Report) -> str:
    """Return the code quality report: a JSON list, empty where all is clear."""
    report = covered(report)
    entries = [_entry(finding) for finding in report.findings]
    entries += [_trouble_entry(obstacle) for obstacle in report.obstacles]
    return json.dumps(whole(entries), ensure_ascii=False, indent=2, sort_keys=True)


def _annotation(finding: Finding) -> str:
    place = _place(finding)
    properties = {"file": place.path, "line": str(max(place.line, 1)), "title": finding.code}
    return _command(_ANNOTATIONS[finding.severity], properties, _said(finding))


def _trouble_annotation(obstacle: Obstacle) -> str:
    return _command("error", {"title": obstacle.problem.code}, _not_checked(obstacle))


def _command(kind: str, properties: dict[str, str], message: str) -> str:
    said = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{kind}{' ' if said else ''}{said}::{_escaped(message)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def _entry(finding: Finding) -> dict[str, object]:
    place = _place(finding)
    return _quality(
        _said(finding),
        finding.code,
        _SEVERITIES[finding.severity],
        place,
        (finding.code, finding.path, place.path),
    )


def _trouble_entry(obstacle: Obstacle) -> dict[str, object]:
    problem = obstacle.problem
    place = _Place(problem.path if problem.line else _NOWHERE, problem.line)
    facts = (problem.code, problem.path, problem.message)
    return _quality(_not_checked(obstacle), problem.code, "critical", place, facts)


def _quality(
    said: str, code: str, severity: str, place: _Place, facts: tuple[str, ...]
) -> dict[str, object]:
    """Return one entry; `facts` are what makes it the same one in another run."""
    return {
        "description": said,
        "check_name": code,
        "fingerprint": hashlib.sha256("\0".join(facts).encode("utf-8", "replace")).hexdigest(),
        "severity": severity,
        "location": {"path": visible(place.path), "lines": {"begin": max(place.line, 1)}},
    }


def _place(finding: Finding) -> _Place:
    changed = next((m.value for m in finding.matched_on if m.field == "paths"), None)
    return _Place(finding.path, finding.line) if changed is None else _Place(changed, 1)


def _said(finding: Finding) -> str:
    return " ".join(_sentences(finding))


def _sentences(finding: Finding) -> Iterator[str]:
    yield f"{visible(finding.detail)}: {name_of(finding)} ({place_of(finding)})."
    yield f"To type: {visible(finding.answer)}"


def _not_checked(obstacle: Obstacle) -> str:
    return f"NOT CHECKED: {trouble_of(obstacle)}"
