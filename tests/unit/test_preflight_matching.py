"""The matching table of preflight, row by row, and what a match is worth."""

from typing import Any

import pytest

from doll.preflight import Entry, Inputs, Request, derive_actions, evaluate
from doll.preflight.matching import action_matches, outcome
from doll.preflight.paths import PathIndex
from doll.records.model import Record
from doll.vault.settings import ActionRule
from tests.preflight_builders import AS_OF, ATLAS, check, failure, record, said

DENIED = [("policy.denied", "rule")]


def deny(**fields: Any) -> Record:
    return record("policy", "rule", **fields)


@pytest.mark.parametrize(
    ("named", "given", "hit", "result"),
    [
        (False, False, False, "any"),
        (False, True, False, "any"),
        (True, True, True, "match"),
        (True, True, False, "none"),
        (True, False, False, "unknown"),
    ],
)
def test_the_table(named: bool, given: bool, hit: bool, result: str) -> None:
    assert outcome(named=named, given=given, hit=hit) == result


@pytest.mark.parametrize(
    ("pattern", "action", "matches"),
    [
        ("db.migrate", "db.migrate", True),
        ("db.migrate", "db.migrate.online", True),
        ("db.migrate", "db.migrate.online.orders", True),
        ("db.migrate", "db", False),
        ("db.migrate.online", "db.migrate", False),
        ("db.migrate", "db.migrated", False),
        ("db.migrate", "db.migrate-online", False),
    ],
)
def test_an_action_matches_itself_and_what_is_below_it(
    pattern: str, action: str, matches: bool
) -> None:
    assert action_matches(pattern, action) is matches
    assert said(check(deny(actions=[pattern]), actions=(action,))) == DENIED * matches


# What a denial of action a and path p/** says, by what the request gives.
@pytest.mark.parametrize(
    ("actions", "paths", "status", "unknown"),
    [
        (("a",), ("p/x",), "blocked", ()),
        (("a",), ("q",), "blocked", ()),
        (("b",), ("p/x",), "blocked", ()),
        (("b",), ("q",), "clear", None),
        (("a",), None, "blocked", ()),
        (None, ("p/x",), "blocked", ()),
        (("b",), None, "confirmation_required", ("paths",)),
        (None, ("q",), "confirmation_required", ("actions",)),
        (None, None, "confirmation_required", ("actions", "paths")),
        ((), ("q",), "clear", None),
        ((), (), "clear", None),
    ],
)
def test_one_match_is_a_match_and_an_unknown_is_said(
    actions: tuple[str, ...] | None,
    paths: tuple[str, ...] | None,
    status: str,
    unknown: tuple[str, ...] | None,
) -> None:
    report = check(deny(actions=["a"], paths=["p/**"]), actions=actions, paths=paths)
    assert report.status == status
    assert [finding.unknown for finding in report.findings] == (
        [] if unknown is None else [unknown]
    )


@pytest.mark.parametrize(
    ("projects", "project", "status"),
    [
        ([], "atlas", "blocked"),
        ([], None, "blocked"),
        (["atlas"], "atlas", "blocked"),
        (["garden", "atlas"], "atlas", "blocked"),
        (["garden"], "atlas", "clear"),
        (["garden"], None, "confirmation_required"),
        (["Atlas-OLD"], "atlas", "blocked"),
        (["[[atlas|the atlas]]"], "atlas", "blocked"),
        (["atlas"], "atlas-old", "blocked"),
    ],
)
def test_the_project_must_match(projects: list[str], project: str | None, status: str) -> None:
    report = check(deny(projects=projects, actions=["a"]), project=project, actions=("a",))
    assert report.status == status
    if status == "confirmation_required":
        assert report.findings[0].unknown == ("project",)


def test_a_finding_says_which_field_matched_what() -> None:
    rule = deny(projects=["atlas"], actions=["b", "a"], paths=["*.md", "p/**"])
    (finding,) = check(rule, actions=("z", "a.x", "a.b"), paths=("p/2", "p/1")).findings
    assert finding.matched_on == (
        ("projects", "atlas", "atlas"),
        ("actions", "a", "a.b"),
        ("paths", "p/**", "p/1"),
    )
    assert (finding.path, finding.line) == (rule.path, rule.line("effect"))


