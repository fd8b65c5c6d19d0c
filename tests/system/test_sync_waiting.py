"""What waits in the middle of git is said first, with the lines that end it."""

import pytest

from tests.desk import Desk
from tests.sync_desk import Two, head, memory, synced

pytestmark = pytest.mark.sampled(4)


def test_a_rebase_is_to_be_ended_first(two: Two) -> None:
    path = memory(two.one, "tea", "Mine.")
    synced(two.one)
    two.one.git("switch", "-qc", "side", "HEAD~1")
    memory(two.one, "tea", "Other.")
    two.one.git("add", path)
    two.one.git("commit", "-qm", "other")
    two.one.git("switch", "-q", "main")
    two.one.type("git rebase -q side", code=1)
    for options in ((), ("--dry-run",), ("--abort",)):
        err = two.one.refused(5, "sync", *options)
        assert "`git rebase` is not finished" in err
        assert "switch" not in err
    line = next(line for line in err.splitlines() if " rebase --abort" in line)
    two.one.type(line.strip().partition("    ")[0])
    synced(two.one)


def test_a_bisection_is_to_be_ended_first(two: Two) -> None:
    for number in range(3):
        memory(two.one, f"tea {number}")
        synced(two.one)
    two.one.git("bisect", "start", "HEAD", "HEAD~3")
    err = two.one.refused(5, "sync")
    assert "`git bisect` is not finished" in err
    line = next(line for line in err.splitlines() if " bisect reset" in line)
    two.one.type(line.strip().partition("    ")[0])
    synced(two.one)


def test_a_bisection_that_has_not_moved_yet_is_to_be_ended_first(two: Two) -> None:
    memory(two.other, "tea")
    synced(two.other)
    memory(two.one, "mate")
    two.one.git("bisect", "start")
    mine = head(two.one)
    for options in ((), ("--dry-run",)):
        err = two.one.refused(5, "sync", *options)
        assert "`git bisect` is not finished" in err
    assert head(two.one) == mine
    line = next(line for line in err.splitlines() if " bisect reset" in line)
    two.one.type(line.strip().partition("    ")[0])
    synced(two.one)


def settings_conflict(two: Two) -> str:
    """Have both sides change `doll.yaml`, and sync into the conflict; return what HEAD was."""
    text = two.one.read("doll.yaml")
    for desk, name in ((two.other, "Theirs"), (two.one, "Mine")):
        desk.put("doll.yaml", f"{text}# {name}\n")
        desk.git("commit", "-qam", name)
    two.other.git("push", "-q")
    mine = head(two.one)
    assert two.one.doll("sync").code == 5
    return mine


def test_a_conflict_in_the_settings_is_left_with_doll(two: Two) -> None:
    mine = settings_conflict(two)
    for options in ((), ("--dry-run",), ("--continue",)):
        err = two.one.refused(5, "sync", *options)
        assert "a merge of the remote's commits waits; not settled yet: doll.yaml" in err
    for command in ("status", "list"):
        assert "doll sync --abort" in two.one.refused(3, command)
    two.one.ok("sync", "--abort")
    assert head(two.one) == mine
    assert two.one.git("status", "--porcelain") == ""


def test_a_conflict_in_the_settings_is_settled_with_doll(two: Two) -> None:
    settings_conflict(two)
    two.one.git("add", "doll.yaml")
    err = two.one.refused(5, "sync", "--continue")
    assert "doll.yaml" in err
    good = two.other.read("doll.yaml")
    two.one.put("doll.yaml", good.replace("format: 1", "format: [1"))
    two.one.git("add", "doll.yaml")
    err = two.one.refused(5, "sync", "--continue")
    assert "doll.yaml:1:" in err
    two.one.put("doll.yaml", good)
    two.one.git("add", "doll.yaml")
    two.one.put("doll.yaml", good.replace("format: 1", "format: [1"))
    assert two.one.doll("sync", "--continue").code == 3  # the merge is made, and the rest waits
    assert two.one.git("rev-list", "--count", "--merges", "HEAD") == "1"
    two.one.put("doll.yaml", good)
    synced(two.one)


def test_a_dry_run_foresees_a_push_that_is_refused(two: Two) -> None:
    synced(two.one)
    two.one.put("confirmed/broken.md", "---\ntags: {x\n---\n")
    two.one.git("add", "-A")
    two.one.git("commit", "-qm", "broken")
    result = two.one.doll("sync", "--dry-run")
    assert result.code == 1
    assert "would not sync: not pushed: what is committed here has errors" in result.err
    assert "push" not in result.out
    found = two.one.doll("sync", "--dry-run", "--json").json
    assert found["refused"]["problems"][0]["path"] == "confirmed/broken.md"
    assert found["merge"] is None


def test_status_says_that_a_merge_waits(two: Two) -> None:
    path = memory(two.one, "tea", "Common.")
    synced(two.one)
    synced(two.other)
    for desk, text in ((two.other, "Theirs."), (two.one, "Mine.")):
        memory(desk, "tea", text)
        code = desk.doll("sync").code
    assert code == 5
    out = two.one.ok("status").out
    assert "a merge of `doll sync` waits:" in out
    assert "  doll sync --continue" in out
    assert two.one.ok("status", "--json").json["waiting_for"] == {
        "what": "a merge of `doll sync`",
        "finish": "doll sync --continue",
        "drop": "doll sync --abort",
    }
    assert "doll sync --continue" in two.one.refused(5, "new", "memory", "New", "--commit")
    two.one.git("add", path)
    assert "the marks of the conflict are still in it" in two.one.refused(5, "sync", "--dry-run")
    memory(two.one, "tea", "Both.")
    two.one.git("add", path)
    assert "would commit the merge of " in two.one.ok("sync", "--dry-run").out
    synced(two.one, "--continue")
    assert two.one.ok("status", "--json").json["waiting_for"] is None
    assert "no merge waits" in two.one.refused(5, "sync", "--continue")


def test_a_merge_stays_a_syncs_own_whatever_is_fetched(
    two: Two, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where another work tree of the clone syncs, or the branch follows another remote."""
    one, other = two.one, two.other
    for desk, words in ((other, "Theirs."), (one, "Mine.")):
        memory(desk, "tea", words)
        code = desk.doll("sync").code
    assert code == 5
    one.git("worktree", "add", "-qb", "side", "--track", "../side", "origin/main")
    memory(other, "mate")
    synced(other)
    assert "took over" in synced(Desk(one.root.parent / "side", capsys)).out
    assert "doll sync --continue" in one.ok("status").out
    one.put("new.md", "Mine.")
    one.git("add", "new.md")
    err = one.refused(5, "sync", "--abort")
    assert "new.md: staged, and no part of the merge" in err
    assert "did not begin it" not in err
    # Somebody's merge of what the remote had then is taken for one, too, and not dropped blindly.
    (one.root / ".git/doll/merged").rename(one.root / "merged")
    assert "new.md: staged" in one.refused(5, "sync", "--abort")
    (one.root / "merged").rename(one.root / ".git/doll/merged")
    one.git("restore", "--staged", "new.md")
    one.git("branch", "--unset-upstream")
    other.git("commit", "-q", "--amend", "-m", "anew")
    other.git("push", "-qf")
    assert Desk(one.root.parent / "side", capsys).doll("sync").code == 5
    assert one.doll("sync", "--abort").code == 0
    assert one.read("new.md") == "Mine."
