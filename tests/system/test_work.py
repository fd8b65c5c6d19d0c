"""`doll work`: only status and `blocked_by` change, only by open ways, only by the user."""

import itertools

import pytest

from doll.records.work_items import VERBS
from tests.desk import Desk
from tests.gitbox import hook

pytestmark = pytest.mark.sampled(4)

PATH = "authority/work-items/split.md"
# A file as a person keeps it: comments, CRLF, an unknown order, no newline at the end.
TEXT = (
    "---\r\n# mine\r\nproject:   atlas\r\nstatus: {0}   # where it stands\r\n"
    "title: 'Split: orders'\r\n{1}---\r\n\r\nstatus: proposed\r\nLast line"
)


def kept(desk: Desk, status: str, more: str = "") -> str:
    """Put the work item there, committed, and return its text."""
    text = TEXT.format(status, more)
    desk.put(PATH, text)
    desk.git("add", "-A")
    desk.git("commit", "-qm", "work item")
    return text


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("before", "verb", "after"),
    [
        ("proposed", "ready", "ready"),
        ("ready", "start", "in_progress"),
        ("in_progress", "done", "completed"),
        ("ready", "block", "blocked"),
        ("in_progress", "block", "blocked"),
        ("blocked", "unblock", "ready"),
        ("blocked", "ready", "ready"),
        ("blocked", "start", "in_progress"),
        ("proposed", "cancel", "cancelled"),
        ("ready", "cancel", "cancelled"),
        ("in_progress", "cancel", "cancelled"),
        ("blocked", "cancel", "cancelled"),
    ],
)
def test_an_open_way_changes_the_status_and_no_other_byte(
    desk: Desk, before: str, verb: str, after: str
) -> None:
    kept(desk, before)
    result = desk.ok("work", verb, "split")
    assert result.out == f"split: {before} → {after}\n"
    assert desk.read(PATH) == TEXT.format(after, "")
    assert "not committed, so it does not count yet" in result.err
    desk.type(result.err.splitlines()[-1])
    assert desk.git("status", "--short") == ""
    assert desk.git("log", "-1", "--format=%s") == f"work: {verb} split"


LEGAL = {(source, verb) for verb, way in VERBS.items() for source in way.sources}
STATES = ("proposed", "ready", "in_progress", "blocked", "completed", "cancelled")


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("before", "verb"),
    [
        (state, verb)
        for state, verb in itertools.product(STATES, VERBS)
        if (state, verb) not in LEGAL and VERBS[verb].target != state
    ],
)
def test_another_way_is_refused_with_the_open_ones_named(
    desk: Desk, before: str, verb: str
) -> None:
    kept(desk, before)
    said = desk.refused(5, "work", verb, "split", "--commit")
    assert f"split is {before}, and no way leads from there to {VERBS[verb].target}" in said
    named = {line.split()[2] for line in said.splitlines() if line.startswith("  doll work ")}
    assert named == {word for state, word in LEGAL if state == before} - (
        {"ready"} if before == "blocked" else set()
    )
    if not named:
        assert "doll new work-item" in said


@pytest.mark.parametrize(("verb", "there"), [(verb, way.target) for verb, way in VERBS.items()])
def test_one_that_is_there_already_stays_as_it_is(desk: Desk, verb: str, there: str) -> None:
    kept(desk, there)
    before = desk.files()
    result = desk.ok("work", verb, "split", "--commit")
    assert result.out == f"split: {there} already; its file stays as it is\n"
    assert "HEAD has it so" in result.err
    assert desk.files() == before
    assert desk.git("log", "-1", "--format=%s") == "work item"


def test_a_second_time_commits_what_the_first_one_wrote(desk: Desk) -> None:
    kept(desk, "in_progress")
    desk.ok("work", "done", "split")
    assert "does not count yet" in desk.ok("work", "done", "split").err
    assert "committed as" in desk.ok("work", "done", "split", "--commit").err
    assert desk.git("status", "--short") == ""


def test_reasons_come_and_go(desk: Desk) -> None:
    kept(desk, "ready", "blocked_by:\r\n  - the lock # at night\r\n")
    desk.ok("work", "block", "split", "--reason", "the report: nightly", "--reason", "the lock")
    reasons = 'blocked_by:\r\n  - the lock # at night\r\n  - "the report: nightly"\r\n'
    assert desk.read(PATH) == TEXT.format("blocked", reasons)
    again = desk.ok("work", "block", "split", "--reason", "Jane is away")
    assert again.out == "split: blocked as before, with the reason added\n"
    assert "  - Jane is away\r\n" in desk.read(PATH)
    assert desk.ok("work", "block", "split", "--reason", "Jane is away").out.startswith(
        "split: blocked already"
    )
    desk.ok("work", "unblock", "split", "--commit")
    assert desk.read(PATH) == TEXT.format("ready", "")


