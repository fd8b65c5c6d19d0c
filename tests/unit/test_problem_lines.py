"""How a problem stands in text: its place first, where it has one."""

import pytest

from doll.errors import Problem
from doll.render.problems import problem_lines


@pytest.mark.parametrize(
    ("path", "line", "expected"),
    [
        ("confirmed/a.md", 3, "confirmed/a.md:3:1: error: it is wrong [some.code]"),
        ("confirmed/a.md", 0, "confirmed/a.md: error: it is wrong [some.code]"),
        ("", 0, "error: it is wrong [some.code]"),
    ],
)
def test_a_problem_begins_with_its_place(path: str, line: int, expected: str) -> None:
    problem = Problem(path, line, int(line > 0), "some.code", "it is wrong", hint="mend it")
    assert problem_lines([problem]) == [expected, "    mend it"]
