"""Experience in preflight: it warns, it can be corrected, and nothing weaker corrects it."""

from datetime import timedelta
from itertools import product
from typing import Any

import pytest

from doll.errors import Problem
from doll.preflight import Entry, Inputs, Request, evaluate
from doll.preflight.codes import ASSERTIONS
from doll.preflight.links import Link, sound
from doll.records.times import render
from tests.preflight_builders import AS_OF, ATLAS, check, failure, record, said

STRENGTH = {
    "user_recorded": 3,
    "user_confirmed": 3,
    "deterministic_system": 2,
    "imported_external": 1,
    "model_proposed": 1,
}


def prior(record_id: str = "f", assertion: str = "user_recorded") -> list[tuple[str, str]]:
    return [(f"experience.prior_failure.{assertion}", record_id)]


@pytest.mark.parametrize("assertion", ASSERTIONS)
@pytest.mark.parametrize("committed", [True, False])
@pytest.mark.parametrize("kind", ["observation", "attempt", "outcome", "resolution", "lesson"])
def test_a_failure_of_any_kind_warns(assertion: str, committed: bool, kind: str) -> None:
    entry = failure("f", committed=committed, actions=["a"], assertion=assertion, kind=kind)
    report = check(entry, actions=("a.b",))
    assert (said(report), report.status) == (prior("f", assertion), "warning")
    assert report.findings[0].committed is committed
    assert report.findings[0].answer == "doll correct f 'what holds now'"


@pytest.mark.parametrize("outcome", ["worked", "partial", "unknown", None])
def test_what_did_not_fail_says_nothing(outcome: str | None) -> None:
    assert check(failure("f", outcome=outcome), actions=("a",)).status == "clear"


@pytest.mark.parametrize(
    ("fields", "relevant"),
    [
        ({}, True),
        ({"actions": ["a"]}, True),
        ({"paths": ["p/**"]}, True),
        ({"actions": ["b"], "paths": ["p/**"]}, True),
        ({"actions": ["b"]}, False),
        ({"paths": ["q/**"]}, False),
        ({"work_item": "w"}, True),
        ({"work_item": "v"}, False),
        ({"work_item": "w", "actions": ["b"]}, True),
        ({"work_item": "v", "actions": ["a"]}, True),
        ({"project": "garden", "actions": ["a"]}, False),
        ({"project": "nobody", "actions": ["a"]}, False),
        ({"summary": "a p/x w atlas", "actions": ["b"]}, False),
    ],
)
def test_only_an_explicit_match_is_relevant(fields: dict[str, Any], relevant: bool) -> None:
    items = [record("work-item", "w"), record("work-item", "v")]
    report = check(failure("f", **fields), *items, actions=("a",), paths=("p/x",), work_item="w")
    assert said(report) == prior() * relevant


def test_a_failure_shows_its_evidence_and_where_it_stands() -> None:
    entry = failure("f", actions=["a"], evidence=["commit:1f2e3d4"], summary="It locked")
    (finding,) = check(entry, actions=("a",)).findings
    assert (finding.title, finding.evidence) == ("It locked", ("commit:1f2e3d4",))
    assert (finding.path, finding.line) == (entry.record.path, entry.record.line("outcome"))


def test_a_secret_failure_shows_neither_title_nor_evidence() -> None:
    entry = failure("f", summary="the code", evidence=["door 7"], sensitivity="secret")
    (finding,) = check(entry).findings
    assert (finding.title, finding.evidence) == (None, ())


@pytest.mark.parametrize("field", ["paths", "summary", "evidence"])
def test_a_redacted_failure_still_warns(field: str) -> None:
    values: dict[str, Any] = {
        "paths": ["p/**"],
        field: "[redacted]" if field == "summary" else ["[redacted]"],
    }
    entry = failure("f", **values, redacted_at="2026-08-02T00:00:00Z")
    assert said(check(entry, actions=(), paths=("p/x",), hook=True)) == prior()


