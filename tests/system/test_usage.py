"""What wrong usage says: one plain message, the nearest value, and the help of that command."""

from pathlib import Path

import pytest

from tests.desk import Desk


@pytest.mark.parametrize(
    "words", [("new",), ("log",), ("schema", "policy", "x"), ("list", "--type")]
)
def test_no_message_shows_layout_characters(desk: Desk, words: tuple[str, ...]) -> None:
    assert r"\u{" not in desk.refused(2, *words)


def test_a_missing_choice_names_all(desk: Desk) -> None:
    said = desk.refused(2, "new")
    assert "Missing argument 'TYPE'. Choose from: memory, experience, project," in said


@pytest.mark.parametrize(
    ("words", "near"),
    [
        (("log", "atempt", "x", "--project", "atlas"), "attempt"),
        (("log", "attempt", "x", "--project", "atlas", "--outcome", "fail"), "failed"),
        (("correct", "x", "y", "--kind", "leson"), "lesson"),
        (("new", "memroy"), "memory"),
        (("list", "--type", "decisions"), "decision"),
        (("schema", "polcy"), "policy"),
    ],
)
def test_a_near_miss_names_the_value(desk: Desk, words: tuple[str, ...], near: str) -> None:
    assert f"did you mean {near}?" in desk.refused(2, *words)


def test_what_is_near_nothing_gets_all_values(desk: Desk) -> None:
    said = desk.refused(2, "new", "zzz\n")
    assert "'zzz\\n' is none of memory, experience," in said
    assert "did you mean" not in said


@pytest.mark.parametrize(
    ("words", "command"),
    [
        (("log", "attempt", "x", "--project"), "doll log"),
        (("new", "memory", "--set"), "doll new"),
        (("review", "show", "--vault"), "doll review show"),
        (("review", "--vault"), "doll review"),
        (("import", "pam", "f.json", "--name"), "doll import pam"),
        (("--nothing",), "doll"),
    ],
)
def test_the_help_that_is_named_is_that_of_the_command(
    desk: Desk, words: tuple[str, ...], command: str
) -> None:
    assert f"try `{command} --help`" in desk.refused(2, *words)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("recall", "x", "--as-of", ""), "--as-of: '' is no time"),
        (("recall", "x", "--limit", ""), "'' is not a valid number"),
        (("preflight", "--as-of", ""), "--as-of: '' is no time"),
        (("preflight", "--range", ""), "--range: '' is not A..B"),
        (("preflight", "--project", ""), "--project: an empty text names no project"),
        (("preflight", "--project", " "), "--project: an empty text names no project"),
        (("preflight", "--work-item", ""), "--work-item: an empty text names no work-item"),
        (("verify", "--range", ""), "--range: '' is not A..B"),
        (("list", "--project", ""), "no project has the id ''"),
        (("list", "--status", ""), "no record is ever ''"),
        (("list", "--type", ""), "'' is none of"),
        (("import", "pam", ""), "an empty text names no file"),
        (("import", "pam", "doll.yaml", "--name", ""), "--name: '' is no name for an import"),
        (("review", "approve", "--from", ""), "an empty text names no file"),
        (("review", "approve", "--staged", "--digest", ""), "--staged takes neither"),
        (("review", "approve", "--from", "x", "--digest", ""), "--from takes neither"),
        (("log", "attempt", "x", "--project", ""), "no project has the id ''"),
        (("log", "attempt", "x", "--project", "atlas", "--work-item", ""), "the id ''"),
        (("log", "attempt", "x", "--project", "atlas", "--at", ""), "'' is no time"),
        (("log", "attempt", "x", "--project", "atlas", "--by", ""), "'' says no model"),
        (("new", "memory", "m", "--title", ""), "--title: it is empty"),
    ],
)
def test_an_empty_value_is_not_taken_for_none(
    desk: Desk, words: tuple[str, ...], said: str
) -> None:
    assert said in desk.refused(2, *words)


def test_an_empty_branch_is_no_branch(desk: Desk, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    assert "'' is no name for the vault's branch" in desk.refused(
        2, "init", str(elsewhere), "--branch", ""
    )
    assert not elsewhere.exists()


def test_the_first_entry_is_logged(desk: Desk) -> None:
    said = desk.refused(2, "log", "resolution", "x", "--project", "atlas", "--resolves", "y")
    assert 'doll log KIND "…"    writes the first one' in said
