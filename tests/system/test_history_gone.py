"""A vault whose history is out of reach: it is to come back, and no line to type begins another."""

import shutil

import pytest

from tests.desk import Desk
from tests.ordinary import ordinary

BRING_BACK = "# bring it back: mount its disk, or clone the vault again"
READS = (("status",), ("list",), ("validate",), ("sync",), ("recall", "x"), ("new", "memory", "x"))


def lines(said: str) -> list[str]:
    """Return the lines of a message's hint."""
    return [line.strip() for line in said.splitlines()[1:]]


@pytest.fixture
def used(desk: Desk) -> Desk:
    """A vault in which doll was at work."""
    desk.ok("list")
    assert (desk.root / ".doll/cache").is_dir()
    return desk


def take_away(desk: Desk) -> None:
    (desk.root / ".git").rename(desk.root.parent / "away")


def holds_back(desk: Desk) -> None:
    """Hold every command to lines that found no history when they are typed."""
    for command in READS:
        first, anew = lines(desk.refused(3, *command))
        assert first == BRING_BACK
        assert anew.startswith("# a new history accepts everything under authority/")
        assert anew.endswith('commit -m "Start the vault"')
        assert "&& git -C " in anew
    for line in desk.doll("doctor").out.splitlines():
        assert "Start the vault" not in line or line.startswith("    # ")
    found = desk.doll("doctor", "--json").json["problems"]
    assert [BRING_BACK in each["hint"] for each in found if each["area"] == "git"] == [True]
    report = desk.doll("preflight", "--action", "db.drop", "--json")
    assert report.code == 3


def test_the_repository_is_gone(used: Desk) -> None:
    take_away(used)
    assert "is in no git repository: its .git is gone" in used.refused(3, "status")
    holds_back(used)
    (used.root.parent / "away").rename(used.root / ".git")
    used.ok("status")


def test_another_was_begun_in_its_place(used: Desk) -> None:
    take_away(used)
    used.git("init", "-q", "-b", "main")
    assert "has no commit any more: its history is gone" in used.refused(3, "status")
    holds_back(used)


def test_a_cache_that_may_not_be_looked_at_is_a_sign(used: Desk) -> None:
    user = ordinary(used.root.parent)
    take_away(used)
    (used.root / ".doll").chmod(0)
    said = user.doll("status", "--vault", "notes").stderr
    (used.root / ".doll").chmod(0o755)
    assert lines(said)[0] == BRING_BACK


def test_without_a_sign_the_lines_begin_one(desk: Desk) -> None:
    shutil.rmtree(desk.root / ".git")
    assert not (desk.root / ".doll").exists()
    said = desk.refused(3, "status")
    assert "is in no git repository, so nothing in it is accepted" in said
    for line in lines(said):
        desk.type(line)
    desk.ok("status")
