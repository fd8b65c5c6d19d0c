"""`doll watch --sync`: what `doll sync` does, now and then, and told when there is news."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.desk import Desk
from tests.gitbox import git
from tests.recall_vault import memory
from tests.watcher import Watcher, until, watching

pytestmark = pytest.mark.sampled(4)


@pytest.fixture
def remote(desk: Desk, tmp_path: Path) -> Path:
    """A bare remote that the vault's branch follows."""
    place = tmp_path / "remote.git"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(place))
    desk.git("remote", "add", "origin", str(place))
    desk.git("push", "-q", "-u", "origin", "main")
    return place


@pytest.fixture
def watched(desk: Desk, remote: Path) -> Iterator[Watcher]:
    """A watcher that syncs."""
    with watching(desk.root, "--sync", "1s") as watcher:
        yield watcher


def test_what_changed_here_and_there(
    desk: Desk, remote: Path, watched: Watcher, tmp_path: Path
) -> None:
    watched.wait(lambda line: line["event"] == "sync" and line["synced"])
    desk.put("confirmed/here.md", memory("Here"))
    made = watched.wait(lambda line: line["event"] == "sync" and line["commit"])
    assert [each["path"] for each in made["files"]] == ["confirmed/here.md"]
    until(lambda: git(remote, "rev-parse", "main") == desk.git("rev-parse", "HEAD"))
    other = tmp_path / "other"
    git(tmp_path, "clone", "-q", str(remote), str(other))
    (other / "confirmed" / "there.md").write_text(memory("There"))
    git(other, "add", "-A")
    git(other, "commit", "-qm", "there")
    git(other, "push", "-q")
    watched.saw("confirmed/there.md", "new")
    # Its own commits are no news, and neither is what it brings: nothing of it went unheard.
    assert [line for line in watched.lines if line["event"] in ("notice", "fault")] == []
    assert watched.end() == 0


def test_no_remote_is_said_once(desk: Desk, remote: Path, watched: Watcher) -> None:
    watched.wait(lambda line: line["event"] == "sync")
    remote.rename(remote.with_name("away.git"))
    gone = watched.wait(lambda line: line["event"] == "sync" and line["exit"] == 7)
    assert not gone["synced"]
    desk.put("confirmed/here.md", memory("Here"))
    watched.wait(lambda line: line["event"] == "sync" and line["commit"])
    remote.with_name("away.git").rename(remote)
    until(lambda: git(remote, "rev-parse", "main") == desk.git("rev-parse", "HEAD"))
    assert len([line for line in watched.lines if line.get("exit") == 7]) == 2


def test_a_conflict_waits_for_the_user(desk: Desk, remote: Path, tmp_path: Path) -> None:
    """It is told, and that no sync goes on is told once; the vault is watched all the while."""
    other = tmp_path / "other"
    git(tmp_path, "clone", "-q", str(remote), str(other))
    for root, title in ((other, "There"), (desk.root, "Here")):
        (root / "confirmed").mkdir(exist_ok=True)
        (root / "confirmed" / "a.md").write_text(memory(title))
        git(root, "add", "-A")
        git(root, "commit", "-qm", title)
    git(other, "push", "-q")
    with watching(desk.root, "--sync", "1s") as watched:
        stop = watched.wait(lambda line: line.get("exit") == 5)
        assert stop["event"] == "sync"
        assert stop["stop"]["paths"] == ["confirmed/a.md"]
        waits = watched.wait(lambda line: line["event"] == "fault")
        assert waits["exit"] == 5
        desk.put("confirmed/b.md", memory("B"))
        watched.saw("confirmed/b.md", "new")
        desk.put("confirmed/a.md", memory("Both"))
        desk.git("add", "-A")
        desk.git("commit", "-qm", "both")
        watched.wait(lambda line: line["event"] == "sync" and line["synced"])
        assert len([line for line in watched.lines if line["event"] == "fault"]) == 1
    assert git(remote, "rev-parse", "main") == desk.git("rev-parse", "HEAD")


@pytest.mark.parametrize("every", ["", "5", "0s", "1d", "m", "-5m", "5.5s"])
def test_no_time(desk: Desk, every: str) -> None:
    assert "at least 1s, such as 30s, 10m, 2h" in desk.refused(2, "watch", "--sync", every)
