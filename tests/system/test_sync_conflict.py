"""`doll sync` where both sides changed a file: it stops, shows both, and settles nothing."""

import pytest

from tests.gitbox import git, hook
from tests.sync_desk import MEMORY, POLICY, Two, head, log, memory, synced, values

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(4)

DROP = "authority/policies/drop.md"


def both_edit(two: Two, first: str = "Mine.", second: str = "Theirs.") -> str:
    """Have both clones hold another text of one memory; the remote has the second."""
    path = memory(two.one, "tea", "Common.")
    synced(two.one)
    synced(two.other)
    memory(two.other, "tea", second)
    synced(two.other)
    memory(two.one, "tea", first)
    return path


def authority(two: Two, path: str, first: str, second: str) -> None:
    """Commit a version of a file of authority in each clone; the remote has the second."""
    two.other.put(path, second)
    two.other.git("add", "-A")
    two.other.git("commit", "-qm", "theirs")
    two.other.git("push", "-q")
    two.one.put(path, first)
    two.one.git("add", "-A")
    two.one.git("commit", "-qm", "mine")


def test_a_conflict_stops_with_both_sides_readable(two: Two) -> None:
    path = both_edit(two)
    result = two.one.doll("sync")
    assert result.code == 5
    assert f"  {path}" in result.err
    text = two.one.read(path)
    assert "Mine." in text
    assert "Theirs." in text
    assert "synced" not in result.out
    lines = [line.strip() for line in result.err.splitlines()]
    shown = next(line for line in lines if " show :2:" in line).partition("    ")[0]
    assert "Mine." in two.one.type(shown)
    assert "Theirs." in two.one.type(shown.replace(":2:", ":3:"))
    # What was written is committed, and nothing was pushed.
    assert "Mine." in two.one.git("show", f"HEAD:{path}")
    assert "Theirs." in git(two.hub, "show", f"main:{path}")


def test_it_goes_on_when_it_is_settled(two: Two) -> None:
    path = both_edit(two)
    two.one.doll("sync")
    # Nothing is settled yet: it says so each time, and changes nothing.
    for options in ((), ("--continue",), ("--dry-run",)):
        assert path in two.one.refused(5, "sync", *options)
    memory(two.one, "tea", "Mine and theirs.")
    two.one.git("add", path)
    assert "merged 1 commit" in synced(two.one, "--continue").out
    assert two.tip == head(two.one)
    synced(two.other)
    assert "Mine and theirs." in two.other.read(path)


def test_it_goes_back(two: Two) -> None:
    path = both_edit(two)
    two.one.doll("sync")
    mine = head(two.one)
    assert "back to before the merge" in two.one.ok("sync", "--abort").out
    assert head(two.one) == mine
    assert "Mine." in two.one.read(path)
    assert two.one.git("status", "--porcelain") == ""
    assert "no merge waits" in two.one.refused(5, "sync", "--abort")


def test_going_back_drops_nothing_that_was_staged_besides(two: Two) -> None:
    two.one.put("code.py", "x = 1\n")
    two.one.git("add", "code.py")
    two.one.git("commit", "-qm", "code")
    path = both_edit(two)
    two.one.doll("sync")
    memory(two.one, "new", "Not committed.")
    two.one.put("code.py", "x = 2\n")
    two.one.git("add", ".")
    mine = head(two.one)
    err = two.one.refused(5, "sync", "--abort")
    assert "code.py, confirmed/new.md: staged, and no part of the merge" in err
    assert path not in err.splitlines()[0]
    assert "only the index has that" not in err
    # What only the index has is shown before a line drops it.
    two.one.put("code.py", "x = 3\n")
    err = two.one.refused(5, "sync", "--abort")
    shown = next(line for line in err.splitlines() if "only the index has that" in line)
    assert two.one.type(shown.strip().partition("    ")[0]) == "x = 2\n"
    assert "restore --staged -- code.py confirmed/new.md    drops that" in err
    two.one.put("code.py", "x = 2\n")
    line = next(line for line in err.splitlines() if "restore --staged" in line)
    two.one.type(line.strip().partition("    ")[0])
    two.one.ok("sync", "--abort")
    assert head(two.one) == mine
    assert "Not committed." in two.one.read("confirmed/new.md")
    assert two.one.read("code.py") == "x = 2\n"
    assert "Mine." in two.one.read(path)


