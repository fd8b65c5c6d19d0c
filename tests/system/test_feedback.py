"""`doll feedback` as typed: what it takes, what it keeps, and what it says."""

import json
import os
from datetime import datetime
from typing import Any

import pytest

from tests.desk import Desk
from tests.recall_vault import entry, memory

pytestmark = pytest.mark.sampled(4)

ATTEMPT = "20260801T000000Z-attempt-x-aaaaaaaaaa"
CANDIDATE = "staging/pam/mine/tea-01234567.md"


@pytest.fixture
def notes(desk: Desk) -> Desk:
    desk.put("confirmed/espresso-order.md", memory("Espresso order", aliases="[coffee-order]"))
    desk.put("confirmed/recovery.md", memory("Recovery sheet", sensitivity="secret"))
    desk.put("confirmed/broken.md", "---\ntitle: [\n---\n")
    desk.put(f"experience/atlas/{ATTEMPT}.md", entry("It locked", outcome="failed"))
    desk.put(CANDIDATE, "---\nschema: doll/memory/1\norigin: import\n---\n")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "notes")
    return desk


def lines(desk: Desk) -> list[Any]:
    found = sorted((desk.root / ".doll/usage").glob("*.jsonl"))
    return [json.loads(line) for file in found for line in file.read_text().splitlines()]


def test_the_user_says_so(notes: Desk) -> None:
    result = notes.ok("feedback", "espresso-order", "helpful")
    assert result.out == "espresso-order: helpful, says you\n"
    assert result.err == ("no record changed; doll recall --algorithm activation/1 orders by it\n")
    (line,) = lines(notes)
    assert datetime.fromisoformat(line.pop("at")).tzinfo is not None
    assert line == {
        "by": "user",
        "ids": ["espresso-order"],
        "kind": "feedback",
        "said": "helpful",
    }
    assert notes.git("status", "--porcelain") == ""


def test_a_model_may_say_so_and_is_told_apart(notes: Desk) -> None:
    result = notes.ok("feedback", "espresso-order", "irrelevant", "--by", "model:a")
    assert result.out == "espresso-order: irrelevant, says model:a\n"
    notes.ok("feedback", "espresso-order", "helpful", DOLL_BY="model:b")
    assert [line["by"] for line in lines(notes)] == ["model:a", "model:b"]


@pytest.mark.parametrize("by", ["user", "me", "", "model:"])
def test_nobody_becomes_the_user_by_saying_so(notes: Desk, by: str) -> None:
    notes.refused(2, "feedback", "espresso-order", "helpful", "--by", by)
    notes.refused(2, "feedback", "espresso-order", "helpful", DOLL_BY=by)
    said = notes.refused(
        *(2, "feedback", "espresso-order", "helpful", "--by", "model:a"), DOLL_BY="model:b"
    )
    assert "--by cannot change it" in said


@pytest.mark.parametrize(
    "word",
    ["espresso-order", "ESPRESSO-ORDER", "coffee-order", "espr", "confirmed/espresso-order.md"],
)
def test_every_word_that_means_a_record_is_kept_as_its_id(notes: Desk, word: str) -> None:
    notes.ok("feedback", word, "helpful")
    assert [line["ids"] for line in lines(notes)] == [["espresso-order"]]


def test_an_id_of_two_records_is_refused_by_its_path_too(notes: Desk) -> None:
    for path in ("confirmed/dup.md", "confirmed/sub/dup.md"):
        notes.put(path, memory("Dup"))
    for word in ("dup", "confirmed/dup.md", "confirmed/sub/dup.md"):
        said = notes.refused(2, "feedback", "espresso-order", word, "helpful")
        assert "'dup' can mean 2 records" in said
        assert "confirmed/sub/dup.md" in said


def test_several_records_are_one_line_each_named_once(notes: Desk) -> None:
    words = ("espresso-order", "aaaaaaaaaa", "coffee-order")
    document = notes.ok("feedback", *words, "contradicted", "--json").json
    file, at = document.pop("file"), document.pop("at")
    assert document == {
        "schema": "doll.feedback/1",
        "ids": ["espresso-order", ATTEMPT],
        "said": "contradicted",
        "by": "user",
        "records_changed": 0,
    }
    assert (notes.root / file).read_text().count("\n") == 1
    assert lines(notes)[0]["at"] == at


