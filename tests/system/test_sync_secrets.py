"""No secret goes to the remote, in whichever of the commits that it has not it stands."""

from pathlib import Path

import pytest

from tests.gitbox import git
from tests.sync_desk import POLICY, Two, head, log, make_shared, memory, synced, values

pytestmark = pytest.mark.sampled(4)

SECRET = "aws_secret_access_key = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzEXAMPLEK'"


def test_a_secret_that_was_committed_by_hand_is_not_pushed(two: Two) -> None:
    had = two.tip
    memory(two.other, "mate")
    path = memory(two.one, "keys", f"Fine.\n\n{SECRET}")
    two.one.git("add", "-A")
    two.one.git("commit", "-qm", "by hand")
    bad = head(two.one)
    entry = log(two.one, "Mine")
    for _ in range(2):
        result = two.one.doll("sync")
        assert result.code == 1
        assert "not synced: not pushed: commits that the remote has not hold" in result.err
        assert f"{path}:8:" in result.err
        assert f"commit {bad[:12]}: this looks like a secret" in result.err
        assert "wJalrXUtnFEMI" not in result.err
        assert two.tip == had
    synced(two.other)
    had = two.tip
    result = two.one.doll("sync")
    assert result.code == 1
    assert "merged 1 commit" in result.out
    assert "not synced: not pushed: commits that the remote has not hold" in result.err
    # Mending the file is not enough.
    memory(two.one, "keys", "Fine.")
    found = values(two.one, code=1)
    assert [each["path"] for each in found["stop"]["problems"]] == [path]
    assert two.tip == had
    result = two.one.doll("sync")
    line = next(each for each in result.err.splitlines() if " reset -q " in each)
    two.one.type(line.partition("    takes")[0].strip())
    synced(two.one)
    assert "wJalrXUtnFEMI" not in git(two.hub, "log", "-p", "main")
    assert git(two.hub, "show", f"main:{path}").endswith("Fine.")
    assert git(two.hub, "show", f"main:{entry}")


def test_one_that_a_later_commit_took_away(two: Two) -> None:
    had = two.tip
    path = memory(two.one, "keys", SECRET)
    two.one.git("add", "-A")
    two.one.git("commit", "-qm", "by hand")
    (two.one.root / path).unlink()
    memory(two.other, "tea")
    synced(two.other)
    theirs = two.tip
    result = two.one.doll("sync")
    assert result.code == 1
    assert "not pushed" in result.err
    assert had != two.tip == theirs


def test_a_secret_in_a_settled_file_is_not_merged(two: Two) -> None:
    path = memory(two.one, "tea", "Common.")
    synced(two.one)
    synced(two.other)
    memory(two.other, "tea", "Theirs.")
    synced(two.other)
    memory(two.one, "tea", "Mine.")
    assert two.one.doll("sync").code == 5
    memory(two.one, "tea", f"Both.\n\n{SECRET}")
    two.one.git("add", path)
    mine = head(two.one)
    err = two.one.refused(5, "sync", "--continue")
    assert f"{path}:8:" in err
    assert "wJalrXUtnFEMI" not in err
    assert head(two.one) == mine
    memory(two.one, "tea", "Both.")
    two.one.git("add", path)
    synced(two.one, "--continue")
    assert "wJalrXUtnFEMI" not in git(two.hub, "log", "-m", "-p", "main")
    synced(two.other)


def test_one_that_is_declared_to_be_none_goes_along(two: Two) -> None:
    path = memory(two.one, "keys", SECRET)
    two.one.git("add", "-A")
    detectors = [
        each["message"].rpartition("(")[2].rstrip(")") for each in values(two.one, code=1)["held"]
    ]
    trailers = [f"--trailer=Doll-Not-A-Secret: {each}:file" for each in detectors]
    two.one.git("commit", "-qm", "declared", *trailers)
    synced(two.one)
    assert git(two.hub, "show", f"main:{path}")


def typed_line(two: Two, err: str, word: str, code: int = 0) -> None:
    """Type the line of a report that holds a word."""
    line = next(line for line in err.splitlines() if word in line)
    line = line.strip().partition("    ")[0]
    two.one.type(line.replace(" commit --no-verify", " commit -qm declared --no-verify"), code)


