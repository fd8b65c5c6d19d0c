"""Permissions and capabilities: one documented order, and nothing granted by what is not known."""

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doll.preflight import Report
from doll.records.model import Record
from doll.render.preflight_text import full_lines
from tests.preflight_builders import check, record, said

MIGRATE = record("capability", "db.migrate")
PAST, FUTURE = "2026-08-20T12:00:00Z", "2026-08-20T12:00:01Z"
PROD, STAGING = "env=prod", "env=staging"


def permission(name: str, mode: str = "allow", **fields: Any) -> Record:
    return record("permission", name, mode=mode, **{"capability": "db.migrate", **fields})


def ask(*records: Record, **request: Any) -> Report:
    return check(MIGRATE, *records, **{"actions": ("db.migrate",), **request})


@pytest.mark.parametrize(
    ("mode", "status", "found"),
    [
        ("deny", "blocked", [("permission.denied", "p")]),
        ("ask", "confirmation_required", [("permission.ask", "p")]),
        ("allow_once", "confirmation_required", [("permission.allow_once", "p")]),
        ("allow", "clear", []),
    ],
)
def test_each_mode(mode: str, status: str, found: list[tuple[str, str]]) -> None:
    report = ask(permission("p", mode))
    assert (report.status, said(report)) == (status, found)
    below = ask(permission("p", mode), actions=("db.migrate.online",))
    assert (below.status, said(below)) == (status, found)
    assert report.authorizes is False


def test_a_registered_capability_without_any_permission_is_blocked() -> None:
    report = ask()
    assert said(report) == [("permission.missing", "db.migrate")]
    finding = report.findings[0]
    assert report.status == "blocked"
    assert finding.path == "authority/capabilities/db.migrate.md"
    line = "doll new permission ask-db-migrate --set capability=db.migrate --set mode=ask"
    assert finding.alternative == line
    assert said(check(actions=("db.migrate",))) == []


@pytest.mark.parametrize("names", list(permutations(["deny", "ask", "allow_once", "allow"])))
def test_among_equals_the_strictest_decides_in_any_order(names: tuple[str, ...]) -> None:
    records = [permission(f"{place}-{mode}", mode) for place, mode in enumerate(names)]
    for kept, code in (
        (("deny", "ask", "allow_once", "allow"), "permission.denied"),
        (("ask", "allow_once", "allow"), "permission.ask"),
        (("allow_once", "allow"), "permission.allow_once"),
    ):
        report = ask(*(r for r in records if r.id.partition("-")[2] in kept))
        assert [finding.code for finding in report.findings] == [code]


def test_the_most_specific_scope_decides() -> None:
    general = permission("general", "deny")
    prod = permission("prod", "allow", scope=[PROD])
    narrow = permission("narrow", "ask", scope=[PROD, "table=orders"])
    assert ask(general, prod, scope=(PROD,)).status == "clear"
    assert said(ask(general, prod, scope=(STAGING,))) == [("permission.denied", "general")]
    report = ask(general, prod, narrow, scope=(PROD, "table=orders"))
    assert said(report) == [("permission.ask", "narrow")]
    assert [tuple(m) for m in report.findings[0].matched_on] == [
        ("capability", "db.migrate", "db.migrate"),
        ("scope", PROD, PROD),
        ("scope", "table=orders", "table=orders"),
    ]
    either = permission("either", "allow", scope=[PROD, STAGING])
    assert ask(general, either, scope=(STAGING,)).status == "clear"


@pytest.mark.parametrize(
    ("sure", "open_", "status", "code"),
    [
        ("allow", "allow", "clear", None),
        ("allow", "deny", "confirmation_required", "permission.denied"),
        ("allow", "ask", "confirmation_required", "permission.ask"),
        ("deny", "allow", "confirmation_required", "permission.denied"),
        ("deny", "deny", "blocked", "permission.denied"),
        ("ask", "allow", "confirmation_required", "permission.ask"),
        (None, "deny", "confirmation_required", "permission.denied"),
        (None, "ask", "confirmation_required", "permission.ask"),
        (None, "allow_once", "confirmation_required", "permission.ask"),
        (None, "allow", "confirmation_required", "permission.ask"),
    ],
)
def test_what_is_not_given_is_never_taken_for_the_better(
    sure: str | None, open_: str, status: str, code: str | None
) -> None:
    records = [permission("sure", sure)] if sure else []
    for request in ({}, {"scope": ("region=eu",)}):
        report = ask(*records, permission("open", open_, scope=[PROD]), **request)
        assert report.status == status
        assert [finding.code for finding in report.findings] == ([code] if code else [])
        if status == "confirmation_required":
            assert report.findings[0].unknown == ("scope",)
            assert any("--scope" in line for line in full_lines(report))


