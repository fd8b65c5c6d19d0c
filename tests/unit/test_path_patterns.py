"""Globs as they are typed and as they are written: what could never match is refused."""

import pytest
from msgspec.structs import replace

from doll.errors import UsageError
from doll.preflight.globs import regex
from doll.records.codec import parse
from doll.services.checking.glob_rules import map_patterns, matches_nothing, pattern_problems
from doll.services.recording.assignments import parse_assignments
from doll.services.recording.wording import path_pattern
from doll.vault.settings import ActionRule, parse_settings


@pytest.mark.parametrize(
    ("typed", "counts"),
    [
        ("migrations/**", "migrations/**"),
        ("./migrations/**", "migrations/**"),
        ("././/x", "x"),
        ("./x", "x"),
        ("/x", "/x"),
        ("/x/", "/x/"),
        (".github/**", ".github/**"),
        ("..hidden", "..hidden"),
        ("~x", "~x"),
        (" a b ", "a b"),
    ],
)
def test_a_pattern_is_taken_as_it_counts(typed: str, counts: str) -> None:
    assert path_pattern(typed, "--path") == counts


NEVER = ["../x", "x/../y", "./../x", "x/..", "..", ".", "a/./b", "./"]


@pytest.mark.parametrize("typed", [*NEVER, "/a/b", "~/x", "~ada/x", "C:/x", "c:\\x"])
def test_what_could_never_match_is_refused(typed: str) -> None:
    with pytest.raises(UsageError) as caught:
        path_pattern(typed, "--path")
    assert caught.value.message.startswith("--path: ")
    assert "from the top of the work tree" in caught.value.hint


@pytest.mark.parametrize("pattern", [*NEVER, "./x", "a/."])
def test_a_file_with_one_is_named(pattern: str) -> None:
    text = f"---\neffect: deny\npaths: ['ok/**', '{pattern}']\n---\n"
    found = parse(text.encode(), "authority/policies/p.md", "p", "policy")
    assert [(p.line, p.column, p.code) for p in found.problems] == [(3, 18, "field.value")]
    assert "`../`" in found.problems[0].hint
    rule = f"format: 1\nid: {'0f' * 16}\nbranch: main\nactions:\n  - paths: '{pattern}'\n"
    settings, problems = parse_settings(f"{rule}    actions: a\n".encode())
    assert (settings, [p.code for p in problems]) == (None, ["settings.value"])


# What git itself never matches; all else matches something.
SILENT = ["[z-", "a[", "[[:nope:]]", "x\\", "/", "//", "a//b", "a///"]
LOUD = ["[z]", "[a-z]*", "\\[z-", "a\\\\", "**", "*/", "**/", "[!a]", "/x/", "a/"]


@pytest.mark.parametrize("pattern", [*SILENT, *LOUD])
def test_what_no_path_can_match_is_told_without_reading_the_rest(pattern: str) -> None:
    assert matches_nothing(pattern) == (regex(pattern) is None) == (pattern in SILENT)


@pytest.mark.parametrize("pattern", SILENT)
def test_a_pattern_without_matches_is_refused_and_named(pattern: str) -> None:
    with pytest.raises(UsageError, match="no path can match"):
        path_pattern(pattern, "--path")
    text = f"---\neffect: deny\npaths: ['ok/**', '{pattern}']\n---\n"
    for path, severity in (("authority/policies/p.md", "error"), ("confirmed/p.md", "warning")):
        record = parse(text.encode(), "authority/policies/p.md", "p", "policy").record
        assert record is not None
        (problem,) = pattern_problems(replace(record, path=path))
        assert (problem.line, problem.code, problem.severity) == (3, "glob.never", severity)
    (named,) = map_patterns([ActionRule(None, ("ok/**", pattern), ("a",))])
    assert (named.path, named.code, named.severity) == ("doll.yaml", "glob.never", "error")


@pytest.mark.parametrize("pattern", [".github/**", "..a", "a..", "a.", "*.", "/x", "...", "a/..b"])
def test_dots_within_names_are_names(pattern: str) -> None:
    text = f"---\neffect: deny\npaths: ['{pattern}']\n---\n"
    assert parse(text.encode(), "authority/policies/p.md", "p", "policy").problems == ()


def test_set_takes_them_the_same_way() -> None:
    assert parse_assignments("policy", ["paths=./x/**", "paths=y"]) == {"paths": ["x/**", "y"]}
    assert parse_assignments("policy", ["paths="]) == {"paths": None}
    with pytest.raises(UsageError) as caught:
        parse_assignments("policy", ["paths=../x", "paths=/a/b", "paths=ok"])
    assert [(p.path, p.code) for p in caught.value.problems] == [
        ("--set paths", "field.value"),
        ("--set paths", "field.value"),
    ]
    assert "such as a/b" in caught.value.problems[1].hint
