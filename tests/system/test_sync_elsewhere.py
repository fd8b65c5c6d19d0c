"""`doll sync` with a remote that git pushes to another place than it fetches from."""

from pathlib import Path

import pytest

from tests.gitbox import git
from tests.sync_desk import Two, head, log, memory, synced, values

pytestmark = pytest.mark.sampled(4)


@pytest.fixture
def mirror(two: Two) -> Path:
    """A second bare repository, which `one` pushes to; `origin` is fetched from the first one."""
    git(two.hub.parent, "clone", "-q", "--bare", str(two.hub), "mirror.git")
    place = two.hub.parent / "mirror.git"
    two.one.git("remote", "set-url", "--push", "origin", str(place))
    return place


def not_synced(two: Two, mirror: Path) -> str:
    """Sync, and hold it to saying that the place to fetch from has it not; return stderr."""
    had = two.tip
    result = two.one.doll("sync")
    assert result.code == 1, result
    where = f"pushed to {mirror}, and origin, which is fetched from {two.hub}, does not have it"
    assert where in result.err
    assert "synced:" not in result.out
    assert git(mirror, "rev-parse", "main") == head(two.one)
    assert two.tip == had == two.one.git("rev-parse", "origin/main")
    return result.err


def test_what_is_only_pushed_is_not_synced(two: Two, mirror: Path) -> None:
    memory(two.one, "tea")
    not_synced(two, mirror)
    result = two.one.doll("sync")
    assert "pushed 1 commit" not in result.out
    err = not_synced(two, mirror)
    assert values(two.one, code=1)["pushed"] == 0
    line = next(each for each in err.splitlines() if "pushurl" in each)
    two.one.type(line.strip().partition("    ")[0])
    synced(two.one)
    assert two.tip == head(two.one)


def test_what_is_there_later_is_synced_then(two: Two, mirror: Path) -> None:
    memory(two.one, "tea")
    not_synced(two, mirror)
    git(mirror, "push", "-q", str(two.hub), "main")
    synced(two.one)
    log(two.other, "Other")
    synced(two.other)
    memory(two.one, "mate")
    not_synced(two, mirror)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("first", [False, True])
def test_a_push_by_hand_is_no_rewritten_history(two: Two, mirror: Path, first: bool) -> None:
    """git moves its tracking ref to what was pushed, before the first sync or after it."""
    if not first:
        synced(two.one)
    memory(two.one, "tea")
    two.one.git("add", "-A")
    two.one.git("commit", "-qm", "tea")
    two.one.git("push", "-q")
    not_synced(two, mirror)


def test_a_history_that_was_rewritten_is_one(two: Two, mirror: Path) -> None:
    memory(two.other, "tea")
    synced(two.other)
    synced(two.one)
    two.other.git("commit", "-q", "--amend", "-m", "rewritten")
    two.other.git("push", "-qf")
    assert "was rewritten" in two.one.refused(5, "sync")


def test_two_ways_to_one_repository(two: Two) -> None:
    two.one.git("remote", "set-url", "--push", "origin", f"file://{two.hub}")
    memory(two.one, "tea")
    assert "pushed 1 commit" in synced(two.one).out
    synced(two.one)


def test_a_rule_that_sends_pushes_elsewhere(two: Two, mirror: Path) -> None:
    two.one.git("config", "--unset", "remote.origin.pushurl")
    two.one.git("config", f"url.{mirror}.pushInsteadOf", str(two.hub))
    memory(two.one, "tea")
    err = not_synced(two, mirror)
    line = next(each for each in err.splitlines() if "pushurl" in each)
    two.one.type(line.strip().partition("    ")[0])
    synced(two.one)


def test_a_branch_that_is_new(two: Two, mirror: Path) -> None:
    two.one.git("switch", "-qc", "topic")
    two.one.git("config", "branch.topic.remote", "origin")
    two.one.git("config", "branch.topic.merge", "refs/heads/topic")
    for _ in range(2):
        result = two.one.doll("sync")
        assert result.code == 1
        assert "does not have it" in result.err
        assert git(mirror, "rev-parse", "topic") == head(two.one)


def test_what_others_push_meanwhile_is_taken_over(two: Two) -> None:
    """Where both places are one, it is no place that has it not."""
    two.one.git("remote", "set-url", "--push", "origin", f"file://{two.hub}")
    log(two.other, "Other")
    memory(two.one, "tea")
    script = (
        f"#!/bin/sh\n[ -e {two.hub}/once ] && exit\ntouch {two.hub}/once\n"
        f"unset $(git rev-parse --local-env-vars)\ncd '{two.other.root}'\n"
        "git add -A && git commit -qm other && git pull -q --no-rebase --no-edit && git push -q\n"
    )
    place = two.hub / "hooks" / "post-receive"
    place.write_text(script)
    place.chmod(0o755)
    found = values(two.one)
    assert found["synced"] is True
    assert two.tip == head(two.one)
    assert two.one.git("log", "--oneline", "--grep=other", "HEAD") != ""


def test_a_mirror(two: Two) -> None:
    two.one.git("config", "remote.origin.mirror", "true")
    memory(two.one, "tea")
    result = two.one.doll("sync")
    assert result.code == 7
    assert "git takes origin for a mirror" in result.err
    line = next(each for each in result.err.splitlines() if ".mirror" in each)
    two.one.type(line.strip().partition("    ")[0])
    synced(two.one)