def worlds(context: dict[str, str], names: list[str]) -> list[dict[str, str]]:
    """Return the context with every value that a key it lacks may have, one beyond those named."""
    found = [context]
    for name in names:
        values = ("prod", "test", "other") if name == "env" else ("eu", "other")
        known = name in context
        found = [{**each, name: v} for each in found for v in values] if not known else found
    return found


MODES = st.sampled_from(["deny", "ask", "allow_once", "allow"])
SCOPES = st.lists(st.sampled_from([PROD, "env=test", "region=eu"]), max_size=2, unique=True)
WHOSE = st.sampled_from([[], [], ["atlas"], ["garden"]])
ENDS = st.sampled_from([None, None, PAST])


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(MODES, SCOPES, WHOSE, ENDS), min_size=1, max_size=4),
    st.sampled_from([{}, {"env": "prod"}, {"env": "other"}, {"region": "eu"}]),
)
def test_what_is_left_open_is_what_differs_between_possible_requests(
    permissions: list[tuple[str, list[str], list[str], str | None]], given_: dict[str, str]
) -> None:
    records = [
        permission(f"p{number}", mode, scope=scope, projects=projects, valid_until=until)
        for number, (mode, scope, projects, until) in enumerate(permissions)
    ]
    scope = tuple(f"{key}={value}" for key, value in given_.items()) or None
    status = ask(*records, scope=scope).status
    possible = {
        ask(*records, scope=tuple(f"{key}={value}" for key, value in world.items())).status
        for world in worlds(given_, ["env", "region"])
    }
    expected = possible.pop() if len(possible) == 1 else "confirmation_required"
    assert status == expected


def test_more_possible_requests_than_can_be_tried_are_taken_for_the_worst() -> None:
    keys = [f"key{number}" for number in range(30)]
    records = [permission(f"p{key}", "allow", scope=[f"{key}=x"]) for key in keys]
    assert ask(*records, permission("all")).status == "confirmation_required"


def test_every_possibility_that_denies_is_a_denial() -> None:
    everywhere, prod = permission("a", "deny"), permission("b", "deny", scope=[PROD])
    assert ask(everywhere, prod, permission("c", "ask")).status == "blocked"
    mine = permission("mine", projects=["atlas"])
    assert ask(everywhere, mine, project=None).status == "blocked"
    ended = permission("ended", valid_until=PAST)
    assert ask(prod, ended).status == "blocked"


def test_a_scope_that_is_known_settles_it() -> None:
    sure, open_ = permission("sure"), permission("open", "deny", scope=[PROD])
    assert ask(sure, open_, scope=(PROD,)).status == "blocked"
    assert ask(sure, open_, scope=(STAGING,)).status == "clear"


def test_permissions_of_other_scopes_or_projects_permit_nothing_here() -> None:
    for other in (permission("o", scope=[PROD]), permission("o", projects=["garden"])):
        report = ask(other, scope=(STAGING,))
        assert report.status == "confirmation_required"
        assert said(report) == [("permission.ask", "db.migrate")]
        assert "no permission of this capability is about" in report.findings[0].detail


def test_without_a_project_it_is_not_known_which_permission_holds() -> None:
    report = ask(permission("mine", projects=["atlas"]), project=None)
    assert report.status == "confirmation_required"
    assert report.findings[0].unknown == ("project",)