def test_a_blocked_one_blocks_preflight_once_it_is_committed(desk: Desk) -> None:
    kept(desk, "in_progress")
    ask = ("preflight", "--work-item", "split", "--json")
    desk.ok("work", "block", "split", "--reason", "the lock")
    pending = desk.ok(*ask)
    assert pending.json["status"] == "clear"
    assert "authority.not_committed" in pending.out
    desk.ok("work", "block", "split", "--commit")
    assert desk.doll(*ask).json["status"] == "blocked"


def test_just_that_file_is_committed(desk: Desk) -> None:
    kept(desk, "ready")
    desk.put("confirmed/other.md", "---\ntitle: Other\n---\n")
    desk.git("add", "-A")
    result = desk.ok("work", "start", "split", "--commit", "--json")
    assert desk.git("show", "--name-only", "--format=", "HEAD") == PATH
    assert desk.git("status", "--short") == "A  confirmed/other.md"
    assert result.json == {
        "schema": "doll.work/1",
        "id": "split",
        "path": PATH,
        "before": "ready",
        "after": "in_progress",
        "changed": True,
        "committed": True,
        "commit": desk.git("rev-parse", "HEAD"),
        "notes": [],
        "next": [],
    }


def test_other_changes_of_the_file_are_remarked(desk: Desk) -> None:
    text = kept(desk, "ready")
    desk.put(PATH, text + ", changed")
    assert "had changes before, which are not committed" in desk.ok("work", "start", "split").err
    said = desk.ok("work", "done", "split", "--commit").err
    assert "had changes before, which are committed with it" in said


def test_a_commit_that_a_hook_refuses_is_told(desk: Desk) -> None:
    kept(desk, "ready")
    hook(desk.root, "#!/bin/sh\necho no >&2\nexit 1\n")
    result = desk.doll("work", "start", "split", "--commit")
    assert result.code == 7
    assert f"{PATH} is written and not committed" in result.err
    assert "status: in_progress" in desk.read(PATH)


@pytest.mark.parametrize("verb", VERBS)
def test_a_model_moves_none(desk: Desk, verb: str) -> None:
    kept(desk, VERBS[verb].sources[0])
    model = "model:claude"
    for said in (
        desk.refused(5, "work", verb, "split", "--by", model),
        desk.refused(5, "work", verb, "split", "--commit", DOLL_BY=model),
    ):
        assert "model:claude cannot move a work item along: that is the user's" in said
        assert f"doll work {verb}" in said


def test_what_is_none_is_refused(desk: Desk) -> None:
    text = kept(desk, "ready")
    assert "is a project" in desk.refused(2, "work", "start", "atlas")
    assert "no record has the id" in desk.refused(2, "work", "start", "nothing")
    secret = "AKIA" + "QWERTYUIOPASDFGH"
    said = desk.refused(5, "work", "block", "split", "--reason", f"the key {secret}")
    assert secret not in said
    desk.refused(2, "work", "block", "split", "--reason", "two\nlines")
    desk.refused(2, "work", "block", "split", "--reason", "")
    desk.put(PATH, text.replace("title", "tilte"))
    assert f"{PATH}:5:1" in desk.refused(4, "work", "start", "split")


def test_a_false_alarm_is_let_through_by_the_user(desk: Desk) -> None:
    kept(desk, "ready")
    reason = f"the key AKIA{'QWERTYUIOPASDFGH'}"
    said = desk.refused(5, "work", "block", "split", "--reason", reason)
    option = said.strip().splitlines()[-1].partition("--not-a-secret ")[2]
    block = ("work", "block", "split", "--reason", reason, "--not-a-secret", option)
    desk.ok(*block, "--commit")
    assert f"Doll-Not-A-Secret: {option}" in desk.git("log", "-1", "--format=%B")
    desk.ok("validate")


def test_another_branch_is_remarked(desk: Desk) -> None:
    kept(desk, "ready")
    desk.git("switch", "-qc", "feature")
    assert "HEAD is on feature: it does not count" in desk.ok("work", "start", "split").err


def test_what_it_waits_for_is_remarked(desk: Desk) -> None:
    kept(desk, "ready", "depends_on: [lock, done]\r\n")
    for name, status in (("lock", "in_progress"), ("done", "completed")):
        desk.put(f"authority/work-items/{name}.md", f"---\nproject: atlas\nstatus: {status}\n---\n")
    said = desk.ok("work", "start", "split").err
    assert "note: it depends on lock, which is in_progress" in said
    assert "depends on done" not in said