@pytest.mark.parametrize(
    ("origin", "stated", "counts_as"),
    [
        ("import", "user_recorded", "imported_external"),
        ("model", "user_confirmed", "model_proposed"),
        ("system", "user_recorded", "deterministic_system"),
        ("system", "model_proposed", "model_proposed"),
        ("user", "imported_external", "imported_external"),
    ],
)
def test_an_assertion_counts_at_most_what_its_origin_allows(
    origin: str, stated: str, counts_as: str
) -> None:
    (finding,) = check(failure("f", origin=origin, assertion=stated)).findings
    assert finding.code == f"experience.prior_failure.{counts_as}"
    assert (finding.assertion, finding.origin) == (counts_as, origin)


@pytest.mark.parametrize(("theirs", "ours"), list(product(ASSERTIONS, ASSERTIONS)))
def test_only_an_assertion_as_strong_supersedes_and_resolves(theirs: str, ours: str) -> None:
    strong = STRENGTH[ours] >= STRENGTH[theirs]
    target = failure("f", assertion=theirs)
    fields: dict[str, Any] = {"outcome": "worked", "assertion": ours}
    assert said(check(target, failure("s", supersedes=["F"], **fields))) == prior("f", theirs) * (
        not strong
    )
    (finding,) = check(target, failure("r", resolves=["f"], **fields)).findings
    assert [settled.record for settled in finding.resolutions] == ["r"] * strong


@pytest.mark.parametrize(
    ("fields", "committed"),
    [
        ({}, False),
        ({"project": "garden"}, True),
        ({"origin": "model"}, True),
        ({"origin": "import", "reviewed_by": "Ada <a@example.org>"}, True),
        ({"supersedes": ["f", "s"]}, True),
    ],
)
def test_what_does_not_supersede(fields: dict[str, Any], committed: bool) -> None:
    values: dict[str, Any] = {"supersedes": ["f"], "outcome": "worked", **fields}
    report = check(failure("f"), failure("s", committed=committed, **values))
    expected = prior() if "s" not in values["supersedes"] else []
    assert said(report) == expected


def test_an_alias_of_the_project_is_the_same_project() -> None:
    correction = failure("s", project="atlas-old", supersedes=["f"], outcome="worked")
    assert said(check(failure("f"), correction)) == []


def test_a_circle_supersedes_nothing() -> None:
    circle = [failure("f", supersedes=["g"]), failure("g", supersedes=["f"])]
    assert said(check(*circle)) == prior("f") + prior("g")
    beyond = failure("h", supersedes=["f"], outcome="worked")
    assert said(check(*circle, beyond)) == prior("g")


def test_a_weaker_entry_cannot_build_a_circle() -> None:
    entries = [
        failure("f", supersedes=[]),
        failure("s", supersedes=["f"], outcome="worked"),
        failure("m", supersedes=["s"], assertion="model_proposed", outcome="worked"),
    ]
    assert said(check(*entries)) == []


def test_a_correction_that_failed_too_warns_by_itself() -> None:
    report = check(failure("f", actions=["a"]), failure("s", supersedes=["f"]), actions=("a",))
    assert said(report) == prior("s")


def test_a_resolution_that_was_corrected_is_not_shown() -> None:
    resolution = failure("r", resolves=["f"], outcome="worked")
    correction = failure("s", supersedes=["r"], outcome="unknown")
    (finding,) = check(failure("f"), resolution).findings
    assert [(s.record, s.title) for s in finding.resolutions] == [("r", "about r")]
    (finding,) = check(failure("f"), resolution, correction).findings
    assert finding.resolutions == ()


@pytest.mark.parametrize(
    ("resolution", "correction", "shown"),
    [
        ({}, {}, True),
        ({"assertion": "deterministic_system"}, {}, False),
        ({"project": "garden"}, {}, False),
        ({}, {"project": "garden"}, False),
        ({"resolves": ["f", "t"]}, {}, True),
        ({"resolves": ["other"]}, {}, False),
    ],
)
@pytest.mark.parametrize("committed", [True, False])
def test_a_resolution_of_what_was_corrected_is_shown_with_the_correction(
    resolution: dict[str, Any], correction: dict[str, Any], shown: bool, committed: bool
) -> None:
    """Straight or through another correction, under the rules that every link is under."""
    entries = [
        failure("f", actions=["a"], assertion="model_proposed"),
        failure("s", supersedes=["f"], actions=["a"], assertion="deterministic_system"),
        failure("t", supersedes=["s"], actions=["a"], **correction),
        failure("r", committed=committed, **{"resolves": ["f"], "outcome": "worked"} | resolution),
    ]
    report = check(*entries, actions=("a",))
    found = {finding.record: finding for finding in report.findings}
    if "project" in correction:
        assert [s.record for s in found["s"].resolutions] == ["r"] * committed
        assert "t" not in found
    else:
        assert [s.record for s in found["t"].resolutions] == ["r"] * (shown and committed)