def test_marks_that_were_left_are_no_settlement(two: Two) -> None:
    path = both_edit(two)
    two.one.doll("sync")
    two.one.git("add", path)
    err = two.one.refused(5, "sync", "--continue")
    assert "the marks of the conflict are still in it" in err
    assert two.one.doll("sync", "--abort").code == 0


@pytest.mark.parametrize("which", ["one", "other"])
def test_one_side_removed_what_the_other_changed(two: Two, which: str) -> None:
    path = memory(two.one, "tea", "Common.")
    synced(two.one)
    synced(two.other)
    for name, desk in (("other", two.other), ("one", two.one)):
        if name == which:
            (desk.root / path).unlink()
        else:
            memory(desk, "tea", "Changed.")
        code = desk.doll("sync").code
    assert code == 5
    assert "Changed." in two.one.read(path)
    two.one.git("add", path)
    synced(two.one, "--continue")
    synced(two.other)
    assert "Changed." in two.other.read(path)


def test_one_side_renamed_what_the_other_changed(two: Two) -> None:
    path = memory(two.one, "tea", "Common.")
    synced(two.one)
    synced(two.other)
    memory(two.other, "tea", "Changed.")
    synced(two.other)
    two.one.ok("mv", "tea", "oolong", "--commit")
    result = two.one.doll("sync")
    assert result.code == 5
    assert path in result.err


def test_both_made_a_record_of_one_name(two: Two) -> None:
    memory(two.one, "tea", "Mine.")
    memory(two.other, "tea", "Theirs.")
    synced(two.other)
    assert two.one.doll("sync").code == 5
    text = two.one.read("confirmed/tea.md")
    assert "Mine." in text
    assert "Theirs." in text


def test_two_edits_of_one_rule_are_a_conflict_even_where_git_could_mix_them(two: Two) -> None:
    lines = [f"Line {number}.\n" for number in range(20)]
    common = POLICY.format("Drop", "deny") + "".join(lines)
    two.one.put(DROP, common)
    two.one.git("add", "-A")
    two.one.git("commit", "-qm", "policy")
    synced(two.one)
    synced(two.other)
    mine, theirs = common.replace("Drop", "Mine"), common.replace("Line 19", "Theirs")
    authority(two, DROP, mine, theirs)
    result = two.one.doll("sync")
    assert result.code == 5
    assert DROP in result.err
    text = two.one.read(DROP)
    assert mine in text
    assert theirs in text
    assert text.startswith("<<<<<<< yours\n")
    two.one.put(DROP, common.replace("Drop", "Both"))
    two.one.git("add", DROP)
    synced(two.one, "--continue")
    assert "title: Both" in git(two.hub, "show", f"main:{DROP}")


def test_a_rule_is_not_mixed_though_a_setting_of_git_says_so(two: Two) -> None:
    two.one.put(".gitattributes", two.one.read(".gitattributes") + "*.md merge=union\n")
    two.one.put(DROP, POLICY.format("Drop", "deny"))
    two.one.git("add", "-A")
    two.one.git("commit", "-qm", "policy")
    synced(two.one)
    synced(two.other)
    authority(two, DROP, POLICY.format("Mine", "deny"), POLICY.format("Theirs", "deny"))
    mine = head(two.one)
    result = two.one.doll("sync")
    assert result.code == 5
    assert "git would mix both; nothing was taken over" in result.err
    assert head(two.one) == mine
    assert two.one.git("status", "--porcelain") == ""


def test_the_same_change_on_both_sides_is_no_conflict(two: Two) -> None:
    same = POLICY.format("Drop", "deny")
    authority(two, DROP, same, same)
    assert synced(two.one).err == ""


def test_authority_that_is_no_part_of_the_merge_is_not_accepted_by_going_on(two: Two) -> None:
    path = both_edit(two)
    two.one.doll("sync")
    memory(two.one, "tea", "Both.")
    two.one.put(DROP, POLICY.format("Drop", "advise"))
    two.one.git("add", path, DROP)
    err = two.one.refused(5, "sync", "--continue")
    assert f"{DROP}: staged, and no part of the merge" in err
    two.one.type(next(line for line in err.splitlines() if "restore --staged" in line))
    synced(two.one, "--continue")
    assert two.one.git("status", "--porcelain", "-uall") == f"?? {DROP}"


