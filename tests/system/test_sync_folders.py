"""A file on one side and a folder on the other: said before anything is merged."""

import pytest

from tests.gitbox import git
from tests.sync_desk import MEMORY, Two, head, memory, synced

pytestmark = pytest.mark.sampled(4)

AT_ONCE = "at the remote; nothing was taken over"


def stopped(two: Two, said: str) -> str:
    """Sync into the stop, twice, and return the line that it shows."""
    mine, before = head(two.one), two.one.files()
    for _ in range(2):
        result = two.one.doll("sync")
        assert result.code == 5, result
        assert f"{said} {AT_ONCE}" in result.err
        now = head(two.one)
        assert two.one.git("status", "--porcelain") in ("", "?? code")
    assert {path: data for path, data in two.one.files().items() if ".doll" not in path} == {
        path: data for path, data in before.items() if ".doll" not in path
    }
    assert now == mine or two.one.git("rev-list", "--count", f"{mine}..HEAD") == "1"
    return next(line.strip() for line in result.err.splitlines() if " mv " in line)


def folder(two: Two) -> None:
    """Have the remote get a folder where the other side has, or gets, a file."""
    path = two.other.root / "confirmed/tea.md"
    path.unlink(missing_ok=True)
    two.other.put("confirmed/tea.md/green.md", MEMORY.format("Green", "Theirs."))
    two.other.git("add", "-A")
    two.other.git("commit", "-qm", "folder")
    two.other.git("push", "-q")


@pytest.mark.sampled(6)
@pytest.mark.parametrize("known", [False, True])
def test_a_file_here_and_a_folder_there(two: Two, known: bool) -> None:
    if known:
        memory(two.one, "tea", "Common.")
        synced(two.one)
        synced(two.other)
    folder(two)
    memory(two.one, "tea", "Mine.")
    line = stopped(two, "confirmed/tea.md is a file here and a folder")
    assert line == "doll mv tea tea-mine --commit"
    two.one.type(line)
    synced(two.one)
    assert "Mine." in two.one.read("confirmed/tea-mine.md")
    assert "Theirs." in two.one.read("confirmed/tea.md/green.md")
    assert git(two.hub, "ls-tree", "-r", "--name-only", "main", "confirmed").split() == [
        "confirmed/tea-mine.md",
        "confirmed/tea.md/green.md",
    ]


def test_a_folder_here_and_a_file_there(two: Two) -> None:
    memory(two.other, "tea", "Theirs.")
    synced(two.other)
    two.one.put("confirmed/tea.md/green.md", MEMORY.format("Green", "Mine."))
    two.one.type(stopped(two, "confirmed/tea.md is a folder here and a file"))
    synced(two.one)
    assert "Theirs." in two.one.read("confirmed/tea.md")
    assert "Mine." in two.one.read("confirmed/tea-mine/green.md")
    assert head(two.one) == two.tip


@pytest.mark.sampled(6)
@pytest.mark.parametrize("mine", ["file", "folder"])
@pytest.mark.parametrize("ahead", [False, True])
def test_what_git_does_not_know_is_in_the_way_too(two: Two, mine: str, ahead: bool) -> None:
    two.other.put("code" if mine == "folder" else "code/x.py", "theirs\n")
    two.other.git("add", "-A")
    two.other.git("commit", "-qm", "code")
    two.other.git("push", "-q")
    if ahead:
        memory(two.one, "tea")
    two.one.put("code" if mine == "file" else "code/y.py", "mine\n")
    there = "file" if mine == "folder" else "folder"
    result = two.one.doll("sync")
    assert result.code == 5
    assert f"code is a {mine} here and a {there} {AT_ONCE}" in result.err
    assert two.one.git("status", "--porcelain") in ("?? code", "?? code/")
    two.one.type(
        next(line for line in result.err.splitlines() if " mv " in line or "mv -n" in line)
    )
    synced(two.one)
    assert two.one.read("code-mine" if mine == "file" else "code-mine/y.py") == "mine\n"


def test_a_file_that_the_remote_makes_a_folder_is_taken_over(two: Two) -> None:
    memory(two.one, "tea")
    synced(two.one)
    synced(two.other)
    folder(two)
    memory(two.one, "mate")
    synced(two.one)
    assert "Theirs." in two.one.read("confirmed/tea.md/green.md")


def test_a_folder_that_the_remote_makes_a_file_is_taken_over(two: Two) -> None:
    folder(two)
    synced(two.one)
    (two.other.root / "confirmed/tea.md/green.md").unlink()
    (two.other.root / "confirmed/tea.md").rmdir()
    memory(two.other, "tea", "Theirs.")
    two.other.git("add", "-A")
    two.other.git("commit", "-qm", "file")
    two.other.git("push", "-q")
    synced(two.one)
    assert "Theirs." in two.one.read("confirmed/tea.md")
