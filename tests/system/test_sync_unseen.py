"""What git was told not to look at: records that it ignores, edits behind a flag of its index."""

import pytest

from tests.gitbox import git
from tests.sync_desk import MEMORY, Two, head, memory, synced, values

pytestmark = pytest.mark.sampled(4)


def held(two: Two) -> dict[str, str]:
    """Sync with something held back; return the codes by path. The rest is with the remote."""
    found = values(two.one, code=1)
    assert found["synced"] is True
    return {each["path"]: each["code"] for each in found["held"]}


def mend(two: Two, word: str) -> None:
    """Type the line of what is held back that has a word."""
    result = two.one.doll("sync")
    assert result.code == 1
    assert "held back: " in result.out
    two.one.type(next(line.strip() for line in result.out.splitlines() if word in line))


@pytest.mark.sampled(6)
@pytest.mark.parametrize("where", [".gitignore", ".git/info/exclude", "confirmed/.gitignore"])
def test_a_record_that_is_ignored(two: Two, where: str) -> None:
    place = two.one.root / where
    place.parent.mkdir(exist_ok=True)
    with place.open("a") as opened:
        opened.write("\n*.md\n*.tmp\n")
    if not where.startswith(".git/"):
        two.one.git("add", where)
        two.one.git("commit", "-qm", "ignored")
    path = memory(two.one, "tea")
    two.one.put("confirmed/scratch.tmp", "Nothing.")
    two.one.put("confirmed/_plan.md", "Nothing.")
    for _ in range(2):
        assert held(two) == {path: "git.ignored"}
    assert two.one.doll("sync", "--dry-run").code == 1
    mend(two, " add -f -- ")
    synced(two.one)
    assert git(two.hub, "show", f"main:{path}")
    memory(two.one, "tea", "Other words.")
    synced(two.one)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("flag", ["skip-worktree", "assume-unchanged"])
@pytest.mark.parametrize("version", ["2", "4"])
def test_an_edit_that_git_does_not_see(two: Two, flag: str, version: str) -> None:
    path, code = memory(two.one, "tea"), {"s": "git.skipped", "a": "git.assumed"}[flag[0]]
    memory(two.one, "mate")
    synced(two.one)
    two.one.git("update-index", "--index-version", version)
    two.one.git("update-index", f"--{flag}", path, "confirmed/mate.md")
    synced(two.one)
    memory(two.one, "tea", "Unseen.")
    for _ in range(2):
        assert held(two) == {path: code}
    mend(two, " update-index --no-")
    assert "changed confirmed/tea.md" in synced(two.one).out


@pytest.mark.sampled(6)
@pytest.mark.parametrize("flag", ["skip-worktree", "assume-unchanged"])
def test_one_that_the_remote_changed_too(two: Two, flag: str) -> None:
    path = memory(two.one, "tea")
    memory(two.one, "mate")
    synced(two.one)
    synced(two.other)
    two.one.git("update-index", f"--{flag}", path, "confirmed/mate.md")
    memory(two.one, "tea", "Unseen.")
    memory(two.other, "tea", "Theirs.")
    memory(two.other, "mate", "Theirs.")
    synced(two.other)
    mine = head(two.one)
    result = two.one.doll("sync")
    assert result.code == 5
    assert (
        f"the remote changed {path}, and so did you, where git was told not to look" in result.err
    )
    assert head(two.one) == mine
    assert two.one.read(path) == MEMORY.format("Tea", "Unseen.")
    two.one.type(next(line.strip() for line in result.err.splitlines() if " --no-" in line))
    # Now it is a conflict as any other.
    assert two.one.doll("sync").code == 5
    two.one.git("checkout", "--theirs", path)
    two.one.git("add", path)
    synced(two.one, "--continue")
    assert two.one.read("confirmed/mate.md") == MEMORY.format("Mate", "Theirs.")


def test_a_file_that_is_gone_behind_a_flag(two: Two) -> None:
    gone, sparse = memory(two.one, "tea"), memory(two.one, "mate")
    synced(two.one)
    two.one.git("update-index", "--assume-unchanged", gone)
    two.one.git("update-index", "--skip-worktree", sparse)
    for path in (gone, sparse):
        (two.one.root / path).unlink()
    assert held(two) == {gone: "git.assumed"}


def test_rules_of_git_that_come_are_listed_first(two: Two) -> None:
    two.other.put(".gitignore", two.other.read(".gitignore") + "*.md\n")
    two.other.put("confirmed/.gitattributes", "*.md -text\n")
    memory(two.other, "tea")
    two.other.git("add", "-f", ".")
    two.other.git("commit", "-qm", "rules")
    two.other.git("push", "-q")
    lines = synced(two.one).out.splitlines()
    assert lines[0].startswith("authority that came from the remote")
    assert [line.split()[1] for line in lines[1:3]] == [".gitignore", "confirmed/.gitattributes"]
