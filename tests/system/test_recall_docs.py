"""The worked example of docs/recall.md is what doll prints, and its weights are the code's."""

import re
from pathlib import Path

from doll.recall import associative, document, lexical, links, widening
from tests.desk import Desk

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "recall.md").read_text()


def test_the_worked_example(desk: Desk) -> None:
    records = re.findall(r"`(confirmed/[\w-]+\.md)`:\n\n```markdown\n(.*?)```", PAGE, re.DOTALL)
    assert len(records) == 4
    for path, text in records:
        desk.put(path, text)
    desk.git("add", "-A")
    desk.git("commit", "-qm", "notes")
    example = re.search(
        r"```console\n\$ doll (recall [^\n]*--as-of \S+)\n(.*?)```", PAGE, re.DOTALL
    )
    assert example is not None
    query = re.fullmatch(r'recall "(.*)" (.*)', example[1])
    assert query is not None
    assert desk.ok("recall", query[1], *query[2].split()).out == example[2]


def test_the_constants() -> None:
    assert f"K1 = {lexical.K1} and B = {lexical.B}" in PAGE
    assert f"{document.MAX_TEXT:,} characters" in PAGE
    assert f"The {associative.SEEDS} best matches pass half" in PAGE
    assert associative.PART == 2
    assert f"where n is more than {associative.FAN}, by {associative.FAN} / n" in PAGE
    assert re.search(rf"nothing where it is more than\s{associative.CROWD}:", PAGE)
    assert re.search(rf"more than\s{links.MAX_WIKILINKS} wikilinks is a list", PAGE)
    for name, weight in (
        ("title; without title", document.TITLE),
        ("summary", document.SUMMARY),
        ("tags", document.TAGS),
        ("body", document.BODY),
        ("id and aliases", document.OTHER),
    ):
        assert re.search(rf"^\| {name}.* \| {weight:g} \|$", PAGE, re.MULTILINE), name


def test_the_limits_of_parts_and_corrections() -> None:
    assert f"The {widening.MOST_TERMS} terms" in PAGE
    numbers = {3: "three", 4: "four", 8: "eight"}
    assert f"of {numbers[widening.SHORTEST_WITHIN]} characters at least" in PAGE
    assert f"word of {numbers[widening.LONG]} or more" in PAGE
    assert f"less than {numbers[widening.SHORTEST_TYPO]} letters" in PAGE
