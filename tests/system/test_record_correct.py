"""`doll correct` and `doll confirm`: new entries that supersede; the old file never changes."""

import pytest

from doll.records.codec import parse
from doll.records.model import Experience
from tests.desk import Desk

pytestmark = pytest.mark.sampled(4)

TEXT = """---
schema: doll/experience/1
title: A title
project: atlas
kind: attempt
assertion: {assertion}
origin: {origin}
at: 2026-08-20T16:32:05.250+02:00
summary: Widening orders.id online locked the table
outcome: failed
actions: [db.migrate]
paths: ["migrations/**"]
evidence: [commit:1f2e3d4]
tags: [lock]
sensitivity: internal
---

It waited for one long report.\r
No newline at the end"""
OLD = "20260820T143205Z-attempt-widening-orders-k3v9q2xw7d"
PATH = f"experience/atlas/{OLD}.md"
REPORT = "It was the report, not the migration"


@pytest.fixture
def entry(desk: Desk) -> Desk:
    """A vault with one committed failure of the user."""
    return _with(desk, "user_recorded", "user")


@pytest.fixture
def proposed(desk: Desk) -> Desk:
    """A vault with one committed failure that a model recorded."""
    return _with(desk, "model_proposed", "model")


def _with(desk: Desk, assertion: str, origin: str) -> Desk:
    desk.put(PATH, TEXT.format(assertion=assertion, origin=origin))
    desk.git("add", "-A")
    desk.git("commit", "-qm", "failure")
    return desk


def _fields(desk: Desk, path: str) -> Experience:
    name = path.rpartition("/")[2].removesuffix(".md")
    record, problems, _ = parse(desk.read(path).encode(), path, name, "experience")
    assert problems == ()
    assert record is not None
    assert isinstance(record.fields, Experience)
    return record.fields


@pytest.mark.parametrize("name", [OLD, OLD.upper(), "k3v9q2xw7d", "20260820T", PATH, f"[[{OLD}]]"])
def test_a_correction_takes_over_what_it_does_not_say(entry: Desk, name: str) -> None:
    before = entry.read(PATH)
    path = entry.ok("correct", name, REPORT, "--outcome", "partial").path
    old, new = _fields(entry, PATH), _fields(entry, path)
    assert new.supersedes == (OLD,)
    assert (new.summary, new.title, new.outcome) == (REPORT, None, "partial")
    for field in ("project", "kind", "at", "actions", "paths", "evidence", "tags", "sensitivity"):
        assert getattr(new, field) == getattr(old, field), field
    assert new.assertion == "user_recorded"
    assert new.sources == ()
    assert "long report" not in entry.read(path)
    assert path.startswith("experience/atlas/20260820T143205Z-attempt-it-was-the-report-")
    assert entry.read(PATH) == before


def test_a_correction_can_say_otherwise(entry: Desk) -> None:
    path = entry.ok(
        *("correct", OLD, REPORT, "--kind", "lesson", "--drop", "outcome", "--drop", "paths"),
        *("--action", "db.report", "--at", "2026-08-21T00:00:00Z", "--source", "atlas", "--commit"),
    ).path
    new = _fields(entry, path)
    assert (new.kind, new.outcome, new.paths) == ("lesson", None, ())
    assert new.actions == ("db.report",)
    assert new.sources == ("atlas",)
    assert "/20260821T000000Z-lesson-" in path
    assert entry.git("log", "-1", "--format=%s") == f"correct: lesson {REPORT}"


@pytest.mark.parametrize("option", ["--resolves", "--supersedes"])
def test_an_entry_that_was_corrected_before_is_remarked(entry: Desk, option: str) -> None:
    first = entry.ok("correct", OLD, "first").path
    log = ("log", "resolution", "By night", "--project", "atlas", option, OLD)
    named = first.rpartition("/")[2].removesuffix(".md")
    assert f"{OLD} was superseded by {named} before" in entry.ok(*log).err


@pytest.mark.parametrize("again", [("correct", OLD, "second"), ("confirm", OLD)])
def test_what_was_replaced_is_neither_corrected_nor_confirmed(
    entry: Desk, again: tuple[str, ...]
) -> None:
    first = entry.ok("correct", OLD, "first").path
    named = first.rpartition("/")[2].removesuffix(".md")
    said = entry.refused(5, *again)
    assert f"{OLD} was replaced by {named}; nothing was written" in said
    assert f"doll show {named}" in said
    assert entry.ok(again[0], named, *again[2:]).code == 0


def test_what_the_user_recorded_can_be_confirmed_once(entry: Desk) -> None:
    result = entry.ok("confirm", OLD)
    assert "note: it was yours already" in result.err
    assert _fields(entry, result.path).assertion == "user_confirmed"
    entry.refused(5, "confirm", OLD)
    entry.refused(5, "confirm", result.path)


def test_a_confirmed_proposal_is_not_called_the_users(proposed: Desk) -> None:
    assert "yours already" not in proposed.ok("confirm", OLD).err


