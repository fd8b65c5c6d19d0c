"""What `doll status` and `doll doctor` say of a heartbeat: moved, copied, closed, of a stopped one.

The heartbeats are written here, and the lock is held by this process.
"""

import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from doll.vault import heartbeat
from tests.desk import Desk
from tests.ordinary import ordinary

pytestmark = pytest.mark.sampled(4)

# No process of this system has it.
PROCESS = 2**30


def beat(desk: Desk, **changes: Any) -> None:
    """Write a heartbeat of a watcher of this vault that looked just now."""
    said: dict[str, Any] = {
        "process": PROCESS,
        "mode": "inotify",
        "interval": 60.0,
        "beat_ns": time.time_ns(),
        "seen": heartbeat.digest(heartbeat.stamps(desk.root)),
        "root": heartbeat.name(desk.root),
    }
    heartbeat.write(desk.root / ".git/doll", heartbeat.Beat(**{**said, **changes}))


def state(desk: Desk) -> Any:
    """Return what status says of the watcher."""
    return desk.ok("status", "--json").json["watcher"]


def last(desk: Desk) -> str:
    """Return the last line of status, which is about the watcher."""
    return desk.ok("status").out.splitlines()[-1]


def found(desk: Desk) -> Any:
    """Return what doctor finds of the watcher."""
    problems = desk.doll("doctor", "--json").json["problems"]
    return next(each for each in problems if each["code"] == "state.watch")


@pytest.mark.parametrize(
    ("sync", "said"), [(0, ""), (45, " --sync 45s"), (90 * 60, " --sync 90m"), (7200, " --sync 2h")]
)
def test_the_line_that_starts_one_like_it(sync: int, said: str) -> None:
    assert heartbeat.line(sync=sync) == f"doll watch{said}"
    assert heartbeat.line(poll=True, sync=sync) == f"doll watch --poll{said}"


def test_a_watcher_is_started_anew_as_it_was(desk: Desk) -> None:
    beat(desk, poll=True, sync=1800)
    again = "doll watch --poll --sync 30m"
    assert last(desk).endswith(f": dead, it ended without a word: {again}")
    assert found(desk)["hint"].startswith(f"{again}    ")
    with heartbeat.alone(desk.root / ".git/doll"):
        beat(desk, poll=True, sync=1800, beat_ns=1)
        assert last(desk).endswith(f": kill -KILL {PROCESS} && {again}")
        assert f"\nkill -KILL {PROCESS} && {again}    " in found(desk)["hint"]
        assert state(desk)["again"] == again


def test_a_process_number_that_is_none_is_in_no_line(desk: Desk) -> None:
    """`kill 0` would end the shell that it is typed in."""
    with heartbeat.alone(desk.root / ".git/doll"):
        beat(desk, process=0, beat_ns=1)
        assert "what it says of itself cannot be read" in last(desk)
        assert "kill" not in found(desk)["hint"]


def test_a_stopped_watcher_of_a_moved_vault_is_ended_by_force(desk: Desk, tmp_path: Path) -> None:
    moved = desk.at(str(tmp_path / "moved"))
    with heartbeat.alone(desk.root / ".git/doll"):
        beat(desk, sync=30)
        desk.root.rename(moved.root)
        line = f"kill {PROCESS} && doll watch --sync 30s"
        assert last(moved).endswith(f"where this vault is no more: {line}")
        assert found(moved)["hint"] == f"{line}    starts another"
        beat(moved, root=str(desk.root), beat_ns=1)
        line = f"kill -KILL {PROCESS} && doll watch"
        assert last(moved).endswith(f"where this vault is no more: {line}")
        lines = [each.partition("    ")[0] for each in found(moved)["hint"].splitlines()]
        assert lines == [line, f"kill -CONT {PROCESS}"]


def test_a_copy_of_a_watched_vault_says_nothing_false(desk: Desk, tmp_path: Path) -> None:
    copy = desk.at(str(tmp_path / "copy"))
    with heartbeat.alone(desk.root / ".git/doll"):
        beat(desk)
        shutil.copytree(desk.root, copy.root)
        assert state(desk)["state"] == "current"
        assert state(copy)["state"] == "none"
        assert copy.doll("doctor").out.count("state.watch") == 0
    beat(copy, root=str(desk.root))
    said = f"it watched {desk.root}, and nobody watches here"
    assert f": dead, {said}" in last(copy)
    assert "ended without a word" not in found(copy)["message"]


def test_a_claim_takes_its_heartbeat_away_wherever_its_folder_is(desk: Desk) -> None:
    git_dir, away = desk.root / ".git", desk.root.parent / "away"
    with heartbeat.alone(git_dir / "doll") as claim:
        beat(desk)
        git_dir.rename(away)
        shutil.copytree(away, git_dir)
        assert claim.renew()
        assert not (away / "doll/watch.json").exists()
        assert (git_dir / "doll/watch.json").exists()
        git_dir.rename(away.with_name("second"))
        claim.clear(PROCESS)
        assert not (away.with_name("second") / "doll/watch.json").exists()
    shutil.copytree(away, git_dir)
    with heartbeat.alone(git_dir / "doll") as claim:
        (git_dir / "doll/watch.lock").unlink()
        with heartbeat.alone(git_dir / "doll"):
            beat(desk, process=PROCESS + 1)
            claim.clear(PROCESS)
            assert (git_dir / "doll/watch.json").exists()


def test_who_may_not_look_does_not_know(desk: Desk) -> None:
    user, place = ordinary(desk.root), desk.root / ".git/doll"
    with heartbeat.alone(place):
        beat(desk)
        place.chmod(0)
        try:
            done = user.doll("status")
            known = user.doll("status", "--json").stdout
            told = user.doll("doctor").stdout
        finally:
            place.chmod(0o700)
        said = f"whether anybody watches is not known: {place} cannot be opened"
        assert f"\n{said}; doll doctor    says what to type\n" in done.stdout, done.stderr
        assert '"state": "unknown"' in known
        assert said in told
        # A lock that may not be opened, and no sign for long: it is not known either.
        beat(desk, beat_ns=1)
        (place / "watch.lock").chmod(0)
        said = user.doll("status").stdout.splitlines()[-1]
        assert said.startswith("whether anybody watches is not known: ")
        assert "watch.lock cannot be opened" in said
