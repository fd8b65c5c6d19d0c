"""What would have git settle a conflict without a word does not, wherever it comes from."""

import pytest

from tests.sync_desk import Two, head, memory, synced

pytestmark = pytest.mark.sampled(4)


def begun(two: Two) -> str:
    """Have both clones know one memory; return its path."""
    path = memory(two.one, "tea", "Common.")
    synced(two.one)
    synced(two.other)
    return path


def brings(two: Two, name: str, text: str) -> None:
    """Have the remote change the memory and add attributes of git in a folder."""
    memory(two.other, "tea", "Theirs.")
    file = two.other.root / name
    before = file.read_text(encoding="utf-8") if file.exists() else ""
    two.other.put(name, before + text)
    two.other.git("add", "-A")
    two.other.git("commit", "-qm", "theirs")
    two.other.git("push", "-q")


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", [".gitattributes", "confirmed/.gitattributes"])
@pytest.mark.parametrize("driver", ["union", "text"])
def test_attributes_that_the_remote_brings_settle_nothing(two: Two, name: str, driver: str) -> None:
    path = begun(two)
    brings(two, name, f"*.md merge={driver}\n")
    two.one.git("config", "merge.text.driver", "true")
    memory(two.one, "tea", "Mine.")
    theirs = two.tip
    result = two.one.doll("sync")
    assert result.code == 5, result
    assert f"{path} was changed here and at the remote, and git would mix both" in result.err
    assert two.one.git("status", "--porcelain") == ""
    assert "Theirs." not in two.one.read(path)
    assert two.tip == theirs


def test_attributes_that_the_remote_takes_away_settle_nothing(two: Two) -> None:
    path = begun(two)
    brings(two, "confirmed/.gitattributes", "*.md -merge\n")
    synced(two.one)
    memory(two.other, "tea", "Theirs again.")
    (two.other.root / "confirmed/.gitattributes").unlink()
    two.other.git("add", "-A")
    two.other.git("commit", "-qm", "theirs")
    two.other.git("push", "-q")
    two.one.git("config", "merge.default", "union")
    memory(two.one, "tea", "Mine.")
    result = two.one.doll("sync")
    assert result.code == 5, result
    assert f"{path} was changed here and at the remote, and git would mix both" in result.err


def test_both_sides_attributes_are_a_conflict_in_any_folder(two: Two) -> None:
    begun(two)
    brings(two, "confirmed/.gitattributes", "*.txt text\n")
    two.one.put("confirmed/.gitattributes", "*.txt -text\n")
    two.one.git("add", "-A")
    two.one.git("commit", "-qm", "mine")
    result = two.one.doll("sync")
    assert result.code == 5
    assert "  confirmed/.gitattributes" in result.err


@pytest.mark.sampled(8)
@pytest.mark.parametrize("branch", ["main", 'we.ird"q', "eq=x", "a/b"])
@pytest.mark.parametrize("options", ["-X theirs", "-X ours", "-s ours"])
def test_options_of_a_branch_settle_nothing(two: Two, branch: str, options: str) -> None:
    path = begun(two)
    memory(two.other, "tea", "Theirs.")
    synced(two.other)
    if branch != "main":
        two.one.git("branch", "-qm", branch)
    two.one.git("config", f"branch.{branch}.mergeOptions", options)
    memory(two.one, "tea", "Mine.")
    result = two.one.doll("sync")
    assert result.code == 5, result
    assert f"  {path}" in result.err
    text = two.one.read(path)
    assert "Mine." in text
    assert "Theirs." in text


def test_options_of_a_branch_drop_nothing_of_the_remote(two: Two) -> None:
    begun(two)
    memory(two.other, "mate", "Theirs.")
    synced(two.other)
    two.one.git("config", "branch.main.mergeOptions", "-s ours")
    memory(two.one, "tea", "Mine.")
    synced(two.one)
    assert "Theirs." in two.one.read("confirmed/mate.md")
    assert head(two.one) == two.tip
