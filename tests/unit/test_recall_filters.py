"""Which rows pass which filters: any value of one, all of several."""

from typing import Any

import pytest

from doll.recall.filters import Wanted, unknown_tags
from doll.recall.rows import Row


def _row(path: str = "confirmed/a.md", **said: Any) -> Row:
    return Row(path, "0" * 64, 1, 2, **said)


MEMORY = _row(kind="fact", tags=("coffee", "home"), moment=100)
ENTRY = _row(
    "experience/atlas/e.md",
    project="atlas",
    assertion="user_recorded",
    kind="attempt",
    outcome="failed",
    tags=("db",),
    moment=200,
)
TIMELESS = _row("confirmed/b.md")
ALL = {"memory": MEMORY, "entry": ENTRY, "timeless": TIMELESS}


@pytest.mark.parametrize(
    ("wanted", "passing"),
    [
        (Wanted(), "memory entry timeless"),
        (Wanted(types=frozenset({"memory"})), "memory timeless"),
        (Wanted(types=frozenset({"experience"})), "entry"),
        (Wanted(types=frozenset({"memory", "experience"})), "memory entry timeless"),
        (Wanted(projects=frozenset({"atlas", "other"})), "entry"),
        (Wanted(projects=frozenset({"other"})), ""),
        (Wanted(tags=frozenset({"home", "db"})), "memory entry"),
        (Wanted(kinds=frozenset({"fact"})), "memory"),
        (Wanted(outcomes=frozenset({"failed", "worked"})), "entry"),
        (Wanted(types=frozenset({"memory"}), tags=frozenset({"db"})), ""),
        (Wanted(since=100), "memory entry"),
        (Wanted(since=101), "entry"),
        (Wanted(before=200), "memory"),
        (Wanted(before=201), "memory entry"),
        (Wanted(since=101, before=200), ""),
    ],
)
def test_filters(wanted: Wanted, passing: str) -> None:
    assert [name for name, row in ALL.items() if wanted.passes(row)] == passing.split()


def test_tags_that_no_record_has() -> None:
    missing, known = unknown_tags(["db", "tea"], ALL.values())
    assert missing == ("tea",)
    assert known == {"coffee", "home", "db"}
