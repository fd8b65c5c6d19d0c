"""Typed paths: plain ones count from the top, `./` and `../` from the current folder."""

from pathlib import Path

import pytest

from doll.preflight import Request
from doll.preflight.request import faults
from doll.services.requesting import from_the_top
from doll.vcs.plumbing import Repository

TOP = Path("/code")
HERE = Repository(TOP, TOP / ".git", TOP / ".git", "sha1", own=False)


@pytest.mark.parametrize(
    ("folder", "typed", "path"),
    [
        ("", "a/b", "a/b"),
        ("", "./a/b", "a/b"),
        ("", "a/../b", "b"),
        ("", "/code/a", "a"),
        ("src", "b", "b"),
        ("src", "./b", "src/b"),
        ("src/x", "../b", "src/b"),
        ("src/x", "../../b", "b"),
        ("src", "/code/a", "a"),
        ("src", "..", ".."),
        ("src", "../../b", "../../b"),
        ("src", "/etc/passwd", "/etc/passwd"),
        ("src", "a/", "a/"),
        ("src", ".", "."),
        ("src", "", ""),
    ],
)
def test_in_a_repository(folder: str, typed: str, path: str) -> None:
    assert from_the_top(HERE, TOP / folder, typed) == path


@pytest.mark.parametrize(
    ("typed", "path"), [("a/b", "a/b"), ("./a", "a"), ("../a", "../a"), ("/a", "/a")]
)
def test_outside_any_repository(typed: str, path: str) -> None:
    assert from_the_top(None, Path("/elsewhere"), typed) == path


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("../x", "leads out of the work tree"),
        ("/x", "leads out of the work tree"),
        ("a/", "names no file"),
        (".", "names no file"),
        ("", "names no file"),
    ],
)
def test_what_is_no_path_is_refused_with_a_hint(path: str, says: str) -> None:
    (problem,) = faults(Request(paths=(path,)))
    assert says in problem.message
    assert "migrations/0042.sql" in problem.hint
