"""References and readability: what makes an answer incomplete, and what of it stops a commit."""

from typing import Any

import pytest

from doll.errors import CODES, Problem
from doll.preflight import Inputs, Pending, Report, Request, evaluate, stops_commit
from doll.records.model import Record
from doll.vault.settings import ActionRule
from tests.preflight_builders import AS_OF, ATLAS, GARDEN, check, failure, record, said


def codes(report: Report) -> list[str]:
    return [obstacle.problem.code for obstacle in report.obstacles]


BROKEN = [
    record("policy", "x", effect="advise", projects=["atlas", "nobody"], enabled=False),
    record("work-item", "x", project="nobody"),
    record("work-item", "x", depends_on=["nobody"]),
    record("decision", "x", project="nobody"),
    record("decision", "x", status="proposed", supersedes=["nobody"]),
    record("procedure", "x", project="nobody"),
    record("permission", "x", capability="nobody"),
]


@pytest.mark.parametrize("broken", BROKEN, ids=lambda r: f"{r.type}-{max(r.lines)}")
def test_a_reference_to_nothing_is_not_checked_and_stops(broken: Record) -> None:
    report = check(broken)
    assert (report.status, report.complete) == ("not_checked", False)
    assert codes(report) == ["reference.unresolved"]
    assert "nobody" in report.obstacles[0].problem.message
    assert report.obstacles[0].problem.path == broken.path
    assert stops_commit(report, strict=False)


def test_a_reference_to_two_records_is_ambiguous() -> None:
    twin = record("policy", "ATLAS", enabled=False)
    report = check(twin, record("decision", "d", status="proposed"), project="garden")
    assert codes(report) == ["reference.ambiguous"]
    assert ATLAS.path in report.obstacles[0].problem.message
    assert twin.path in report.obstacles[0].problem.message


def test_a_reference_to_a_wrong_type_is_an_error() -> None:
    report = check(record("procedure", "p", project="q"), record("policy", "q", enabled=False))
    assert codes(report) == ["reference.wrong_type"]


def test_a_broken_reference_of_another_project_does_not_stop() -> None:
    broken = record("work-item", "x", project="garden", depends_on=["nobody"])
    report = check(broken)
    assert report.status == "not_checked"
    assert not stops_commit(report, strict=False)
    assert stops_commit(report, strict=True)
    assert stops_commit(check(broken, project="garden"), strict=False)
    assert stops_commit(check(broken, project=None), strict=False)


def test_a_block_found_elsewhere_stays_a_block() -> None:
    report = check(record("work-item", "x", project="nobody"), record("policy", "p"))
    assert (report.status, report.complete) == ("blocked", False)
    assert said(report) == [("policy.denied", "p")]


def test_a_name_that_could_be_the_project_is_unknown_not_silent() -> None:
    other = record("project", "borealis", aliases=["old"])
    atlas = record("project", "atlas", path="authority/projects/a.md", aliases=["old"])
    policy = record("policy", "p", projects=["old"])
    inputs = Inputs(authority=[other, atlas, policy], experience=[failure("f", project="old")])
    report = evaluate(inputs, Request("atlas", actions=("a",)), AS_OF)
    assert codes(report) == ["reference.ambiguous"]
    assert [(f.code, f.severity, f.unknown) for f in report.findings] == [
        ("policy.denied", "confirmation_required", ("project",))
    ]
    assert "request.not_given" in [note.code for note in report.notes]


@pytest.mark.parametrize("field", ["project", "work_item"])
def test_a_wrong_reference_in_the_request_is_not_checked_and_goes_on(field: str) -> None:
    asked: dict[str, Any] = {field: "nobody"}
    report = check(**asked)
    assert codes(report) == ["reference.unresolved"]
    assert report.status == "not_checked"
    assert not stops_commit(report, strict=False)


@pytest.mark.parametrize(
    "request_values",
    [
        {"actions": ("DB.Migrate",)},
        {"actions": ("db.",)},
        {"actions": ("",)},
        {"actions": ("db migrate",)},
        {"paths": ("",)},
        {"paths": ("/etc/passwd",)},
        {"paths": ("../x",)},
        {"paths": ("./x",)},
        {"paths": ("a//b",)},
    ],
)
def test_what_could_never_match_is_not_ignored(request_values: dict[str, Any]) -> None:
    report = check(**request_values)
    assert codes(report) == ["request.value"]
    assert report.obstacles[0].problem.hint


def test_unreadable_authority_is_not_checked_and_stops() -> None:
    broken = Problem("authority/policies/x.md", 3, 1, "yaml.syntax", "this is no YAML")
    report = evaluate(Inputs(authority=[ATLAS], unreadable=[broken]), Request("atlas"), AS_OF)
    assert (report.status, report.complete) == ("not_checked", False)
    assert stops_commit(report, strict=False)


def test_other_obstacles_are_not_checked_and_go_on() -> None:
    newer = Problem("doll.yaml", 1, 1, "settings.newer", "format 2", hint="update doll")
    report = evaluate(Inputs(authority=[ATLAS], obstacles=[newer]), Request("atlas"), AS_OF)
    assert report.status == "not_checked"
    assert not stops_commit(report, strict=False)
    assert stops_commit(report, strict=True)


@pytest.mark.parametrize("origin", ["import", "model", "system"])
@pytest.mark.parametrize("reviewed", [{}, {"reviewed_by": "Ada <a@example.org>"}])
def test_authority_that_is_not_the_users_has_no_say_and_is_not_silent(
    origin: str, reviewed: dict[str, Any]
) -> None:
    records = [
        record("policy", "p", origin=origin, **reviewed),
        record("policy", "q", effect="require_confirmation", origin=origin, **reviewed),
        record("project", "borealis", aliases=["atlas"], origin=origin, **reviewed),
    ]
    report = check(*records)
    assert (report.status, report.findings) == ("not_checked", ())
    assert codes(report) == ["authority.origin"] * 3
    assert not stops_commit(report, strict=False)


def test_a_foreign_record_does_not_make_a_reference_resolve() -> None:
    report = check(record("project", "imported", origin="import"), project="imported")
    assert set(codes(report)) == {"authority.origin", "reference.unresolved"}


def test_an_entry_of_the_map_must_name_a_project() -> None:
    rules = [ActionRule("nobody", ("**",), ("a",)), ActionRule("atlas-old", ("**",), ("b",))]
    inputs = Inputs(authority=[ATLAS, GARDEN], action_map=rules)
    report = evaluate(inputs, Request("atlas", paths=("x",)), AS_OF)
    assert codes(report) == ["reference.unresolved"]
    assert report.obstacles[0].problem.path == "doll.yaml"
    assert report.derived == ("b",)


def test_pending_changes_are_named_and_do_not_count() -> None:
    pending = [Pending("authority/policies/p.md", "changed"), Pending("doll.yaml", "changed")]
    report = evaluate(Inputs(authority=[ATLAS], pending=pending), Request("atlas"), AS_OF)
    assert (report.status, report.complete) == ("clear", True)
    assert [(n.code, n.path) for n in report.notes] == [
        ("authority.not_committed", "authority/policies/p.md"),
        ("authority.not_committed", "doll.yaml"),
    ]


def test_every_problem_code_is_registered() -> None:
    assert {"request.value", "request.other_project", "authority.origin"} <= CODES.keys()
