"""Reports for GitHub and GitLab: their formats, and text of records that cannot break out."""

import json
import re
from typing import Any

from doll.preflight import Report
from doll.render.preflight_ci import github_lines, gitlab_json
from tests.preflight_builders import check, failure, record

POLICY = record("policy", "no-sql", title="No SQL: 100%, please", paths=["db/*"])
COMMAND = re.compile(
    r"::(error|warning|notice)( (file|line|title)=[^:\r\n]*(,(file|line|title)=[^:\r\n]*)*)?::.*"
)


def many() -> Report:
    return check(
        POLICY,
        failure("locked", actions=["db"], title="a\n::error::b\r%0A"),
        record("policy", "broken", projects=["nobody"], paths=["nothing"]),
        record("policy", "ask", effect="require_confirmation", actions=["db"]),
        actions=("db",),
        paths=("db/1,2:3.sql",),
    )


def test_github_puts_a_finding_at_the_changed_file() -> None:
    lines = github_lines(many())
    assert lines[0] == (
        "::error file=db/1%2C2%3A3.sql,line=1,title=policy.denied::"
        "a policy denies this: No SQL: 100%25, please (authority/policies/no-sql.md:2). "
        "To type: doll show no-sql"
    )
    assert lines[1].startswith(
        "::warning file=authority/policies/ask.md,line=2,title=policy.confirmation_required::"
    )
    assert lines[-1].startswith("::error title=reference.unresolved::NOT CHECKED: ")


def test_github_takes_each_line_for_one_command() -> None:
    lines = github_lines(many())
    assert len(lines) == 4
    assert all(COMMAND.fullmatch(line) for line in lines)
    assert "a\\u{a}::error::b" in lines[2]


def test_gitlab_has_one_entry_each() -> None:
    entries: list[dict[str, Any]] = json.loads(gitlab_json(many()))
    assert [(e["check_name"], e["severity"]) for e in entries] == [
        ("policy.denied", "blocker"),
        ("policy.confirmation_required", "major"),
        ("experience.prior_failure.user_recorded", "minor"),
        ("reference.unresolved", "critical"),
    ]
    assert entries[0]["location"] == {"path": "db/1,2:3.sql", "lines": {"begin": 1}}
    assert entries[1]["location"] == {"path": "authority/policies/ask.md", "lines": {"begin": 2}}
    prints = [entry["fingerprint"] for entry in entries]
    assert len(set(prints)) == 4
    assert all(re.fullmatch("[0-9a-f]{64}", each) for each in prints)
    assert gitlab_json(many()) == gitlab_json(many())


def test_clear_is_empty() -> None:
    report = check(actions=())
    assert github_lines(report) == []
    assert json.loads(gitlab_json(report)) == []


def test_what_is_left_out_is_said() -> None:
    found = [record("policy", f"a{number}", effect="advise") for number in range(30)]
    report = check(*found, cap=20, actions=("db",))
    assert github_lines(report)[-1] == "::notice::+10 more findings, not shown"
