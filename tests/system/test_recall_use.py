"""Recall with use: what is logged and when, what it does to an answer, and what is never said."""

import json
from pathlib import Path
from typing import Any

import pytest

from doll.vault.signals import Feedback, Recall, Signal, encode
from tests.desk import Desk
from tests.ordinary import ordinary
from tests.recall_vault import entry, memory

pytestmark = pytest.mark.sampled(4)

AT = ("--as-of", "2026-08-20T12:00:00Z")
ASKED = ("recall", "beans", "--algorithm", "activation/1", *AT)
FILE = ".doll/usage/2026-08-20-00000000.jsonl"


@pytest.fixture
def notes(desk: Desk) -> Desk:
    desk.put("confirmed/best.md", memory("Beans and beans", "beans"))
    for name in ("one", "three", "two"):
        desk.put(f"confirmed/{name}.md", memory(f"Beans {name}", "and much else besides"))
    desk.git("add", "-A")
    desk.git("commit", "-qm", "notes")
    return desk


def put(desk: Desk, *signals: Signal, file: str = FILE) -> None:
    desk.put(file, b"".join(map(encode, signals)).decode())


def said(said: Any, *ids: str, by: str = "user", at: str = "10:00:00") -> Feedback:
    return Feedback(f"2026-08-20T{at}Z", ids, said, by)


def order(desk: Desk, *more: str) -> list[str]:
    return [hit["id"] for hit in desk.ok(*ASKED, "--json", *more).json["hits"]]


def logged(desk: Desk) -> list[Any]:
    found = sorted((desk.root / ".doll/usage").glob("*.jsonl"))
    return [json.loads(line) for file in found for line in file.read_text().splitlines()]


def test_nothing_is_logged_unless_it_was_switched_on(notes: Desk) -> None:
    notes.ok("recall", "beans")
    notes.git("config", "doll.logRecalls", "false")
    notes.ok("recall", "beans")
    assert not (notes.root / ".doll/usage").exists()


@pytest.mark.parametrize("value", ["true", "yes", "1"])
def test_the_shown_ids_and_the_moment_are_logged_and_never_the_query(
    notes: Desk, value: str
) -> None:
    notes.git("config", "doll.logRecalls", value)
    answer = notes.ok("recall", "beans and hidden-wish", "--limit", "2", *AT, "--json").json
    (line,) = logged(notes)
    assert not line.pop("at").startswith("2026-08-20")
    assert line == {"ids": [hit["id"] for hit in answer["hits"]], "kind": "recall"}
    assert len(line["ids"]) == 2
    assert notes.ok("recall", "nothing-like-it").err == ""
    assert len(logged(notes)) == 1
    assert notes.git("status", "--porcelain") == ""


def test_candidates_are_not_logged(notes: Desk) -> None:
    notes.git("config", "doll.logRecalls", "true")
    candidate = "---\nschema: doll/memory/1\norigin: import\n---\nzebra\n"
    notes.put("staging/pam/mine/zebra-01234567.md", candidate)
    answer = notes.ok("recall", "zebra", "--include-staging", "--json").json
    assert [hit["id"] for hit in answer["hits"]] == ["mine/zebra-01234567"]
    assert not (notes.root / ".doll/usage").exists()


def test_a_setting_that_is_none_is_said_with_the_line_that_mends_it(notes: Desk) -> None:
    expected = notes.ok("recall", "beans", *AT).out
    notes.git("config", "doll.logRecalls", "maybe")
    result = notes.ok("recall", "beans", *AT)
    assert result.out == expected
    assert "neither true nor false" in result.err
    notes.type(result.err.splitlines()[1].strip().partition("    ")[0])
    assert notes.ok("recall", "beans", *AT).err == ""
    assert len(logged(notes)) == 1


def _file_for_folder(desk: Desk) -> None:
    desk.put(".doll/usage", "mine")


def _link(desk: Desk) -> None:
    (desk.root / ".doll").mkdir(exist_ok=True)
    (desk.root / ".doll/usage").symlink_to(desk.root)


def _tracked(desk: Desk) -> None:
    put(desk, said("helpful", "two"))
    desk.git("add", "-f", ".doll/usage")


@pytest.mark.parametrize("way", [_file_for_folder, _link, _tracked])
def test_what_stands_in_the_way_of_the_log_fails_no_recall(notes: Desk, way: Any) -> None:
    expected = [notes.ok(*command).out for command in (("recall", "beans", *AT), ASKED)]
    notes.git("config", "doll.logRecalls", "true")
    way(notes)
    before = notes.files()
    result = notes.ok("recall", "beans", *AT)
    assert result.out == expected[0]
    assert result.err.startswith("doll: this recall was not logged: ")
    result = notes.ok(*ASKED)
    assert result.out == expected[1]
    assert "some use is left out" in result.err
    assert notes.files() == before


