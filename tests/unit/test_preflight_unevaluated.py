"""Permissions and capabilities are not evaluated yet, and preflight says so where they matter."""

from typing import Any

import pytest

from doll.preflight import Report
from doll.records.model import Record
from doll.render.preflight_text import full_lines, hook_lines
from tests.preflight_builders import check, failure, record


def notes(report: Report) -> list[str]:
    return [n.message for n in report.notes if n.code == "authority.not_evaluated"]


def denial(record_id: str = "p", capability: str = "db.drop", **fields: Any) -> Record:
    return record("permission", record_id, capability=capability, mode="deny", **fields)


def test_both_are_named_and_change_no_status() -> None:
    excluded = record("capability", "db.drop", release="excluded", risk="high", aliases=["drop"])
    report = check(excluded, denial(), actions=("db.drop",))
    assert report.status == "clear"
    said = "1 permission and 1 capability are about db.drop; this version does not evaluate them"
    assert notes(report) == [said]
    assert report.notes[0].total == 2
    assert f"note: {said}" in full_lines(report)
    by_alias = check(excluded, denial(capability="drop"), actions=("db.drop.all",))
    assert notes(by_alias) == [said.replace("db.drop", "db.drop.all")]


def test_one_alone_and_many() -> None:
    capability = record("capability", "db")
    assert notes(check(capability, actions=("db.drop",))) == [
        "1 capability is about db.drop; this version does not evaluate it"
    ]
    actions = ("db.a", "db.b", "db.c", "db.d")
    other = record("capability", "db.a")
    assert notes(check(capability, other, actions=actions)) == [
        "2 capabilities are about db.a, db.b, db.c, 1 more; this version does not evaluate them"
    ]


@pytest.mark.parametrize(
    ("capability", "projects", "concerns"),
    [
        ("db", [], True),
        ("db.drop", ["atlas-old"], True),
        ("db.drop.all", [], False),
        ("d", [], False),
        ("mail.send", [], False),
        ("db.drop", ["garden"], False),
    ],
)
def test_what_concerns_a_request(capability: str, projects: list[str], concerns: bool) -> None:
    known = record("capability", "unrelated")
    permission = denial(capability=capability, projects=projects)
    report = check(known, permission, actions=("db.drop",))
    assert bool(notes(report)) is concerns


def test_a_project_that_is_not_given_could_be_it() -> None:
    report = check(denial(projects=["garden"]), actions=("db.drop",), project=None)
    assert len(notes(report)) == 1
    assert notes(check(denial(), actions=None)) == []


def test_in_a_hook_it_stands_beside_a_finding_only() -> None:
    asked: dict[str, Any] = {"actions": ("db.drop",), "paths": (), "hook": True}
    report = check(record("capability", "db.drop"), **asked)
    assert hook_lines(report, stops=False) == []
    warned = check(record("capability", "db.drop"), failure("f", actions=["db"]), **asked)
    assert hook_lines(warned, stops=False)[-1].startswith("doll: note: 1 capability is about")
