"""Laws 3, 4 and 5 for the evaluator: deterministic, and nothing weaker removes or adds a stop.

Vaults are generated as values, hostile ones among them: shadowing ids, captured aliases, links at
everything, claims of more than their origin allows.
"""

import json
import os
import random
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from doll.preflight import Entry, Finding, Inputs, Report, Request, evaluate, report_payload
from doll.preflight.codes import ASSERTIONS, STATUSES
from doll.records.model import Record
from tests.preflight_builders import AS_OF, ATLAS, record
from tests.preflight_strategies import (
    STRONG,
    Vault,
    all_vaults,
    foreign_authority,
    requests,
    strong_vaults,
    uncommitted,
    weak,
)

law = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def judge(vault: Vault, request: Request, cap: int = 1000) -> Report:
    inputs = Inputs(authority=vault.authority, experience=vault.experience)
    return evaluate(inputs, request, AS_OF, cap=cap)


def kept(report: Report) -> set[tuple[object, ...]]:
    """Return the findings without what may change beside them: counts of a whole vault."""
    return {_gist(finding) for finding in report.findings}


def _gist(finding: Finding) -> tuple[object, ...]:
    if finding.code == "experience.in_the_future":
        return (finding.code, finding.severity)
    where = (finding.record, finding.path, finding.committed, finding.assertion)
    return (finding.code, finding.severity, *where, finding.matched_on, finding.unknown)


def stops(report: Report) -> list[tuple[object, ...]]:
    """Return blockers and wishes for confirmation, in order."""
    severe = ("blocked", "confirmation_required")
    return [_gist(finding) for finding in report.findings if finding.severity in severe]


def severity(report: Report) -> int:
    return STATUSES.index(report.status)


@law
@given(all_vaults, uncommitted, foreign_authority, requests, st.randoms())
def test_law_5_the_order_of_the_inputs_does_not_matter(
    vault: Vault,
    loose: list[Entry],
    foreign: list[Record],
    request: Request,
    rnd: random.Random,
) -> None:
    whole = Vault([*vault.authority, *foreign], [*vault.experience, *loose])
    shuffled = Vault(list(whole.authority), list(whole.experience))
    rnd.shuffle(shuffled.authority)
    rnd.shuffle(shuffled.experience)
    asked = request._replace(
        actions=None if request.actions is None else tuple(reversed(request.actions)),
        paths=None if request.paths is None else tuple(reversed(request.paths)),
    )
    one, other = judge(whole, request), judge(shuffled, asked)
    assert one == other
    assert json.dumps(report_payload(one)) == json.dumps(report_payload(other))


@law
@given(strong_vaults, weak, foreign_authority, requests)
def test_law_4_what_is_weaker_removes_nothing_and_stops_nothing(
    vault: Vault, added: list[Entry], foreign: list[Record], request: Request
) -> None:
    before = judge(vault, request)
    after = judge(Vault([*vault.authority, *foreign], [*vault.experience, *added]), request)
    assert kept(before) <= kept(after)
    assert stops(before) == stops(after)
    assert severity(after) <= severity(before)
    assert after.unreadable == before.unreadable


RANK: dict[str, int] = dict(zip(ASSERTIONS, (3, 3, 2, 1, 1), strict=True))
ALLOWED = {"user": 3, "system": 2, "import": 1, "model": 1}


@pytest.mark.parametrize("target", STRONG)
@pytest.mark.parametrize("origin", ALLOWED)
@pytest.mark.parametrize("assertion", ASSERTIONS)
def test_law_4_every_weaker_or_uncommitted_link_is_without_effect(
    target: str, origin: str, assertion: str
) -> None:
    mine = Entry(record("experience", "f", assertion=target), committed=True)
    fields = {"assertion": assertion, "origin": origin, "outcome": "worked"}
    theirs = record("experience", "s", supersedes=["f"], resolves=["f"], **fields)
    as_strong = min(RANK[assertion], ALLOWED[origin]) >= RANK[target]
    for committed in (True, False):
        vault = Vault([ATLAS], [mine, Entry(theirs, committed)])
        muted = not judge(vault, Request("atlas")).findings
        assert muted is (as_strong and committed)