def test_a_hook_that_refuses_the_merge_is_asked_each_time(two: Two) -> None:
    path = log(two.one, "One")
    log(two.other, "Other")
    synced(two.other)
    hook(two.one.root, "#!/bin/sh\necho refused so >&2\nexit 1\n", "pre-merge-commit")
    for _ in range(2):
        result = two.one.doll("sync")
        assert result.code == 7
        assert "it was taken back, and nothing was taken over: refused so" in result.err
        assert two.one.git("status", "--porcelain") == ""
        assert path in two.one.git("show", "--name-only", "--format=", "HEAD")
    (two.one.root / ".git/hooks/pre-merge-commit").unlink()
    result = synced(two.one)
    assert result.err == ""
    assert head(two.one) == two.tip


def test_errors_that_neither_side_had_are_not_pushed(two: Two) -> None:
    memory(two.one, "tea")
    synced(two.one)
    synced(two.other)
    (two.other.root / "confirmed/tea.md").unlink()
    synced(two.other)
    two.one.put(
        "confirmed/mate.md",
        "---\nschema: doll/memory/1\ntitle: Mate\nrelated: [tea]\n---\n\nWords.\n",
    )
    # To run it again does not push it either.
    for said in ("the merge has errors that neither side had", "errors that the remote has not"):
        result = two.one.doll("sync")
        assert result.code == 1, result
        assert said in result.err
        assert "came from the remote" not in result.err
        assert "confirmed/mate.md:4:" in result.err
        assert "synced" not in result.out
    memory(two.one, "mate")
    synced(two.one)


def test_a_name_that_both_gave_is_said_to_be_whose(two: Two) -> None:
    memory(two.one, "tea")
    two.other.put("confirmed/drinks/tea.md", MEMORY.format("Tea", "Theirs."))
    synced(two.other)
    result = two.one.doll("sync")
    assert result.code == 1
    assert "not pushed; confirmed/drinks/tea.md came from the remote" in result.err


def test_errors_that_were_there_are_named_and_go_along(two: Two) -> None:
    two.other.put("confirmed/broken.md", "---\ntags: {x\n---\n")
    two.other.git("add", "-A")
    two.other.git("commit", "-qm", "broken")
    two.other.git("push", "-q")
    log(two.one, "One")
    found = values(two.one)
    assert found["synced"] is True
    (problem,) = found["brought"][0]["problems"]
    assert problem["path"] == "confirmed/broken.md"


def test_what_is_not_committed_is_not_written_over(two: Two) -> None:
    two.other.put("authority/projects/atlas.md", two.other.read("authority/projects/atlas.md"))
    path = "authority/projects/atlas.md"
    two.other.put(path, two.other.read(path).replace("Atlas", "Theirs"))
    two.other.git("commit", "-qam", "theirs")
    two.other.git("push", "-q")
    mine = two.one.read(path).replace("Atlas", "Mine")
    two.one.put(path, mine)
    result = two.one.doll("sync")
    assert result.code == 5
    assert f"the remote changed {path}, and so did you" in result.err
    assert two.one.read(path) == mine


def test_git_merges_nothing_onto_what_is_staged(two: Two) -> None:
    log(two.one, "One")
    log(two.other, "Other")
    synced(two.other)
    two.one.put("code.py", "x = 1\n")
    two.one.git("add", "code.py")
    result = two.one.doll("sync")
    assert result.code == 5
    assert "code.py is staged and not committed" in result.err
    assert two.one.git("status", "--porcelain") == "A  code.py"
    two.one.git("restore", "--staged", ".")
    synced(two.one)


def test_a_merge_that_was_made_is_told_whatever_comes_after_it(two: Two) -> None:
    path = both_edit(two)
    two.one.doll("sync")
    two.one.git("checkout", "--ours", path)
    two.one.git("add", path)
    for name in ("authority", "confirmed"):
        (two.one.root / name).rename(two.one.root / f"{name}-away")
    found = values(two.one, "--continue", code=3)
    assert [each["how"] for each in found["brought"]] == ["merge"]
    assert found["head"] == head(two.one)
    assert "no record on disk" in found["stop"]["message"]
    for name in ("authority", "confirmed"):
        (two.one.root / f"{name}-away").rename(two.one.root / name)
    synced(two.one)
