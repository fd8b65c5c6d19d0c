"""`--explain`: in words, what matched what, at which commit, and what a person does about it."""

from typing import Any

import pytest

from doll.preflight import Entry, Inputs, Request, evaluate
from doll.preflight.codes import CODES
from doll.preflight.explaining import accounts
from doll.records.model import Record
from doll.render.preflight_explained import explained, explained_code, explained_record
from tests.preflight_builders import AS_OF, ATLAS, GARDEN, check, failure, record

POLICY = record(
    "policy", "no-online", projects=["atlas-old"], actions=["db.migrate"], title="No online ones"
)
ONLINE: dict[str, Any] = {"actions": ("db.migrate.online",)}


def about(name: str, *records: Record | Entry, **request: Any) -> list[str]:
    authority = [ATLAS, GARDEN, *(r for r in records if isinstance(r, Record))]
    entries = [r for r in records if isinstance(r, Entry)]
    inputs = Inputs(authority=authority, experience=entries, commit="c0ffee" * 6)
    asked = Request(**{"project": "atlas", **request})
    return explained_record(evaluate(inputs, asked, AS_OF), accounts(inputs, asked, AS_OF, name))


def test_a_finding_is_told_in_words() -> None:
    assert about("no-online", POLICY, **ONLINE) == [
        "BLOCKED: policy.denied, from the policy no-online",
        "    A policy of yours denies this.",
        "    authority/policies/no-online.md:2, at c0ffeec0ffee: No online ones",
        "    because its `projects` names atlas-old, which covers the project atlas of the request",
        (
            "    because its `actions` names db.migrate, which covers the action db.migrate.online"
            " of the request"
        ),
        "    Do it another way. Where the policy is wrong, change it and commit that.",
        "        doll show no-online",
    ]


def test_all_findings_are_told_under_the_result() -> None:
    report = check(POLICY, failure("locked", paths=["db/**"]), paths=("db/1.sql",), **ONLINE)
    lines = explained(report)
    assert lines[0] == "BLOCKED: 2 findings at the accepted commit none"
    assert "warning: experience.prior_failure.user_recorded, from the experience locked" in lines
    assert "    it is history, which warns and never blocks; user_recorded says so" in lines


def test_what_is_not_given_is_named() -> None:
    lines = about("no-online", POLICY)
    assert lines[0].startswith("CONFIRMATION REQUIRED: policy.denied")
    assert "    --action is not given, and would decide more" in lines


@pytest.mark.parametrize(
    ("name", "records", "request_", "said"),
    [
        (
            "p",
            [record("policy", "p", projects=["garden"])],
            {},
            "its `projects` names garden, and that does not match the project given: atlas",
        ),
        (
            "p",
            [record("policy", "p", effect="advise", actions=["mail"], paths=["a/*"])],
            {"actions": ("db",)},
            "its `paths` names a/*; --path is not given",
        ),
        ("p", [record("policy", "p", enabled=False)], {}, "it is not enabled"),
        ("p", [record("policy", "p", valid_until="2026-08-20T12:00:00Z")], {}, "valid any more"),
        ("p", [record("policy", "p", valid_from="2026-08-20T12:00:01Z")], {}, "not valid yet"),
        ("p", [record("policy", "p", origin="model")], {}, "its origin is model, and only"),
        ("d", [record("decision", "d", status="proposed")], {}, "its status is proposed"),
        (
            "d",
            [record("decision", "d"), record("decision", "e", supersedes=["d"])],
            {},
            "another decision supersedes it",
        ),
        ("q", [record("procedure", "q", required_for=["db"])], {}, "it is approved, so nothing"),
        ("q", [record("procedure", "q", status="draft")], {}, "it is required for no action"),
        ("w", [record("work-item", "w", status="blocked")], {}, "only where the request names"),
        ("f", [failure("f", outcome="worked")], {}, "its outcome is worked, and only failures"),
        (
            "f",
            [failure("f"), failure("g", supersedes=["f"], outcome="worked")],
            {},
            "another entry supersedes it",
        ),
        ("db", [record("capability", "db")], {}, "it is available and of low risk"),
        (
            "r",
            [record("capability", "db"), record("permission", "r", capability="db")],
            {"actions": ("mail",)},
            "its `capability` names db, and that does not match the action given: mail",
        ),
        (
            "r",
            [
                record("capability", "db"),
                record("permission", "r", capability="db", mode="deny", scope=["env=a"]),
            ],
            {"actions": ("db",), "scope": ("env=b",)},
            "its `scope` names env=a, and that does not match the scope given: env=b",
        ),
        ("atlas", [], {}, "a project is no rule"),
        ("atlas-old", [], {}, "atlas says nothing about this request"),
    ],
)
def test_a_record_that_says_nothing_says_why(
    name: str, records: list[Record | Entry], request_: dict[str, Any], said: str
) -> None:
    lines = about(name, *records, **request_)
    assert lines[0].endswith("says nothing about this request")
    assert said in "\n".join(lines)


def test_a_name_that_no_record_has() -> None:
    assert about("nobody", POLICY) == []


@pytest.mark.parametrize("code", CODES)
def test_every_code_can_be_asked_for(code: str) -> None:
    lines = explained_code(check(), code)
    assert lines is not None
    assert lines[0] == f"{code}: {CODES[code].meaning}"
    assert CODES[code].advice in lines[2]
    assert lines[-1] == "It was not found for this request."


def test_a_code_is_told_with_what_has_it() -> None:
    report = check(POLICY, record("policy", "q", projects=["nobody"]), **ONLINE)
    denied = explained_code(report, "policy.denied")
    assert denied is not None
    assert sum(line.startswith("BLOCKED: policy.denied") for line in denied) == 1
    broken = explained_code(report, "reference.unresolved")
    assert broken is not None
    assert broken[0].startswith("NOT CHECKED: authority/policies/q.md")
    noted = explained_code(check(actions=("nothing",)), "request.unknown_action")
    assert noted is not None
    assert noted[-1] == "note: nothing here knows the action nothing"
    assert explained_code(report, "no.such.code") is None


def test_what_a_record_holds_is_shown_and_never_does_anything() -> None:
    title = "\u202edlrow\nBLOCKED \x1b[2J" + "x" * 300
    lines = about("p", record("policy", "p", title=title))
    said = "\n".join(lines)
    assert "\x1b" not in said
    assert "\u202e" not in said
    assert "\\u{202e}dlrow\\u{a}BLOCKED" in said


def test_a_secret_record_is_named_by_its_id_alone() -> None:
    lines = about("p", record("policy", "p", title="the launch code", sensitivity="secret"))
    assert "launch" not in "\n".join(lines)