def test_a_log_that_is_locked_away_fails_no_recall(notes: Desk, tmp_path: Path) -> None:
    put(notes, said("helpful", "two"))
    notes.git("config", "doll.logRecalls", "true")
    user = ordinary(tmp_path)
    user.folder = notes.root
    folder = notes.root / ".doll/usage"
    folder.chmod(0)
    try:
        done = user.doll(*ASKED)
    finally:
        folder.chmod(0o700)
    assert done.returncode == 0
    assert done.stdout.startswith("1. Beans and beans")
    assert "some use is left out: .doll/usage cannot be read" in done.stderr
    assert "this recall was not logged: .doll/usage cannot be written" in done.stderr


def test_feedback_orders_what_matches_alike(notes: Desk) -> None:
    assert order(notes) == ["best", "one", "three", "two"]
    put(notes, said("helpful", "two"), said("helpful", "three", by="model:m"))
    assert order(notes) == ["best", "two", "three", "one"]
    put(notes, said("irrelevant", "one"), said("contradicted", "three"))
    assert order(notes) == ["best", "two", "one", "three"]


def test_an_unused_best_match_stays_first_and_only_the_user_takes_it_down(notes: Desk) -> None:
    put(notes, *(said("helpful", "two", at=f"0{n}:00:00") for n in range(9)))
    assert order(notes)[0] == "best"
    put(notes, said("contradicted", "best", by="model:m"), said("helpful", "two"))
    assert order(notes)[0] == "best"
    before = notes.ok(*ASKED, "--json").json["hits"][0]["score"]
    put(notes, said("contradicted", "best"))
    assert notes.ok(*ASKED, "--json").json["hits"][0]["score"] < before


def test_the_bound_is_that_of_what_is_shown(notes: Desk) -> None:
    """An archived record that matches better gives no room above the best that is current."""
    notes.put("confirmed/old.md", memory("Beans beans beans", "beans", status="archived"))
    put(notes, said("helpful", "one", "two"))
    assert order(notes)[0] == "best"
    assert order(notes, "--all")[0] == "old"


def test_every_part_is_explained_and_adds_up(notes: Desk) -> None:
    put(notes, said("helpful", "two"), Recall("2026-08-20T09:00:00Z", ("two", "best")))
    document = notes.ok(*ASKED, "--json", "--explain").json
    for hit in document["hits"]:
        added = hit["explain"]["additions"]
        assert hit["score"] == hit["explain"]["words"] + sum(one["points"] for one in added)
    two = next(hit for hit in document["hits"] if hit["id"] == "two")
    assert [(one["kind"], one["said"]) for one in two["explain"]["additions"]][:2] == [
        ("use", "recalled on 1 day"),
        ("feedback", "you (helpful 1)"),
    ]
    text = notes.ok(*ASKED, "--explain").out
    assert "     feedback you (helpful 1): " in text
    assert "2 signals of use counted, usage digest " in text


def test_the_document_names_the_usage_that_was_read(notes: Desk) -> None:
    assert notes.ok("recall", "beans", *AT, "--json").json["usage"] is None
    notes.put(FILE, encode(said("helpful", "two")).decode() + "torn")
    later = Recall("2026-08-20T12:00:01Z", ("one",))
    put(notes, later, file=".doll/usage/2026-08-20-ffffffff.jsonl")
    document = notes.ok(*ASKED, "--json").json
    assert document["algorithm"]["name"] == "activation"
    assert (document["usage"]["signals"], document["usage"]["skipped"]) == (1, 1)
    digest = document["usage"]["digest"]
    (notes.root / ".doll/usage/2026-08-20-ffffffff.jsonl").unlink()
    assert notes.ok(*ASKED, "--json").json["usage"]["digest"] == digest
    assert (
        "1 signal of use counted, 1 line skipped, usage digest" in notes.ok(*ASKED, "--explain").out
    )


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
def test_any_moment_can_be_asked_for(notes: Desk, at: str) -> None:
    put(notes, said("helpful", "two"))
    found = notes.ok("recall", "beans", "--algorithm", "activation/1", "--as-of", at, "--json").json
    assert found["usage"]["signals"] == 0


def test_a_loop_of_recalls_counts_as_one_recall_of_a_day(notes: Desk) -> None:
    put(notes, Recall("2026-08-20T09:00:00Z", ("two",)))
    once = notes.ok(*ASKED, "--json").json["hits"]
    put(notes, *[Recall("2026-08-20T09:00:00Z", ("two",))] * 5000)
    assert notes.ok(*ASKED, "--json").json["hits"] == once


def test_experience_has_use_too(notes: Desk) -> None:
    name = "20260801T000000Z-attempt-x-aaaaaaaaaa"
    notes.put(f"experience/atlas/{name}.md", entry("Beans burnt", outcome="failed"))
    notes.ok("feedback", "aaaaaaaaaa", "helpful")
    found = notes.ok("recall", "burnt", "--algorithm", "activation/1", "--json").json["hits"]
    assert "you (helpful 1)" in found[0]["why"]