def test_a_correction_of_a_resolution_that_failed_is_not_resolved_by_itself() -> None:
    resolution = failure("r", resolves=["f"], outcome="worked")
    correction = failure("c", resolves=["r"], supersedes=["r"], actions=["a"])
    (finding,) = check(resolution, correction, actions=("a",)).findings
    assert (finding.record, finding.resolutions) == ("c", ())


def test_an_id_that_two_entries_share_supersedes_nothing() -> None:
    twins = [
        failure("s", path=f"experience/atlas/{folder}/s.md", supersedes=["f"], outcome="worked")
        for folder in "ab"
    ]
    assert said(check(failure("f"), *twins)) == prior()


def test_the_work_tree_version_of_an_entry_only_adds() -> None:
    committed = failure("f", actions=["a"])
    muted = failure("f", committed=False, actions=["a"], outcome="worked")
    elsewhere = failure("f", committed=False, actions=["b"])
    assert said(check(committed, muted, actions=("a",))) == prior()
    report = check(committed, elsewhere, actions=("a", "b"))
    assert [(f.record, f.committed) for f in report.findings] == [("f", True)]
    report = check(committed, elsewhere, actions=("b",))
    assert [(f.record, f.committed) for f in report.findings] == [("f", False)]
    same = Entry(committed.record, committed=False)
    assert check(same, committed, actions=("a",)).findings[0].committed


def test_entries_from_the_future_are_one_line_and_take_part() -> None:
    late = render(AS_OF + timedelta(hours=24, seconds=1))
    soon = render(AS_OF + timedelta(hours=24))
    entries = [failure("f", at=late), failure("g", at=late, outcome="worked")]
    report = check(*entries, failure("h", at=soon, outcome="worked"))
    assert said(report) == [*prior(), ("experience.in_the_future", "f")]
    assert report.findings[1].detail.startswith("2 entries are dated")
    assert check(failure("f", at=late, outcome="worked"), project="garden").status == "clear"
    corrected = failure("s", supersedes=["f"], outcome="worked")
    assert check(failure("f", at=late), corrected).status == "clear"


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"])
def test_times_at_the_ends_of_the_calendar_do_no_harm(at: str) -> None:
    report = check(failure("f", at=at), as_of=AS_OF.replace(year=9999, month=12, day=31))
    assert said(report)[0] == prior()[0]


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("experience/atlas/x.md", True),
        ("experience/atlas-old/x.md", True),
        ("experience/nobody/x.md", True),
        ("experience/x.md", True),
        ("experience/garden/x.md", False),
    ],
)
def test_an_entry_that_cannot_be_read_warns_once(path: str, shown: bool) -> None:
    problems = [
        Problem(path, 3, 1, "yaml.syntax", "this is no YAML"),
        Problem(path, 1, 1, "field.missing", "`at` is missing"),
    ]
    garden = record("project", "garden")
    inputs = Inputs(authority=[ATLAS, garden], unreadable_experience=problems)
    report = evaluate(inputs, Request("atlas", actions=(), paths=(), hook=True), AS_OF)
    assert said(report) == [("experience.unreadable", "x")] * shown
    assert (report.status, report.complete) == ("warning" if shown else "clear", True)
    if shown:
        assert (report.findings[0].line, report.findings[0].answer) == (1, "doll validate")


def test_links_on_circles_and_between_them_do_not_count() -> None:
    links = {Link(*pair) for pair in ("ab", "ba", "bc", "cd", "dc", "de", "xa", "ee", "yz")}
    assert sound(links) == {Link(*pair) for pair in ("xa", "yz")}
    chain = [Link(f"n{i}", f"n{i + 1}") for i in range(5000)]
    assert sound(chain) == frozenset(chain)
