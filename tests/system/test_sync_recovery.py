"""The lines of `doll sync` when the remote lost records: they bring back these, and no others."""

import pytest

from tests.gitbox import git
from tests.sync_desk import Two, head, log, memory, synced

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(6)


def many(two: Two) -> None:
    """Have 30 memories and an entry on both sides, which the other one takes away and pushes."""
    for number in range(30):
        memory(two.one, f"memory {number}", "Common.")
    log(two.one, "One")
    synced(two.one)
    synced(two.other)
    two.other.git("rm", "-rq", "confirmed")
    memory(two.other, "theirs")
    two.other.git("add", "-A")
    two.other.git("commit", "-qm", "lost")
    two.other.git("push", "-q")


def lines(two: Two) -> list[str]:
    """Sync into the stop, and return the lines to type."""
    result = two.one.doll("sync")
    assert result.code == 5, result
    said = [line.strip().partition("    ")[0] for line in result.err.splitlines()]
    return [line for line in said if line.startswith("git -C") and " log " not in line]


def test_what_was_written_here_stays(two: Two) -> None:
    """Edits that are committed, new records, and records that were removed here as well."""
    many(two)
    memory(two.one, "memory 1", "Mine, committed.")
    memory(two.one, "memory new", "Mine, new.")
    (two.one.root / "confirmed/memory 2.md").unlink()
    typed = lines(two)
    two.one.put("confirmed/memory new.md", "Mine, not committed.")
    two.one.put("confirmed/memory 3.md", "Mine, not committed.")
    for line in typed:
        two.one.type(line)
    assert two.one.read("confirmed/memory 3.md") == "Mine, not committed."
    assert "Mine, committed." in two.one.read("confirmed/memory 1.md")
    assert two.one.read("confirmed/memory new.md") == "Mine, not committed."
    assert not (two.one.root / "confirmed/memory 2.md").exists()
    memory(two.one, "memory new", "Mine, new.")
    memory(two.one, "memory 3", "Common.")
    synced(two.one)
    names = git(two.hub, "ls-tree", "-rz", "--name-only", "main", "confirmed").split("\0")
    assert {"confirmed/theirs.md", "confirmed/memory new.md", "confirmed/memory 3.md"} < {*names}
    assert "Mine, committed." in git(two.hub, "show", "main:confirmed/memory 1.md")


def test_it_is_not_taken_over_where_something_uncommitted_is_in_the_way(two: Two) -> None:
    many(two)
    mine = head(two.one)
    two.one.put(".git/info/exclude", "confirmed/theirs.md\n")
    memory(two.one, "theirs", "Mine, not committed.")
    for line in lines(two):
        two.one.type(line)
    assert "confirmed/theirs.md" in two.one.refused(5, "sync")
    assert "Mine, not committed." in two.one.read("confirmed/theirs.md")
    assert head(two.one) == mine
    assert two.one.git("worktree", "list").count("\n") == 0


def test_entries_come_back_as_they_are_here(two: Two) -> None:
    """Not as the remote had them: a redaction that was made here since is not undone."""
    path = log(two.one, "Too much")
    synced(two.one)
    synced(two.other)
    two.other.git("rm", "-q", path)
    two.other.git("commit", "-qm", "lost")
    two.other.git("push", "-q")
    name = path.rpartition("/")[2].removesuffix(".md")
    two.one.ok("redact", name, "--field", "summary", "--reason", "too much", "--commit")
    for line in lines(two):
        two.one.type(line)
    synced(two.one)
    assert "Too much" not in git(two.hub, "show", f"main:{path}")


def test_what_was_only_fetched_is_put_back_too(two: Two) -> None:
    memory(two.other, "tea")
    entry = log(two.other, "Other")
    synced(two.other)
    two.one.git("fetch", "-q")
    two.other.git("rm", "-q", entry)
    two.other.git("commit", "-qm", "lost")
    two.other.git("push", "-q")
    for line in lines(two):
        two.one.type(line)
    synced(two.one)
    assert (two.one.root / entry).is_file()
    assert entry in git(two.hub, "ls-tree", "-r", "--name-only", "main")


def test_a_mass_deletion_that_was_meant_is_taken_over(two: Two) -> None:
    many(two)
    assert "doll sync --allow-mass-delete" in two.one.doll("sync").err
    synced(two.one, "--allow-mass-delete")
    assert [each.name for each in (two.one.root / "confirmed").iterdir()] == ["theirs.md"]
    assert head(two.one) == two.tip
    synced(two.one)


def test_no_option_allows_the_loss_of_experience(two: Two) -> None:
    many(two)
    two.other.git("rm", "-rq", "experience")
    two.other.git("commit", "-qm", "lost")
    two.other.git("push", "-q")
    mine = head(two.one)
    result = two.one.doll("sync", "--allow-mass-delete")
    assert result.code == 5
    assert "1 of the entries of experience are gone and 30 of 33 records are gone" in result.err
    assert "--allow-mass-delete" not in result.err
    assert head(two.one) == mine


@pytest.mark.parametrize("redacted", [False, True])
def test_an_entry_that_was_changed_is_put_back_and_pushed(two: Two, redacted: bool) -> None:
    """To its first version, or the last redaction; everybody takes that over."""
    path = log(two.one, "Much")
    name = path.rpartition("/")[2].removesuffix(".md")
    synced(two.one)
    if redacted:
        two.one.ok("redact", name, "--field", "summary", "--reason", "too much", "--commit")
    synced(two.one)
    synced(two.other)
    mine = two.one.read(path)
    two.other.put(path, mine + "More.\n")
    two.other.git("commit", "-qam", "edit")
    two.other.git("push", "-q")
    for line in lines(two):
        two.one.type(line)
    synced(two.one)
    assert git(two.hub, "show", f"main:{path}") == mine.strip()
    synced(two.other)
    assert two.other.read(path) == mine


def test_an_entry_that_is_put_back_to_something_else_is_not_pushed(two: Two) -> None:
    path = log(two.one, "Much")
    synced(two.one)
    synced(two.other)
    two.other.put(path, two.other.read(path) + "More.\n")
    two.other.git("commit", "-qam", "edit")
    two.other.git("push", "-q")
    assert lines(two)
    two.other.put(path, two.one.read(path) + "Even more.\n")
    two.other.git("commit", "-qam", "put back")
    two.other.git("push", "-q")
    had = two.tip
    result = two.one.doll("sync")
    assert result.code == 5
    assert "1 of the entries of experience were changed" in result.err
    assert two.tip == had
