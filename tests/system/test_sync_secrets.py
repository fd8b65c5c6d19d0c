"""No secret goes to the remote, in whichever of the commits that it has not it stands."""

from tests.gitbox import git
from tests.sync_desk import Two, head, log, memory, synced, values

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