def test_one_that_is_committed_is_declared_by_the_lines_in_their_order(two: Two) -> None:
    path = memory(two.one, "keys", SECRET)
    two.one.git("add", "-A")
    two.one.git("commit", "-qm", "by hand")
    policy = "authority/policies/drop.md"
    two.one.put(policy, POLICY.format("Drop", "deny"))
    two.one.git("add", "authority")
    two.one.put(policy, POLICY.format("Drop", "allow"))
    mine = head(two.one)
    err = two.one.doll("sync").err
    assert err.index(" reset -q ") < err.index("Doll-Not-A-Secret")
    # What only the index has is not dropped.
    typed_line(two, err, " reset -q ", code=1)
    assert head(two.one) == mine
    assert "deny" in two.one.git("show", f":{policy}")
    two.one.git("rm", "-q", "--cached", "-f", policy)
    typed_line(two, err, " reset -q ")
    two.one.git("add", "authority")
    typed_line(two, err, "Doll-Not-A-Secret")
    assert two.one.git("diff", "--cached", "--name-only") == policy
    synced(two.one)
    assert git(two.hub, "show", f"main:{path}")
    assert policy not in git(two.hub, "ls-tree", "-r", "--name-only", "main")


@pytest.mark.parametrize("left", ["gone", "never there"])
def test_a_line_that_makes_a_branch_at_the_remote_publishes_none(two: Two, left: str) -> None:
    synced(two.one)
    memory(two.one, "keys", SECRET)
    two.one.git("add", "-A")
    two.one.git("commit", "-qm", "by hand")
    if left == "gone":
        git(two.hub, "update-ref", "-d", "refs/heads/main")
        word = " update-ref -d "
    else:
        two.one.git("switch", "-qc", "topic")
        word = ".merge refs/heads/topic"
    result = two.one.doll("sync")
    assert result.code == (5 if left == "gone" else 1)
    assert " push " not in result.err
    typed_line(two, result.err, word)
    result = two.one.doll("sync")
    assert result.code == 1
    assert "confirmed/keys.md:" in result.err
    branches = git(two.hub, "for-each-ref", "--format=%(refname)").splitlines()
    assert branches == ([] if left == "gone" else ["refs/heads/main"])


def test_histories_that_were_joined_are_not_dropped(two: Two) -> None:
    """The remote has no commit of this side's own line, so no line goes back to one."""
    two.other.git("switch", "-q", "--orphan", "other")
    two.other.git("restore", "--source=main", "--staged", "--worktree", "doll.yaml")
    two.other.git("commit", "-qm", "other")
    two.other.git("push", "-qf", "origin", "other:main")
    two.one.git("fetch", "-q")
    two.one.git("update-ref", "-d", "refs/doll/seen/origin/main")
    memory(two.one, "keys", SECRET)
    two.one.git("add", "-A")
    two.one.git("commit", "-qm", "by hand")
    two.one.git("merge", "-q", "--no-edit", "--allow-unrelated-histories", "origin/main")
    had, mine = two.tip, head(two.one)
    result = two.one.doll("sync")
    assert result.code == 1
    assert "confirmed/keys.md:" in result.err
    assert " reset " not in result.err
    assert "the remote has no commit of this branch's own history" in result.err
    assert (two.tip, head(two.one)) == (had, mine)


def test_a_message_that_holds_one(two: Two) -> None:
    had = two.tip
    memory(two.one, "tea")
    two.one.git("add", "-A")
    two.one.git("commit", "-qm", f"By hand\n\n{SECRET}")
    result = two.one.doll("sync")
    assert result.code == 1
    assert f"commit {head(two.one)[:12]}: its message looks like it holds a secret" in result.err
    assert "wJalrXUtnFEMI" not in result.err
    assert two.tip == had
    assert "its message" in two.one.refused(1, "sync", "--dry-run")
    typed_line(two, result.err, " reset -q ")
    synced(two.one)


def test_the_line_that_declares_one_to_be_none_can_be_typed(two: Two) -> None:
    memory(two.one, "keys", SECRET)
    result = two.one.doll("sync")
    assert result.code == 1
    lines = [line.strip() for line in result.out.splitlines() if "--trailer" in line]
    two.one.under(GIT_EDITOR="sed -i 1iWords").type(lines[0])
    synced(two.one)
    assert git(two.hub, "show", "main:confirmed/keys.md")


def test_the_line_that_pushes_code_is_not_given_for_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shared = make_shared(tmp_path, capsys)
    shared.put("../app.py", "x = 1\n")
    memory(shared, "keys", SECRET)
    shared.git("add", "-A", "..")
    shared.git("commit", "-qm", "all")
    result = shared.doll("sync")
    assert result.code == 1
    assert "confirmed/keys.md:" in result.err
    assert " push " not in result.err
