"""Gitignore patterns: meaning, odd names, and time that cannot run away."""

import pytest

from doll.preflight.globs import hints, regex
from doll.preflight.paths import REDACTED, PathIndex
from tests.guard import no_hang


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        ("migrations/**", ["migrations/1", "migrations/a/b"], ["migrations", "x/migrations/1"]),
        ("/migrations", ["migrations", "migrations/1"], ["x/migrations"]),
        ("migrations", ["migrations", "x/migrations/1"], ["migrations2"]),
        ("migrations/", ["migrations/1", "x/migrations/1"], ["migrations"]),
        ("*.sql", ["a.sql", "x/y/a.sql", "a.sql/b"], ["a.sqlx", "sql"]),
        ("src/*.py", ["src/a.py"], ["src/x/a.py", "a.py"]),
        ("src/**/t_*.py", ["src/t_a.py", "src/x/y/t_a.py"], ["src/x/a.py", "x/src/t_a.py"]),
        ("**/build/*.o", ["build/a.o", "x/build/a.o"], ["build/x/a.o"]),
        ("**", ["a", "a/b"], []),
        ("a/**/b/**/c", ["a/b/c", "a/x/b/y/z/c/d"], ["a/c", "a/b"]),
        ("a?c", ["abc", "x/a-c"], ["ac", "a/c", "abbc"]),
        ("[!a-c]x", ["dx", "x/-x"], ["ax", "bx"]),
        ("[[:digit:]]*", ["1", "2a"], ["a1"]),
        ("[]-]", ["]", "-"], ["a"]),
        (r"\*", ["*"], ["a"]),
        (r"\!a", ["!a"], ["a"]),
        ("#a", ["#a"], ["a"]),
        ("a ", ["a"], ["a "]),
        ("a\\ ", ["a "], ["a"]),
        ("README.md", ["README.md"], ["readme.md", "README_md"]),
        ("日本/**", ["日本/語.md"], ["日/本.md"]),
        ("[é]t", ["ét"], ["et"]),
    ],
)
def test_patterns_mean_what_git_takes_them_for(
    pattern: str, matching: list[str], others: list[str]
) -> None:
    for path in matching:
        assert PathIndex([path]).first(pattern) == path
        assert path.startswith(hints(pattern).prefix)
        assert hints(pattern).needle in path
    assert PathIndex(others).first(pattern) is None


@pytest.mark.parametrize("pattern", ["", "/", "//", "a//b", "[a", "[[:none:]]", "a\\", "\\", "   "])
def test_a_pattern_that_git_never_matches_matches_nothing(pattern: str) -> None:
    assert regex(pattern) is None
    assert PathIndex(["a", "a/b", "[a", "\\", " "]).first(pattern) is None


@pytest.mark.parametrize(
    "name", ["a\nb", "\n", "a b", "a'b\"", "a\tb", "ü\udcff", "a\r\nb.sql", "\\"]
)
def test_odd_names_match_like_others(name: str) -> None:
    path = f"migrations/{name}"
    for pattern in ("migrations/**", "migrations/*", "**/*", "migrations/"):
        assert PathIndex([path]).first(pattern) == path
    assert PathIndex([f"{path}\n"]).first("*b") is None


def test_composed_and_decomposed_names_are_the_same_and_given_back_as_they_came() -> None:
    decomposed = "cafe\u0301/menu.md"
    assert PathIndex([decomposed]).first("caf\u00e9/**") == decomposed
    assert PathIndex(["caf\u00e9/menu.md"]).first("cafe\u0301/**") == "caf\u00e9/menu.md"


def test_the_first_path_in_order_is_given() -> None:
    index = PathIndex(["b/2", "a/9", "b/1", "a/10"])
    assert index.first("b/*") == "b/1"
    assert index.first_of(["c/**", "b/2", "a/**"]) == ("b/2", "b/2")
    assert index.first_of([]) is None


def test_what_a_redaction_leaves_matches_every_path() -> None:
    assert PathIndex(["x", "y"]).first(REDACTED) == "x"
    assert PathIndex([]).first(REDACTED) is None


@pytest.mark.parametrize(
    "pattern",
    [
        "a*" * 300 + "[bc]",
        "*a" * 300 + "[bc]x",
        "**/".join(["a/"] * 200) + "[bc]",
        "**/" + "*/" * 400 + "[bc]",
        "**/*a" * 100 + "?[bc]",
        "[[:alpha:]]*" * 80 + "[bc]",
        "?" * 900 + "*[bc]",
    ],
)
def test_hostile_patterns_take_bounded_time(pattern: str) -> None:
    paths = ["a" * 250, "/".join(["a" * 20] * 12), "/".join(["a"] * 1000), "a" * 4000]
    with no_hang():
        for path in paths:
            assert PathIndex([path]).first(pattern) is None


def test_many_paths_and_many_records_take_one_pass_per_pattern() -> None:
    paths = [f"src/pkg{n % 50}/mod{n % 99}/file_{n}.py" for n in range(5000)]
    sets = [["migrations/**", "*.sql"], ["src/**/none_*.py"], ["src/*/*/file_?.txt", "x*y"]]
    with no_hang():
        index = PathIndex(paths)
        for number in range(225):
            assert index.first_of(sets[number % 3]) is None
