"""`doll watch` where the ground goes from under it: its lock, the vault's folder, the place."""

import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from doll.errors import BusyError
from doll.vault import heartbeat
from doll.vault.heartbeat import EVERY
from tests.desk import Desk
from tests.recall_vault import memory
from tests.watcher import Watcher, until, watching

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(6)

NEW = memory("Espresso", "with cardamom")
STATE = ".git/doll"


@pytest.fixture
def watched(desk: Desk) -> Iterator[Watcher]:
    """A watcher of the small vault."""
    with watching(desk.root) as watcher:
        yield watcher


def state(desk: Desk) -> Any:
    """Return what status says of the watcher."""
    return desk.ok("status", "--json").json["watcher"]


def test_a_lock_that_was_removed_is_taken_again(desk: Desk, watched: Watcher) -> None:
    shutil.rmtree(desk.root / STATE)
    until((desk.root / STATE / "watch.seen").exists)
    until(lambda: state(desk)["state"] == "current")
    err = desk.refused(6, "watch")
    assert f"another doll watches this vault (process {watched.process.pid})" in err
    desk.put("confirmed/a.md", NEW)
    watched.saw("confirmed/a.md", "new")
    assert watched.end() == 0
    assert state(desk)["state"] == "none"


def test_it_ends_where_another_took_the_lock(desk: Desk, watched: Watcher) -> None:
    watched.send(signal.SIGSTOP)
    shutil.rmtree(desk.root / STATE)
    with watching(desk.root) as other:
        watched.send(signal.SIGCONT)
        assert watched.process.wait(60) == 6
        said = f"doll: another doll watches this vault (process {other.process.pid})\n"
        assert watched.errors().startswith(said)
        until(lambda: state(desk)["state"] == "current")
        assert state(desk)["process"] == other.process.pid


def test_a_claim_is_renewed_only_where_its_file_is_another(tmp_path: Path) -> None:
    place = tmp_path / "git" / "doll"
    place.parent.mkdir()
    with heartbeat.alone(place) as claim:
        assert not claim.renew()
        place.joinpath("watch.lock").unlink()
        assert heartbeat.is_watched(place) is False
        assert claim.renew()
        assert not claim.renew()
        assert heartbeat.is_watched(place) is True
        place.parent.rename(tmp_path / "away")
        assert not claim.renew()
        assert not place.parent.exists()
    with pytest.raises(BusyError), heartbeat.alone(place), heartbeat.alone(place):
        pytest.fail("two watchers")


@pytest.mark.parametrize("kind", ["gone", "empty", "marker"])
def test_a_folder_that_goes_is_told_soon(
    desk: Desk, watched: Watcher, kind: str, tmp_path: Path
) -> None:
    begun = time.monotonic()
    away = tmp_path / "away"
    desk.root.rename(away)
    if kind != "gone":
        desk.root.mkdir()
    if kind == "marker":
        (desk.root / "confirmed").mkdir()
    fault = watched.wait(lambda line: line["event"] == "fault")
    # Half of what passes without a hint is much more than a beat.
    assert time.monotonic() - begun < 6 * EVERY
    wanted = "the folder of the vault is gone" if kind == "gone" else "is no vault any more"
    assert wanted in fault["message"]
    assert "--vault" not in fault["message"]
    assert "doll init" not in fault["hint"]
    if kind != "gone":
        shutil.rmtree(desk.root)
    away.rename(desk.root)
    until(lambda: state(desk)["state"] == "current")


def test_a_moved_vault_is_watched_by_nobody(desk: Desk, watched: Watcher, tmp_path: Path) -> None:
    assert state(desk)["elsewhere"] == ""
    link, moved = (desk.at(str(tmp_path / name)) for name in ("link", "moved"))
    link.root.symlink_to(desk.root)
    assert state(link)["state"] == "current"
    desk.root.rename(moved.root)
    found = state(moved)
    assert (found["state"], found["elsewhere"]) == ("deaf", str(desk.root))
    process = watched.process.pid
    line = f"kill {process} && doll watch"
    said = f"watches {desk.root}, where this vault is no more"
    assert moved.ok("status").out.endswith(f": deaf, it {said}: {line}\n")
    problems = moved.doll("doctor", "--json").json["problems"]
    told = next(each for each in problems if each["code"] == "state.watch")
    assert said in told["message"]
    assert told["hint"].startswith(line)
