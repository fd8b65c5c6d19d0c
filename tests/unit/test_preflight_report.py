"""The report: order of statuses and findings, caps, counts, and the JSON that comes of it."""

import json
from datetime import timedelta
from typing import Any

import pytest

from doll.errors import Problem
from doll.preflight import (
    CODES,
    Entry,
    Inputs,
    Pending,
    Request,
    evaluate,
    report_payload,
    stops_commit,
)
from doll.records.model import Record
from tests.preflight_builders import AS_OF, ATLAS, check, failure, record, said

DENY = record("policy", "deny")
ASK = record("policy", "ask", effect="require_confirmation")
ADVISE = record("policy", "advise", effect="advise")
BROKEN = record("decision", "broken", status="proposed", supersedes=["nobody"])


@pytest.mark.parametrize(
    ("records", "status", "stops", "strictly"),
    [
        ([DENY, ASK, ADVISE, BROKEN], "blocked", True, True),
        ([DENY], "blocked", True, True),
        ([ASK, ADVISE, BROKEN], "not_checked", True, True),
        ([ASK, ADVISE], "confirmation_required", False, True),
        ([ADVISE], "warning", False, False),
        ([failure("f")], "warning", False, False),
        ([], "clear", False, False),
    ],
)
def test_the_first_status_that_holds(
    records: list[Record | Entry], status: str, stops: bool, strictly: bool
) -> None:
    report = check(*records)
    assert report.status == status
    assert report.complete is (BROKEN not in records)
    assert stops_commit(report, strict=False) is stops
    assert stops_commit(report, strict=True) is strictly
    assert report.authorizes is False


def test_findings_are_ordered_by_effect_trust_and_time() -> None:
    later = "2026-08-10T00:00:00Z"
    records: list[Record | Entry] = [
        failure("d-not-committed", committed=False, at=later),
        failure("c-model", assertion="model_proposed", at=later),
        failure("b-build", assertion="deterministic_system", at=later),
        failure("a-older"),
        failure("a-newer", at=later),
        record("decision", "decided", decided_at="2026-08-05T00:00:00Z"),
        record("decision", "undated"),
        ASK,
        DENY,
    ]
    assert [record for _, record in said(check(*records))] == [
        "deny",
        "ask",
        "a-newer",
        "decided",
        "a-older",
        "undated",
        "b-build",
        "c-model",
        "d-not-committed",
    ]


def test_the_cap_keeps_blockers_and_the_newest_and_says_how_many_more() -> None:
    old = [
        failure(f"old-{n}", at=f"2026-07-{n:02}T00:00:00Z", assertion="user_confirmed")
        for n in range(1, 31)
    ]
    denials = [record("policy", f"deny-{n}") for n in range(5)]
    report = check(*old, *denials, cap=3)
    assert [record for _, record in said(report)] == [
        *(f"deny-{n}" for n in range(5)),
        "old-30",
        "old-29",
        "old-28",
    ]
    assert report.omitted == {"findings": 27, "notes": 0, "problems": 0}
    assert report.counts == {"blocked": 5, "confirmation_required": 0, "warning": 30}
    assert report.codes == {"policy.denied": 5, "experience.prior_failure.user_confirmed": 30}


def test_weaker_findings_cannot_push_stronger_ones_out() -> None:
    late = (AS_OF + timedelta(days=900)).isoformat()
    flood = [
        failure(f"{kind}-{n}", committed=committed, assertion=assertion, at=late)
        for n in range(40)
        for kind, committed, assertion in (
            ("import", True, "imported_external"),
            ("model", True, "model_proposed"),
            ("loose", False, "user_recorded"),
        )
    ]
    report = check(failure("mine"), *flood, cap=2)
    assert said(report)[0] == ("experience.prior_failure.user_recorded", "mine")


def test_notes_and_problems_are_capped_and_a_stop_survives_the_cap() -> None:
    unreadable = [Problem("authority/x.md", n, 1, "yaml.syntax", "broken") for n in range(9)]
    pending = [Pending(f"authority/policies/{n}.md", "new") for n in range(9)]
    inputs = Inputs(authority=[ATLAS], unreadable=unreadable, pending=pending)
    report = evaluate(inputs, Request("atlas"), AS_OF, cap=0)
    assert (report.obstacles, report.notes) == ((), ())
    assert report.omitted == {"findings": 0, "notes": 9, "problems": 9}
    assert (report.status, stops_commit(report, strict=False)) == ("not_checked", True)


KEYS = {
    "": "accepted_commit as_of authorizes codes complete counts draft findings head notes omitted "
    "problems request ruleset status",
    "findings": "alternative answer assertion at code committed detail evidence line matched_on "
    "origin path record resolutions severity title unknown",
    "notes": "code message path total",
    "problems": "code column hint line message path stops",
    "request": "actions actions_from_paths hook paths paths_total project range scope work_item",
}


def full_report() -> dict[str, Any]:
    entries = [
        failure("f", actions=["a"], paths=["p/**"], evidence=["commit:1"]),
        failure("r", resolves=["f"], outcome="worked"),
    ]
    inputs = Inputs(
        authority=[ATLAS, DENY, BROKEN],
        experience=entries,
        head="1" * 40,
        commit="2" * 40,
        pending=[Pending("doll.yaml", "changed")],
    )
    asked = Request("atlas-old", ("a",), tuple(f"p/{n}" for n in range(150)), scope=("env=prod",))
    return report_payload(evaluate(inputs, asked, AS_OF))


def test_the_payload_has_stable_keys_and_plain_values() -> None:
    payload = full_report()
    assert json.loads(json.dumps(payload)) == payload
    assert sorted(payload) == KEYS[""].split()
    for name in ("findings", "notes", "problems"):
        for value in payload[name]:
            assert sorted(value) == KEYS[name].split()
    assert sorted(payload["request"]) == KEYS["request"].split()


def test_the_payload_says_what_was_asked_when_and_at_which_commit() -> None:
    payload = full_report()
    assert payload["authorizes"] is False
    assert payload["as_of"] == "2026-08-20T12:00:00Z"
    assert (payload["head"], payload["accepted_commit"]) == ("1" * 40, "2" * 40)
    assert payload["ruleset"] == {"name": "doll", "version": 1}
    request = payload["request"]
    assert isinstance(request, dict)
    assert (request["project"], request["scope"]) == ("atlas", ["env=prod"])
    assert (len(request["paths"]), request["paths_total"]) == (100, 150)


def test_a_finding_in_the_payload_tells_why() -> None:
    findings = full_report()["findings"]
    assert isinstance(findings, list)
    assert findings[1]["matched_on"] == [
        {"field": "project", "pattern": "atlas", "value": "atlas"},
        {"field": "actions", "pattern": "a", "value": "a"},
        {"field": "paths", "pattern": "p/**", "value": "p/0"},
    ]
    assert findings[1]["resolutions"] == [
        {
            "assertion": "user_recorded",
            "path": "experience/atlas/r.md",
            "record": "r",
            "title": "about r",
        }
    ]
    assert (findings[1]["at"], findings[1]["severity"]) == ("2026-08-01T10:00:00Z", "warning")


def test_every_code_has_a_meaning_and_every_finding_a_code() -> None:
    assert all(code.meaning.endswith(".") for code in CODES.values())
    report = check(DENY, ASK, ADVISE, failure("f"), record("decision", "d"))
    for finding in report.findings:
        assert not CODES[finding.code].reserved
        assert CODES[finding.code].effect == finding.severity


def test_experience_can_only_warn() -> None:
    assert {code.effect for code in CODES.values() if code.source == "experience"} == {"warning"}
