"""What is lost by a `git pull` or `git push` that a sync has not seen is found by the next one."""

import re

import pytest

from tests.gitbox import git
from tests.sync_desk import Two, head, log, memory, synced

pytestmark = pytest.mark.sampled(4)


def lose(two: Two, path: str, how: str) -> str:
    """Lose an entry that both have: by a push from here, or by a pull of the other's."""
    desk = two.one if how == "push" else two.other
    desk.git("rm", "-q", path)
    desk.git("commit", "-qm", "lost")
    desk.git("push", "-q")
    if how == "pull":
        two.one.git("pull", "-q")
    assert head(two.one) == two.tip
    return two.tip


def both_have(two: Two) -> str:
    path = log(two.one, "Kept")
    synced(two.one)
    synced(two.other)
    return path


@pytest.mark.parametrize("how", ["push", "pull"])
def test_experience_that_went_by_hand_is_named_and_put_back(two: Two, how: str) -> None:
    path = both_have(two)
    had = two.tip
    lost = lose(two, path, how)
    new = log(two.one, "New")
    for _ in range(2):
        result = two.one.doll("sync")
        assert result.code == 5
        assert "1 of the entries of experience are gone, here and in origin/main" in result.err
        assert path in result.err
        assert two.tip == lost
    kept = re.findall(r"refs/doll/rescue/\w+", result.err)[0]
    assert two.one.git("rev-parse", kept) == had
    lines = [line.strip().partition("    ")[0] for line in result.err.splitlines()]
    line = lines[lines.index("to put it back, by a commit on top, made beside the vault:") + 1]
    two.one.put(path, "Written since.\n")
    two.one.put("authority/readme.txt", "Staged.\n")
    two.one.git("add", "authority")
    two.one.type(line)
    assert f"the remote changed {path}, and so did you" in two.one.refused(5, "sync")
    assert two.one.read(path) == "Written since.\n"
    (two.one.root / path).unlink()
    assert "authority/readme.txt is staged and not committed" in two.one.refused(5, "sync")
    two.one.put("authority/readme.txt", "On disk.\n")
    err = two.one.refused(5, "sync")
    assert "show :./authority/readme.txt    shows it: only the index has that" in err
    assert "restore --staged .    drops that" in err
    two.one.git("restore", "--staged", "authority")
    synced(two.one)
    assert "readme" not in git(two.hub, "ls-tree", "-r", "--name-only", "main")
    assert git(two.hub, "show", f"main:{path}")
    assert git(two.hub, "show", f"main:{new}")
    synced(two.one)


def test_a_loss_that_was_meant_is_accepted(two: Two) -> None:
    path = both_have(two)
    lose(two, path, "push")
    result = two.one.doll("sync")
    assert result.code == 5
    line = next(each for each in result.err.splitlines() if "it was meant" in each)
    two.one.type(line.strip().partition("    ")[0])
    synced(two.one)
    synced(two.one)


def test_most_records_that_went_by_hand(two: Two) -> None:
    paths = [memory(two.one, f"m{number}") for number in range(40)]
    synced(two.one)
    two.one.git("rm", "-q", *paths)
    two.one.git("commit", "-qm", "gone")
    two.one.git("push", "-q")
    result = two.one.doll("sync")
    assert result.code == 5
    assert "records are gone, here and in origin/main" in result.err
    synced(two.one, "--allow-mass-delete")
    synced(two.one)


def test_a_push_by_hand_that_loses_nothing(two: Two) -> None:
    memory(two.one, "tea")
    two.one.git("add", "-A")
    two.one.git("commit", "-qm", "by hand")
    two.one.git("push", "-q")
    synced(two.one)
