"""Texts that read well and are hardly meant: a warning each, and the record stays readable."""

import pytest

from doll.errors import Problem
from tests.reading import block


def warned(text: str) -> list[Problem]:
    parsed = block(text)
    assert parsed.record is not None
    assert all(problem.severity == "warning" for problem in parsed.problems)
    return list(parsed.problems)


@pytest.mark.parametrize(
    ("text", "line", "column", "code", "hint"),
    [
        ("title: C #1 thing", 2, 8, "yaml.comment", 'title: "C #1 thing"'),
        ("kind: fact\ntitle: #1 coffee", 3, 7, "yaml.comment", 'title: "#1 coffee"'),
        ("title: C\t#1", 2, 8, "yaml.comment", "in quotes"),
        ("tags:\n  - a\n  - b #1", 4, 5, "yaml.comment", '- "b #1"'),
        ("tags: a, b", 2, 7, "field.comma", "write tags: [a, b]"),
        ("aliases: a,b", 2, 10, "field.comma", "write aliases: [a,b]"),
    ],
)
def test_slips(text: str, line: int, column: int, code: str, hint: str) -> None:
    (problem,) = warned(text)
    assert (problem.line, problem.column, problem.code) == (line, column, code)
    assert hint in problem.hint


@pytest.mark.parametrize(
    "text",
    [
        "title: C # one of many",
        "title: C  ## x",
        "title: 'C #1'",
        'title: "C #1"',
        "title: C#1",
        "status: active #still",
        "summary: |\n  a #1\n  b",
        "summary: >\n  a #1\n  b",
        "#1 is not a field\ntitle: x",
        "title: x\n#comment",
        "tags: [a, b] #both",
        "tags: [a, b]",
        "tags: 'a, b'",
        'tags: "a, b"',
        "tags:\n  - a, b",
        "tags: a,",
        "title: a, b",
    ],
)
def test_what_is_no_slip(text: str) -> None:
    assert warned(text) == []


def test_a_glob_with_a_comma_and_one_in_braces() -> None:
    policy = "effect: deny\npaths: {0}"
    (problem,) = block(policy.format("a.py, b.py"), "policy").problems
    assert (problem.code, problem.severity) == ("field.comma", "warning")
    assert block(policy.format("src/{a,b}.py"), "policy").problems == ()


def test_actions_with_a_comma_are_an_error_that_shows_the_list() -> None:
    (problem,) = block("effect: deny\nactions: db.a, db.b", "policy").problems
    assert (problem.code, problem.hint) == ("field.value", "write [db.a, db.b] for a list")