def test_what_was_contradicted_can_be_mended_by_the_line_that_is_said(notes: Desk) -> None:
    said = notes.ok("feedback", "espresso-order", ATTEMPT, "contradicted").err
    assert said.splitlines()[1:] == [
        "to change what it says: doll edit espresso-order",
        f'to change what it says: doll correct {ATTEMPT} "what is right"',
    ]
    said = notes.ok("feedback", "espresso-order", "contradicted", "--by", "model:a").err
    assert "doll edit" not in said


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("espresso-ordr", "helpful"), 2, "did you mean espresso-order?"),
        (("espresso-order", "nothing-like-it", "helpful"), 2, "no record has the id"),
        (("espresso-order", "helpfull"), 2, "did you mean helpful?"),
        (("espresso-order",), 2, "is none of helpful, irrelevant, contradicted"),
        (("helpful",), 2, "no record is named"),
        ((), 2, "VERDICT"),
        (("", "helpful"), 2, "it is empty"),
        (("mine/tea-01234567", "helpful"), 5, "doll review show mine/tea-01234567"),
        (("tea-01234567", "helpful"), 2, "did you mean mine/tea-01234567?"),
        (("atlas", "helpful"), 2, "atlas is a project, and recall answers with none"),
        (("recovery", "helpful"), 2, "labelled secret"),
        (("broken", "helpful"), 4, "confirmed/broken.md"),
        (("\x1b[31m", "helpful"), 2, "no record has the id"),
    ],
)
def test_what_is_no_answer_of_recall_is_refused(
    notes: Desk, words: tuple[str, ...], code: int, said: str
) -> None:
    answer = notes.refused(code, "feedback", *words)
    assert said in answer
    assert "\x1b" not in answer
    assert not (notes.root / ".doll/usage").exists()


def test_a_log_that_git_tracks_is_not_added_to_and_the_line_mends_it(notes: Desk) -> None:
    notes.ok("feedback", "espresso-order", "helpful")
    notes.git("add", "-f", ".doll/usage")
    said = notes.refused(5, "feedback", "espresso-order", "helpful")
    assert "git tracks files in .doll/usage" in said
    notes.type(said.splitlines()[-1].strip())
    notes.ok("feedback", "espresso-order", "helpful")
    assert len(lines(notes)) == 2


def test_a_link_in_place_of_the_log_is_named(notes: Desk) -> None:
    (notes.root / "elsewhere").mkdir()
    (notes.root / ".doll").mkdir(exist_ok=True)
    (notes.root / ".doll/usage").symlink_to("../elsewhere")
    said = notes.refused(5, "feedback", "espresso-order", "helpful")
    assert "usage is a symbolic link" in said
    assert list((notes.root / "elsewhere").iterdir()) == []


def test_other_commands_are_content_with_a_log(notes: Desk) -> None:
    (notes.root / "confirmed/broken.md").unlink()
    notes.git("commit", "-qam", "mended")
    before = [notes.ok(command, "--json").json for command in ("validate", "status", "doctor")]
    notes.ok("feedback", "espresso-order", "helpful")
    (file,) = (notes.root / ".doll/usage").iterdir()
    file.write_bytes(file.read_bytes() + os.urandom(100))
    after = [notes.ok(command, "--json").json for command in ("validate", "status", "doctor")]
    assert after == before


def test_a_renamed_record_keeps_what_was_said_of_it(notes: Desk) -> None:
    notes.ok("feedback", "espresso-order", "helpful")
    notes.ok("mv", "espresso-order", "morning-coffee")
    document = notes.ok("recall", "espresso", "--algorithm", "activation/1", "--json").json
    assert document["hits"][0]["id"] == "morning-coffee"
    assert "you (helpful 1)" in document["hits"][0]["why"]