def test_a_models_correction_of_the_user_does_not_count(entry: Desk) -> None:
    result = entry.ok("correct", OLD, "It worked", "--outcome", "worked", DOLL_BY="model:claude")
    assert f"{OLD} is user_recorded, more than model_proposed: it still stands" in result.err
    new = _fields(entry, result.path)
    assert (new.assertion, new.origin) == ("model_proposed", "model")


def test_a_model_can_correct_a_model(proposed: Desk) -> None:
    result = proposed.ok("correct", OLD, "It worked", "--by", "model:other")
    assert "still stands" not in result.err
    assert _fields(proposed, result.path).origin_source == "model:other"


def test_the_user_corrects_a_model(proposed: Desk) -> None:
    fields = _fields(proposed, proposed.ok("correct", OLD, "It worked").path)
    assert (fields.assertion, fields.origin, fields.origin_source) == (
        "user_recorded",
        "user",
        None,
    )


def test_only_experience_is_corrected(entry: Desk) -> None:
    entry.ok("new", "memory", "espresso", "--by", "model:claude")
    entry.ok("new", "memory", "espresso")
    assert "edit confirmed/espresso.md" in entry.refused(2, "correct", "espresso", "x")
    assert "is a project" in entry.refused(2, "confirm", "atlas")
    candidate = next(p for p in entry.files() if p.startswith("staging/"))
    name = candidate.removeprefix("staging/").removesuffix(".md")
    assert f"doll review show {name}" in entry.refused(2, "correct", name, "x")
    assert f"doll review show {name}" in entry.refused(2, "confirm", name)


def test_an_entry_that_cannot_be_read_is_not_corrected(entry: Desk) -> None:
    entry.put(PATH, entry.read(PATH).replace("failed", "fialed"))
    said = entry.refused(4, "correct", OLD, "x")
    assert f"{PATH}:10:10: error" in said
    assert "failed" in said


def test_a_name_that_can_mean_several(entry: Desk) -> None:
    entry.put(PATH.replace("k3v9q2xw7d", "aaaaaaaaaa"), entry.read(PATH))
    said = entry.refused(2, "correct", "20260820T", "x")
    assert "can mean 2 records" in said
    assert said.count("experience/atlas/") == 2
    assert "no record has the id '2026" in entry.refused(2, "correct", "2026081", "x")


def test_a_confirmation_takes_over_everything(proposed: Desk) -> None:
    before = proposed.read(PATH)
    path = proposed.ok("confirm", "k3v9q2xw7d", "--commit").path
    old, new = _fields(proposed, PATH), _fields(proposed, path)
    assert new.assertion == "user_confirmed"
    assert (new.origin, new.origin_source) == ("user", None)
    assert new.supersedes == new.sources == (OLD,)
    for field in ("title", "summary", "outcome", "at", "actions", "paths", "evidence", "tags"):
        assert getattr(new, field) == getattr(old, field), field
    assert proposed.read(path).partition("\n---\n")[2] == before.partition("\n---\n")[2]
    assert proposed.read(PATH) == before
    assert proposed.git("show", "--name-only", "--format=", "HEAD") == path
    assert proposed.git("log", "-1", "--format=%s").startswith("confirm: attempt Widening")


def test_a_confirmed_correction_supersedes_what_it_corrects(entry: Desk) -> None:
    by_model = entry.ok("correct", OLD, REPORT, "--by", "model:claude").path
    name = by_model.rpartition("/")[2].removesuffix(".md")
    fields = _fields(entry, entry.ok("confirm", name).path)
    assert fields.supersedes == (OLD, name)
    assert fields.sources == (name,)


def test_a_model_does_not_confirm(proposed: Desk) -> None:
    for arguments, variables in (
        (("--by", "model:claude"), {}),
        ((), {"DOLL_BY": "model:claude"}),
        (("--by", "model:claude", "--commit"), {"DOLL_BY": "model:claude"}),
    ):
        said = proposed.refused(5, "confirm", OLD, *arguments, stdin=b"", **variables)
        assert "that is the user's" in said
    proposed.refused(2, "confirm", OLD, "--by", "user", DOLL_BY="model:claude")


def test_a_settled_entry_is_not_confirmed_again(proposed: Desk) -> None:
    path = proposed.ok("confirm", OLD).path
    assert "was replaced by" in proposed.refused(5, "confirm", OLD)
    name = path.rpartition("/")[2].removesuffix(".md")
    assert "confirmed already" in proposed.refused(5, "confirm", name)


def test_a_reference_that_names_nothing_any_more_is_said(entry: Desk) -> None:
    entry.git("rm", "-q", "authority/projects/atlas.md")
    said = entry.refused(2, "confirm", OLD)
    assert f"`project` of {OLD}" in said


def test_ids_that_are_none(desk: Desk) -> None:
    for name in ("", "../x", "/etc/passwd", "CON", "x" * 300, "🙂", "\udcff", "a\nb", "[[]]", "-"):
        desk.refused(2, "correct", "--", name, "x")
        desk.refused(2, "confirm", "--", name)
        desk.refused(2, "show", "--", name)
