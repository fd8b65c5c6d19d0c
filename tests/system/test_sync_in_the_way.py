"""What is on disk alone, and stands where a merge would write, or going back from one."""

import pytest

from tests.sync_desk import Two, head, memory, synced

pytestmark = pytest.mark.sampled(4)


def typed(two: Two, err: str, word: str) -> None:
    """Type the line of a stop that has a word."""
    line = next(line for line in err.splitlines() if word in line)
    two.one.type(line.strip().partition("    ")[0])


def ignore(two: Two, *paths: str) -> None:
    """Have git ignore paths in the first clone alone."""
    with (two.one.root / ".git/info/exclude").open("a") as opened:
        opened.writelines(f"/{path}\n" for path in paths)


@pytest.mark.parametrize("how", ["fast-forward", "merge", "conflict"])
def test_a_file_that_git_ignores_is_never_written_over(two: Two, how: str) -> None:
    path, other = "confirmed/tea.md", ".env"
    memory(two.other, "tea", "Theirs.")
    memory(two.other, "both" if how == "conflict" else "green", "Theirs.")
    two.other.put(other, "THEIRS=1\n")
    two.other.git("add", "-f", other, "confirmed")
    two.other.git("commit", "-qm", "theirs")
    two.other.git("push", "-q")
    ignore(two, path, other)
    memory(two.one, "tea", "Mine.")
    two.one.put(other, "MINE=1\n")
    if how != "fast-forward":
        memory(two.one, "both" if how == "conflict" else "mate", "Mine.")
    result = two.one.doll("sync")
    assert result.code == 5, result
    assert f"the remote changed {other}, {path}, and so did you" in result.err
    assert "Mine." in two.one.read(path)
    assert two.one.read(other) == "MINE=1\n"
    typed(two, result.err, "stash push")
    assert two.one.doll("sync").code == (5 if how == "conflict" else 0)
    assert "Theirs." in two.one.read(path)
    assert "Mine." in two.one.git("show", f"stash@{{0}}^3:{path}")


def test_what_was_only_promised_to_git_is_named(two: Two) -> None:
    memory(two.other, "tea", "Theirs.")
    synced(two.other)
    memory(two.one, "tea", "Mine.")
    two.one.put("notes.txt", "Notes.\n")
    two.one.git("add", "-N", "notes.txt")
    for options in ((), ("--abort",)):
        err = two.one.refused(5, "sync", *options)
        assert "notes.txt was added with `git add -N`" in err
        typed(two, err, "restore --staged")
        assert two.one.git("status", "--porcelain", "notes.txt") == "?? notes.txt"
        if not options:
            assert two.one.doll("sync").code == 5
            two.one.git("add", "-N", "notes.txt")
    mine = head(two.one)
    two.one.ok("sync", "--abort")
    assert "Mine." in two.one.read("confirmed/tea.md")
    assert two.one.read("notes.txt") == "Notes.\n"
    assert head(two.one) == mine


def conflicting(two: Two) -> None:
    """Have a merge wait that also changes a file, and takes two away, one in a folder."""
    for name in ("tea", "mate", "black", "deep/green"):
        memory(two.one, name)
    synced(two.one)
    synced(two.other)
    memory(two.other, "tea", "Theirs.")
    memory(two.other, "mate", "Theirs.")
    two.other.git("rm", "-q", "confirmed/black.md", "confirmed/deep/green.md")
    synced(two.other)
    memory(two.one, "tea", "Mine.")
    assert two.one.doll("sync").code == 5


def test_going_back_writes_over_nothing_that_was_made_since(two: Two) -> None:
    conflicting(two)
    ignore(two, "confirmed/black.md", "confirmed/deep")
    memory(two.one, "black", "New.")
    two.one.put("confirmed/deep", "New.\n")
    err = two.one.refused(5, "sync", "--abort")
    assert "confirmed/black.md, confirmed/deep: changed, and no part of the merge" in err
    typed(two, err, "restore --staged")
    two.one.ok("sync", "--abort")
    assert "New." in two.one.read("confirmed/black.md")
    assert two.one.read("confirmed/deep") == "New.\n"
    assert "Mine." in two.one.read("confirmed/tea.md")


@pytest.mark.parametrize("goes_on", [False, True])
def test_going_back_that_was_cut_off_is_never_taken_for_edits(two: Two, goes_on: bool) -> None:
    conflicting(two)
    for path in ("confirmed/mate.md", "confirmed/black.md"):
        two.one.put(path, two.one.git("show", f"HEAD:{path}") + "\n")
    if goes_on:
        two.one.git("checkout", "-q", "--ours", "confirmed/tea.md")
        two.one.git("add", "confirmed/tea.md")
        err = two.one.refused(5, "sync")
        assert "confirmed/black.md, confirmed/mate.md: on disk as before the merge" in err
        typed(two, err, "checkout-index -f")
        typed(two, err, "rm -- ")
        synced(two.one, "--continue")
        assert "Theirs." in two.one.read("confirmed/mate.md")
        assert not (two.one.root / "confirmed/black.md").exists()
    else:
        two.one.ok("sync", "--abort")
    assert two.one.git("status", "--porcelain") == ""
    assert "Mine." in two.one.read("confirmed/tea.md")