@law
@given(strong_vaults, weak, requests)
def test_law_4_a_flood_of_weaker_entries_displaces_no_listed_finding(
    vault: Vault, added: list[Entry], request: Request
) -> None:
    listed = judge(vault, request, cap=2)
    flooded = judge(Vault(vault.authority, [*vault.experience, *added]), request, cap=2)
    strong = {_gist(f) for f in listed.findings if f.trust < 4}
    assert strong <= kept(flooded)


@law
@given(all_vaults, uncommitted, requests)
def test_law_4_what_is_not_committed_removes_nothing(
    vault: Vault, loose: list[Entry], request: Request
) -> None:
    before = judge(vault, request)
    after = judge(Vault(vault.authority, [*vault.experience, *loose]), request)
    assert kept(before) <= kept(after)
    assert stops(before) == stops(after)
    assert severity(after) <= severity(before)


@law
@given(all_vaults, uncommitted, requests)
def test_law_3_experience_only_warns(vault: Vault, loose: list[Entry], request: Request) -> None:
    without = judge(Vault(vault.authority, []), request)
    report = judge(Vault(vault.authority, [*vault.experience, *loose]), request)
    assert stops(report) == stops(without)
    assert report.obstacles == without.obstacles
    assert all(f.severity == "warning" for f in report.findings if f.code.startswith("exp"))


@law
@given(all_vaults, foreign_authority, requests)
def test_law_5_a_status_needs_what_it_claims_and_nothing_is_granted(
    vault: Vault, foreign: list[Record], request: Request
) -> None:
    report = judge(Vault([*vault.authority, *foreign], vault.experience), request)
    assert report.authorizes is False
    assert report.complete or report.status in ("blocked", "not_checked")
    assert not (report.complete and foreign)
    assert (report.status == "blocked") is any(f.severity == "blocked" for f in report.findings)


SCRIPT = """
import json, sys
from tests.preflight_builders import ATLAS, GARDEN, AS_OF, failure, record
from doll.preflight import Inputs, Request, evaluate, report_payload
entries = [failure(f"f{n}", actions=["a"], paths=["p/**"], resolves=[f"f{n+1}", f"f{n+2}"],
                   supersedes=[f"f{n*7}"]) for n in range(40)]
rules = [record("policy", f"p{n}", effect="advise", actions=["a", "b"]) for n in range(20)]
inputs = Inputs(authority=[ATLAS, GARDEN, *rules], experience=entries)
report = evaluate(inputs, Request("atlas", ("b", "a"), ("p/2", "p/1")), AS_OF, cap=30)
sys.stdout.write(json.dumps(report_payload(report)))
"""


def _run(script: str, **environment: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_law_5_neither_hash_seed_nor_zone_nor_locale_changes_a_byte() -> None:
    seen = {
        _run(SCRIPT, PYTHONHASHSEED="0", TZ="UTC", LC_ALL="C"),
        _run(SCRIPT, PYTHONHASHSEED="1", TZ="Asia/Tokyo", LC_ALL="C.UTF-8"),
        _run(SCRIPT, PYTHONHASHSEED="77", TZ="America/St_Johns", LC_ALL="POSIX"),
    }
    assert len(seen) == 1
    assert '"status": "warning"' in seen.pop()


def test_law_5_the_evaluator_loads_nothing_that_could_look_around() -> None:
    loaded = _run("import sys, doll.preflight; print('\\n'.join(sys.modules))").splitlines()
    assert "doll.preflight.evaluate" in loaded
    outside = {"doll.vault", "doll.vcs", "doll.recall", "doll.services", "git", "whoosh", "yaml"}
    assert not outside.intersection(loaded)