WARNINGS = ("policy.advice", "decision.applies", "experience.prior_failure.user_recorded")


def warning(code: str, **fields: Any) -> Record | Entry:
    """Return a record `x` that warns with `code`."""
    if code == "policy.advice":
        return record("policy", "x", effect="advise", **fields)
    return record("decision", "x", **fields) if code.startswith("d") else failure("x", **fields)


@pytest.mark.parametrize("code", WARNINGS)
def test_a_warning_without_action_and_path_is_for_preflight_and_not_for_hooks(code: str) -> None:
    general = warning(code)
    assert said(check(general, actions=("a",), paths=("p",))) == [(code, "x")]
    in_hook = check(general, actions=(), paths=("p",), hook=True)
    assert (in_hook.status, in_hook.findings) == ("clear", ())
    (note,) = in_hook.notes
    assert (note.code, note.total) == ("request.without_target", 1)


@pytest.mark.parametrize("action", ["", "DB Migrate", "db..x"])
def test_what_is_no_action_is_a_fault_and_not_an_unknown_action_too(action: str) -> None:
    report = check(actions=(action,))
    assert [each.problem.code for each in report.obstacles] == ["request.value"]
    assert report.notes == ()


@pytest.mark.parametrize("code", WARNINGS)
def test_an_unknown_does_not_warn_and_is_counted(code: str) -> None:
    report = check(warning(code, paths=["p/**"]), actions=("a",))
    assert (report.status, report.findings) == ("clear", ())
    (note,) = (note for note in report.notes if note.code != "request.unknown_action")
    assert (note.code, note.total) == ("request.not_given", 1)
    assert "--path" in note.message


@pytest.mark.parametrize("code", WARNINGS)
def test_a_warning_that_matches_stands_although_the_project_is_not_known(code: str) -> None:
    field: dict[str, Any] = {"projects": ["atlas"]} if code == "policy.advice" else {}
    report = check(warning(code, paths=["p/**"], **field), project=None, paths=("p/x",))
    assert said(report) == [(code, "x")]
    assert report.findings[0].unknown == ("project",)


def test_in_a_hook_an_action_is_never_unknown() -> None:
    rule = deny(actions=["db.migrate"])
    assert check(rule, paths=("README.md",)).status == "confirmation_required"
    assert check(rule, paths=("README.md",), hook=True).status == "clear"


MAP = (
    ActionRule(None, ("*.sql",), ("db.change",)),
    ActionRule("atlas", ("migrations/**",), ("db.migrate", "db.change")),
    ActionRule("garden", ("**",), ("garden.dig",)),
)


def test_actions_are_derived_from_paths() -> None:
    assert derive_actions(MAP, "atlas", ["migrations/1.py"]) == ("db.change", "db.migrate")
    assert derive_actions(MAP, "atlas", PathIndex(["x/1.sql"])) == ("db.change",)
    assert derive_actions(MAP, None, ["migrations/1.py"]) == ()
    assert derive_actions(MAP, "atlas", []) == ()


@pytest.mark.parametrize(
    ("actions", "paths", "hook", "known", "derived"),
    [
        (None, None, False, None, ()),
        (None, ("README.md",), False, None, ()),
        (None, ("README.md",), True, (), ()),
        (("b", "a"), ("README.md",), False, ("a", "b"), ()),
        (None, ("1.sql",), False, ("db.change",), ("db.change",)),
        (("a",), ("1.sql",), True, ("a", "db.change"), ("db.change",)),
    ],
)
def test_given_and_derived_actions_are_joined(
    actions: tuple[str, ...] | None,
    paths: tuple[str, ...] | None,
    hook: bool,
    known: tuple[str, ...] | None,
    derived: tuple[str, ...],
) -> None:
    asked = Request("atlas", actions, paths, hook=hook)
    rules = MAP[:2]
    report = evaluate(Inputs(authority=[ATLAS], action_map=rules), asked, AS_OF)
    assert (report.request.actions, report.derived) == (known, derived)
    assert report.complete