def test_an_expired_permission_never_counts() -> None:
    ended = permission("ended", valid_until=PAST)
    assert said(ask(ended)) == [("permission.expired", "ended")]
    assert ask(ended).status == "blocked"
    assert ask(permission("ends", valid_until=FUTURE)).status == "clear"
    assert said(ask(ended, permission("ask", "ask"))) == [("permission.ask", "ask")]
    denial = permission("denial", "deny", valid_until=PAST)
    assert ask(denial, permission("still")).status == "clear"
    assert said(ask(denial)) == [("permission.ask", "db.migrate")]
    scoped = permission("scoped", valid_until=PAST, scope=[PROD])
    assert ask(scoped).status == "confirmation_required"
    assert said(ask(scoped, scope=(STAGING,))) == [("permission.ask", "db.migrate")]


def test_the_capability_is_the_record_of_that_name_or_of_the_longest_prefix() -> None:
    db, online = record("capability", "db", aliases=["database"]), record("capability", "db.online")
    denial = record("permission", "no", capability="database", mode="deny")
    granted = record("permission", "yes", capability="db.online", mode="allow")
    records = (db, online, denial, granted)
    assert said(check(*records, actions=("db.drop.all",))) == [("permission.denied", "no")]
    assert check(*records, actions=("db.online.now",)).status == "clear"
    assert check(*records, actions=("dbx",)).status == "clear"


def test_excluded_and_high_risk() -> None:
    granted = record("permission", "yes", capability="db.drop", mode="allow")
    excluded = record("capability", "db.drop", release="excluded", risk="high")
    report = check(excluded, granted, actions=("db.drop",))
    assert (report.status, said(report)) == ("blocked", [("capability.excluded", "db.drop")])
    risky = record("capability", "db.drop", risk="high")
    report = check(risky, granted, actions=("db.drop",))
    assert report.status == "confirmation_required"
    assert said(report) == [("capability.high_risk", "db.drop")]


def test_without_actions_only_denials_speak() -> None:
    excluded = record("capability", "db.drop", release="excluded")
    risky = record("capability", "db.wipe", risk="high")
    report = check(MIGRATE, excluded, risky, permission("no", "deny"))
    assert report.status == "confirmation_required"
    assert said(report) == [("capability.excluded", "db.drop"), ("permission.denied", "no")]
    assert all(finding.unknown == ("actions",) for finding in report.findings)
    assert [(note.code, note.total) for note in report.notes] == [("request.not_given", 1)]
    hook = check(MIGRATE, excluded, permission("no", "deny"), actions=(), paths=(), hook=True)
    assert hook.status == "clear"


def test_patterns_stand_for_the_registered_capabilities() -> None:
    online = record("capability", "db.migrate.online")
    no = permission("no", "deny", capability="db.migrate.online")
    report = ask(permission("yes"), online, no, actions=("db.*",))
    assert report.request.actions == ("db.migrate", "db.migrate.online")
    assert said(report) == [("permission.denied", "no")]
    nothing = ask(permission("yes"), actions=("mail.*",))
    assert nothing.status == "not_checked"
    assert nothing.obstacles[0].problem.message == "no registered capability matches 'mail.*'"


def test_an_action_that_nothing_knows_is_said() -> None:
    policy = record("policy", "no", actions=["db.migrate"])
    report = check(policy, actions=("db.migrat",))
    assert report.status == "clear"
    assert [note.message for note in report.notes] == [
        "nothing here knows the action db.migrat; did you mean db.migrate?"
    ]
    assert check(policy, actions=("db.migrate.orders",)).notes == ()
    assert ask(permission("p"), actions=("db.migrate.orders",)).notes == ()


@pytest.mark.parametrize("scope", [("prod",), ("=x",), ("env=",), (PROD, STAGING), ("Env=x",)])
def test_a_scope_that_says_nothing_sure_is_not_checked(scope: tuple[str, ...]) -> None:
    assert ask(permission("p"), scope=scope).status == "not_checked"
    assert ask(permission("p", "deny"), scope=scope).status == "blocked"


@pytest.mark.parametrize("origin", ["import", "model", "system"])
def test_only_the_users_own_records_permit_or_register(origin: str) -> None:
    report = ask(permission("theirs", origin=origin))
    assert [finding.code for finding in report.findings] == ["permission.missing"]
    theirs = record("capability", "db.drop", release="excluded", origin=origin)
    assert check(theirs, actions=("db.drop",)).status == "not_checked"
