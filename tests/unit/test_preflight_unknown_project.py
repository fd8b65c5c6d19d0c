"""Paths that mean an action in one project's entry of the map, where nobody says which project."""

from typing import Any

import pytest

from doll.preflight import Inputs, Report, Request, evaluate
from doll.records.model import Record
from doll.vault.settings import ActionRule
from tests.preflight_builders import AS_OF, ATLAS, GARDEN, failure, record, said

MAP = (
    ActionRule("atlas", ("migrations/**",), ("db.migrate",)),
    ActionRule("garden", ("migrations/old/**",), ("db.drop",)),
)


def ask(*records: Record, **request: Any) -> Report:
    """Ask as a hook does, without a project unless one is given."""
    given = {"actions": (), "paths": ("migrations/1.sql",), "hook": True, **request}
    inputs = Inputs(authority=[ATLAS, GARDEN, *records], action_map=MAP)
    return evaluate(inputs, Request(**given), AS_OF)


DENIALS = {
    "for all": record("policy", "no", actions=["db"]),
    "for the entry's": record("policy", "no", actions=["db.migrate"], projects=["atlas"]),
    "a procedure": record("procedure", "no", status="draft", required_for=["db.migrate"]),
    "excluded": record("capability", "db.migrate", release="excluded"),
    "never permitted": record("capability", "db.migrate"),
}


@pytest.mark.parametrize("name", DENIALS)
def test_a_denial_asks_for_confirmation(name: str) -> None:
    report = ask(DENIALS[name])
    assert report.status == "confirmation_required"
    (finding,) = report.findings
    assert finding.unknown == ("project",)
    assert report.request.actions == ()
    assert ask(DENIALS[name], project="atlas").status == "blocked"
    assert ask(DENIALS[name], project="garden").status == "clear"
    assert ask(DENIALS[name], paths=("src/a",)).status == "clear"


def test_a_permission_and_a_high_risk() -> None:
    capability = record("capability", "db.migrate", risk="high")
    for mode, code in (("deny", "permission.denied"), ("allow", "capability.high_risk")):
        report = ask(capability, record("permission", "p", mode=mode))
        assert report.status == "confirmation_required"
        assert (code, "p" if mode == "deny" else "db.migrate") in said(report)
        assert all(finding.unknown == ("project",) for finding in report.findings)


def test_each_entry_that_matches_counts() -> None:
    drops = record("policy", "no", actions=["db.drop"])
    assert ask(drops).status == "clear"
    assert ask(drops, paths=("migrations/old/1.sql",)).status == "confirmation_required"


def test_an_action_that_is_given_is_certain() -> None:
    report = ask(DENIALS["for all"], actions=("db.migrate",))
    assert (report.status, report.findings[0].unknown) == ("blocked", ())


def test_what_only_warns_is_counted() -> None:
    advice = record("policy", "gently", effect="advise", actions=["db"])
    inputs = Inputs(
        authority=[ATLAS, GARDEN, advice],
        experience=[failure("locked", actions=["db.migrate"])],
        action_map=MAP,
    )
    report = evaluate(inputs, Request(actions=(), paths=("migrations/1.sql",)), AS_OF)
    assert (report.status, report.findings) == ("clear", ())
    (note,) = [note for note in report.notes if note.code == "request.not_given"]
    assert note.total == 2
    assert note.message.endswith(": --project")
