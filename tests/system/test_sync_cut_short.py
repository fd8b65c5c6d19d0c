"""A merge of which git is killed in the middle is put back, and nothing becomes the user's own."""

import pytest

from tests.gitbox import git, hook
from tests.sync_desk import Two, head, log, memory, synced

pytestmark = pytest.mark.sampled(4)

KILL = "#!/bin/sh\nkill -9 $PPID\n"


def cut_short(two: Two) -> list[str]:
    """Have the remote change, add and remove files, and git killed while it takes that over."""
    paths = [memory(two.one, "tea"), memory(two.one, "mate")]
    synced(two.one)
    synced(two.other)
    memory(two.other, "tea", "Theirs.")
    (two.other.root / paths[1]).unlink()
    paths += [memory(two.other, "deep/new"), log(two.other, "Theirs")]
    synced(two.other)
    memory(two.one, "mine")
    hook(two.one.root, KILL, "pre-merge-commit")
    assert two.one.doll("sync").code == 7
    (two.one.root / ".git/hooks/pre-merge-commit").unlink()
    assert two.one.git("status", "--porcelain") != ""
    return paths


@pytest.mark.parametrize("is_merge", [True, False])
def test_what_came_is_never_committed_as_ones_own(two: Two, is_merge: bool) -> None:
    if is_merge:
        cut_short(two)
    else:
        half_taken_over(two)
    theirs = two.tip
    out = synced(two.one).out
    assert "committed as" not in out
    assert two.one.git("merge-base", "--is-ancestor", theirs, "HEAD") == ""
    authored = two.one.git("log", "--no-merges", "--format=", "--name-only", f"{theirs}..HEAD")
    assert "tea" not in authored
    assert two.one.git("status", "--porcelain") == ""
    assert not (two.one.root / ".git/doll/merging").exists()


def half_taken_over(two: Two) -> None:
    """Have files of a fast-forward on disk, and the index as it was."""
    memory(two.one, "tea")
    synced(two.one)
    synced(two.other)
    memory(two.other, "tea", "Theirs.")
    memory(two.other, "deep/new")
    synced(two.other)
    for path in ("confirmed/tea.md", "confirmed/deep/new.md"):
        two.one.put(path, two.other.read(path))
    note = two.one.root / ".git/doll/merging"
    note.write_text(f"{head(two.one)} {two.tip}\n", encoding="ascii")
    two.one.git("fetch", "-q")


def test_what_was_changed_since_is_left_and_named(two: Two) -> None:
    tea, mate, new, _ = cut_short(two)
    memory(two.one, "tea", "Mine, since.")
    assert "would commit" not in two.one.doll("sync", "--dry-run").out
    mine = head(two.one)
    for _ in range(2):
        result = two.one.doll("sync")
        assert result.code == 5
        assert f"a merge was cut off, and {tea} was changed since" in result.err
        assert head(two.one) == mine
        assert "Mine, since." in two.one.read(tea)
        assert (two.one.root / mate).is_file()
        assert not (two.one.root / new).exists()
    line = next(each for each in result.err.splitlines() if "checkout HEAD" in each)
    two.one.type(line.partition("    ")[0].strip())
    synced(two.one)
    assert "Theirs." in two.one.read(tea)


def test_what_both_sides_changed_goes_back_to_ones_own(two: Two) -> None:
    text = "\n".join(f"Line {number}." for number in range(20))
    path = memory(two.one, "tea", text)
    synced(two.one)
    synced(two.other)
    memory(two.other, "tea", text.replace("Line 0.", "Theirs."))
    synced(two.other)
    memory(two.one, "tea", text.replace("Line 19.", "Mine."))
    hook(two.one.root, KILL, "pre-merge-commit")
    assert two.one.doll("sync").code == 7
    assert "Theirs." in two.one.read(path)
    (two.one.root / ".git/hooks/pre-merge-commit").unlink()
    assert "committed as" not in synced(two.one).out
    assert "Theirs." in two.one.read(path)
    assert "Mine." in two.one.read(path)
    assert len(git(two.hub, "rev-list", "--merges", "main").split()) == 1


def test_what_git_took_away_to_write_it_anew_is_put_back_whatever_was_committed(two: Two) -> None:
    half_taken_over(two)
    tea, new = (two.one.root / "confirmed" / name for name in ("tea.md", "deep/new.md"))
    tea.unlink()
    new.write_bytes(new.read_bytes()[:9])
    two.one.put("notes.txt", "Notes.\n")
    two.one.git("add", "notes.txt")
    two.one.git("commit", "-qm", "between")
    assert "would commit" not in two.one.doll("sync", "--dry-run").out
    assert "committed as" not in synced(two.one).out
    assert "Theirs." in tea.read_text()
    assert new.read_bytes() == (two.other.root / "confirmed/deep/new.md").read_bytes()
    assert two.one.git("status", "--porcelain") == ""


def test_what_stands_there_since_is_left_and_named(two: Two) -> None:
    gone = memory(two.one, "far/mate")
    half_taken_over(two)
    two.other.git("rm", "-q", gone)
    two.other.git("commit", "-qm", "gone")
    two.other.git("push", "-q")
    two.one.git("fetch", "-q")
    note = two.one.root / ".git/doll/merging"
    note.write_text(f"{head(two.one)} {two.tip}\n", encoding="ascii")
    (two.one.root / gone).unlink()
    (two.one.root / "confirmed/far").rmdir()
    two.one.put("confirmed/far", "Mine.\n")
    link = two.one.root / "confirmed/deep/new.md"
    link.unlink()
    link.symlink_to("../tea.md")
    result = two.one.doll("sync")
    assert result.code == 5
    assert "a merge was cut off, and confirmed/far stands where a folder was" in result.err
    assert two.one.read("confirmed/far") == "Mine.\n"
    line = next(each for each in result.err.splitlines() if "mv -n -- " in each)
    two.one.type(line.strip())
    result = two.one.doll("sync")
    assert result.code == 5
    assert "a merge was cut off, and confirmed/deep/new.md was changed since" in result.err
    assert link.is_symlink()
    link.unlink()
    synced(two.one)
    assert two.one.read("confirmed/far.mine") == "Mine.\n"
