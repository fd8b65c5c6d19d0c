"""The rules over authority: policies, work items, procedures, decisions, and what is no rule."""

from typing import Any

import pytest

from doll.preflight import stops_commit
from tests.preflight_builders import check, record, said

POLICIES = {
    "deny": ("policy.denied", "blocked"),
    "require_confirmation": ("policy.confirmation_required", "confirmation_required"),
    "advise": ("policy.advice", "warning"),
}


@pytest.mark.parametrize("effect", POLICIES)
def test_a_policy_has_the_effect_it_names(effect: str) -> None:
    report = check(record("policy", "p", effect=effect, actions=["a"]), actions=("a",))
    code, status = POLICIES[effect]
    assert (said(report), report.status) == ([(code, "p")], status)
    assert report.findings[0].answer == "doll show p"
    assert report.findings[0].severity == status


@pytest.mark.parametrize(
    ("fields", "holds"),
    [
        ({"enabled": False}, False),
        ({"valid_from": "2026-08-20T12:00:00Z"}, True),
        ({"valid_from": "2026-08-20T12:00:01Z"}, False),
        ({"valid_until": "2026-08-20T12:00:00Z"}, False),
        ({"valid_until": "2026-08-20T12:00:01Z"}, True),
        ({"valid_from": "2026-08-20T14:00:00+02:00"}, True),
        ({"valid_from": "0001-01-01T00:00:00+14:00"}, True),
        ({"valid_until": "9999-12-31T23:59:59-12:00"}, True),
    ],
)
def test_a_policy_holds_while_it_is_enabled_and_valid(fields: dict[str, Any], holds: bool) -> None:
    assert check(record("policy", "p", **fields)).status == ("blocked" if holds else "clear")


def test_the_named_work_item_blocks_while_it_is_blocked() -> None:
    item = record("work-item", "w", status="blocked", blocked_by=["the vendor", "rain"])
    report = check(item, work_item="w")
    assert said(report) == [("work_item.blocked", "w")]
    assert report.findings[0].detail == "the work item is blocked (the vendor; rain)"
    assert report.findings[0].line == item.line("status")
    assert check(item).status == "clear"


@pytest.mark.parametrize("status", ["proposed", "ready", "in_progress", "completed", "cancelled"])
def test_other_states_of_a_work_item_say_nothing(status: str) -> None:
    assert check(record("work-item", "w", status=status), work_item="w").status == "clear"


@pytest.mark.parametrize(
    ("status", "incomplete"),
    [
        ("proposed", True),
        ("ready", True),
        ("in_progress", True),
        ("blocked", True),
        ("cancelled", True),
        ("completed", False),
    ],
)
def test_a_dependency_must_be_completed(status: str, incomplete: bool) -> None:
    item = record("work-item", "w", depends_on=["D-Old", "done"])
    other = record("work-item", "d", status=status, aliases=["d-old"])
    done = record("work-item", "done", status="completed")
    report = check(item, other, done, work_item="w")
    assert said(report) == [("work_item.dependency_incomplete", "w")] * incomplete
    if incomplete:
        assert report.findings[0].detail == f"the work item depends on d, which is {status}"


def test_a_work_item_of_another_project_is_an_error() -> None:
    item = record("work-item", "w", project="garden", status="blocked")
    report = check(item, work_item="w")
    assert (report.status, report.complete, report.findings) == ("not_checked", False, ())
    assert [o.problem.code for o in report.obstacles] == ["request.other_project"]
    assert not stops_commit(report, strict=False)


def test_a_request_with_a_work_item_and_no_project_is_about_its_project() -> None:
    report = check(record("work-item", "w", project="atlas-old"), project=None, work_item="w")
    assert (report.request.project, report.status) == ("atlas", "clear")


@pytest.mark.parametrize(
    ("status", "actions", "project", "result"),
    [
        ("draft", ("deploy.prod",), "atlas", "blocked"),
        ("retired", ("deploy.prod",), "atlas", "blocked"),
        ("approved", ("deploy.prod",), "atlas", "clear"),
        ("draft", ("test",), "atlas", "clear"),
        ("draft", (), "atlas", "clear"),
        ("draft", ("deploy.prod",), "garden", "clear"),
        ("draft", None, "atlas", "confirmation_required"),
        ("draft", ("deploy.prod",), None, "confirmation_required"),
    ],
)
def test_a_required_procedure_must_be_approved(
    status: str, actions: tuple[str, ...] | None, project: str | None, result: str
) -> None:
    procedure = record("procedure", "p", status=status, required_for=["deploy"])
    report = check(procedure, project=project, actions=actions)
    assert report.status == result
    if result == "blocked":
        assert said(report) == [("procedure.required_not_approved", "p")]
        assert report.findings[0].matched_on[1] == ("required_for", "deploy", "deploy.prod")


def test_a_procedure_that_names_no_action_is_required_for_none() -> None:
    assert check(record("procedure", "p", status="draft"), actions=("a",)).status == "clear"


@pytest.mark.parametrize(
    ("fields", "applies"),
    [
        ({}, True),
        ({"status": "proposed"}, False),
        ({"status": "superseded"}, False),
        ({"project": "garden"}, False),
        ({"actions": ["b"]}, False),
    ],
)
def test_an_accepted_decision_warns(fields: dict[str, Any], applies: bool) -> None:
    report = check(record("decision", "d", **{"actions": ["a"], **fields}), actions=("a",))
    assert said(report) == [("decision.applies", "d")] * applies
    assert report.status == ("warning" if applies else "clear")


@pytest.mark.parametrize(
    ("fields", "replaced"),
    [
        ({}, True),
        ({"status": "superseded"}, True),
        ({"status": "proposed"}, False),
        ({"project": "garden"}, False),
    ],
)
def test_a_decision_that_another_supersedes_is_not_replayed(
    fields: dict[str, Any], replaced: bool
) -> None:
    old = record("decision", "old", actions=["a"])
    new = record("decision", "new", supersedes=["old"], actions=["b"], **fields)
    assert said(check(old, new, actions=("a",))) == [("decision.applies", "old")] * (not replaced)


def test_decisions_in_a_circle_all_apply() -> None:
    one = record("decision", "one", supersedes=["two"])
    two = record("decision", "two", supersedes=["one"])
    assert {record for _, record in said(check(one, two))} == {"one", "two"}


def test_a_secret_record_is_shown_by_its_id_alone() -> None:
    policy = record("policy", "p", title="the vault combination", sensitivity="secret")
    item = record(
        "work-item", "w", status="blocked", blocked_by=["the vault"], sensitivity="secret"
    )
    for finding in check(policy, item, work_item="w").findings:
        assert finding.title is None
        assert "vault" not in str(finding)
