"""How `doll watch` begins and ends, and what `doll status` says of it meanwhile and afterwards."""

import signal
import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.desk import Desk
from tests.recall_vault import agrees, ids, memory
from tests.watcher import COMMAND, Watcher, until, watching

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(6)

STATE = ".git/doll/watch.json"
NEW = memory("Espresso", "with cardamom")


@pytest.fixture
def watched(desk: Desk) -> Iterator[Watcher]:
    """A watcher of the small vault; that its cache comes is no change that it sees."""
    desk.ok("index")
    with watching(desk.root) as watcher:
        yield watcher


def state(desk: Desk, later: int = 0) -> Any:
    """Return what status says of the watcher, in some seconds from now."""
    moment = datetime.now(UTC) + timedelta(seconds=later)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("doll.cli.clock.now", lambda: moment)
        return desk.ok("status", "--json").json["watcher"]


def said(desk: Desk) -> str:
    """Return the line about the watcher."""
    line = desk.ok("status").out.splitlines()[-1]
    assert line.startswith("watched (process "), line
    return line


def test_a_watcher_that_was_not_ended_has_seen_all(desk: Desk, watched: Watcher) -> None:
    found = state(desk)
    assert (found["state"], found["process"]) == ("current", watched.process.pid)
    assert said(desk) == f"watched (process {watched.process.pid}, {found['mode']}): current"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_ways_to_end_it_are_no_failure(desk: Desk, watched: Watcher, number: int) -> None:
    assert (desk.root / STATE).exists()
    assert watched.end(number) == 0
    assert watched.errors() == "doll: ended\n"
    assert not (desk.root / STATE).exists()
    assert state(desk)["state"] == "none"
    assert "watched" not in desk.ok("status").out


def test_a_terminal_that_closes_ends_it(desk: Desk, watched: Watcher) -> None:
    assert watched.end(signal.SIGHUP) == 128 + signal.SIGHUP
    assert watched.errors() == ""
    assert state(desk)["state"] == "none"


def test_a_reader_that_goes_away_ends_it(desk: Desk) -> None:
    process = subprocess.Popen(COMMAND, cwd=desk.root, stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()

    def ended() -> bool:
        desk.put("confirmed/a.md", f"{NEW}{time.monotonic()}\n")
        return process.poll() is not None

    until(ended)
    assert process.returncode == 0
    assert state(desk)["state"] == "none"


def test_stopped(desk: Desk, watched: Watcher) -> None:
    watched.send(signal.SIGSTOP)
    for number in range(5):
        desk.put(f"confirmed/n{number}.md", NEW)
    (desk.root / "authority/projects/garden.md").unlink()
    assert len(ids(desk.root, "cardamom")) == 5
    found = state(desk)
    assert (found["state"], found["files"]) == ("behind", 6)
    assert said(desk).endswith(": behind by 6 files")
    found = state(desk, later=60)
    assert (found["state"], found["files"]) == ("deaf", 6)
    assert found["silent"] >= 55
    since = len(watched.lines)
    watched.send(signal.SIGCONT)
    watched.saw("authority/projects/garden.md", "removed", since)
    until(lambda: state(desk)["state"] == "current")
    assert agrees(desk.root)


def test_stopped_with_nothing_to_see_is_deaf_too(desk: Desk, watched: Watcher) -> None:
    watched.send(signal.SIGSTOP)
    assert state(desk)["state"] == "current"
    assert state(desk, later=60)["state"] == "deaf"


@pytest.mark.parametrize("change", ["new", "removed", "moved in", "settings"])
def test_a_change_that_is_not_seen_for_long_is_not_heard(
    desk: Desk, watched: Watcher, change: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As if it gave signs all the time."""
    monkeypatch.setattr("doll.services.watching.standing._SILENT", 1e9)
    old = tmp_path / "old" / "deep"
    old.mkdir(parents=True)
    for number in range(765):
        (old / f"n{number}.md").write_text(NEW)
    watched.send(signal.SIGSTOP)
    match change:
        case "new":
            desk.put("confirmed/a.md", NEW)
        case "removed":
            (desk.root / "authority/projects/garden.md").unlink()
        case "moved in":
            old.parent.rename(desk.root / "confirmed")
        case "settings":
            desk.put("doll.yaml", desk.read("doll.yaml") + "# a comment\n")
    found = state(desk)
    assert (found["state"], found["files"]) == ("behind", 765 if change == "moved in" else 1)
    assert state(desk, later=60)["state"] == "deaf"


def test_killed(desk: Desk, watched: Watcher) -> None:
    assert watched.end(signal.SIGKILL) == -signal.SIGKILL
    assert state(desk)["state"] == "dead"
    assert said(desk).endswith(": dead, it ended without a word: doll watch")
    desk.put("confirmed/a.md", NEW)
    assert ids(desk.root, "cardamom") == ["a"]
    assert said(desk).endswith(": dead, it ended without a word, 1 file not seen: doll watch")
    with watching(desk.root) as other:
        assert other.first()["files"] == 3
        assert state(desk)["state"] == "current"


def test_a_process_that_got_the_number_of_a_dead_one_is_no_watcher(
    desk: Desk, watched: Watcher
) -> None:
    watched.end(signal.SIGKILL)
    other = subprocess.Popen(["sleep", "600"])
    try:
        text = (desk.root / STATE).read_text()
        changed = text.replace(f'"process": {watched.process.pid}', f'"process": {other.pid}')
        assert changed != text
        (desk.root / STATE).write_text(changed)
        assert state(desk)["state"] == "dead"
    finally:
        other.kill()
        other.wait()


def test_one_watcher_is_enough(desk: Desk, watched: Watcher) -> None:
    err = desk.refused(6, "watch")
    assert f"another doll watches this vault (process {watched.process.pid})" in err
    assert state(desk)["state"] == "current"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"process": "x"}', "\0" * 100])
def test_a_heartbeat_that_is_none(desk: Desk, watched: Watcher, text: str) -> None:
    watched.send(signal.SIGSTOP)
    (desk.root / STATE).write_text(text)
    found = state(desk)
    assert (found["state"], found["files"]) == ("behind", None)
    unread = f"what it says of itself cannot be read: {desk.root / STATE}"
    assert found["fault"] == unread
    line = desk.ok("status").out.splitlines()[-1]
    assert line.startswith("watched (")
    assert line.endswith(f"): {unread}")
    problems = desk.doll("doctor", "--json").json["problems"]
    assert [unread in p["message"] for p in problems if p["code"] == "state.watch"] == [True]
    (desk.root / STATE).unlink()
    line = desk.ok("status").out.splitlines()[-1]
    assert line == "watched (it has just begun): behind by some files, it looks now"
    watched.end(signal.SIGKILL)
    assert state(desk)["state"] == "none"


def test_what_is_wrong_is_told_once_and_so_is_its_end(desk: Desk, watched: Watcher) -> None:
    desk.put("confirmed/a.md", "---\ntitle: a: b\n---\n")
    look = watched.saw("confirmed/a.md", "new")
    assert [each["code"] for each in look["new"]] == ["yaml.syntax"]
    assert (look["errors"], look["searchable"]) == (1, 0)
    desk.put("confirmed/b.md", NEW)
    look = watched.saw("confirmed/b.md", "new")
    assert (look["new"], look["settled"], look["errors"]) == ([], [], 1)
    desk.put("confirmed/a.md", NEW)
    look = watched.saw("confirmed/a.md", "changed")
    assert [each["code"] for each in look["settled"]] == ["yaml.syntax"]
    assert (look["new"], look["errors"], look["searchable"]) == ([], 0, 2)


def test_it_says_what_validate_says(desk: Desk, watched: Watcher) -> None:
    desk.put("confirmed/a.md", memory("A", "see [[gone]]", supersedes="[gone]"))
    watched.saw("confirmed/a.md", "new")
    desk.put("doll.yaml", desk.read("doll.yaml") + "colour: red\n")
    watched.saw("doll.yaml", "changed")
    problems: set[str] = set()
    for line in watched.lines:
        told = {each["message"]: each for each in (*line.get("new", ()), *line.get("settled", ()))}
        problems ^= set(told)
    expected = desk.doll("validate", "--json").json["problems"]
    assert len(expected) >= 2
    assert problems == {each["message"] for each in expected}


def test_a_vault_that_goes_and_comes(desk: Desk, watched: Watcher, tmp_path: Path) -> None:
    away = tmp_path / "away"
    desk.root.rename(away)
    fault = watched.wait(lambda line: line["event"] == "fault")
    assert fault["exit"] == 3
    assert not desk.root.exists()
    away.rename(desk.root)
    desk.put("confirmed/a.md", NEW)
    assert ids(desk.root, "cardamom") == ["a"]
    watched.saw("confirmed/a.md", "new")
    desk.put("confirmed/a.md", NEW + "more\n")
    watched.saw("confirmed/a.md", "changed")
    until(lambda: state(desk)["state"] == "current")


def test_most_records_gone(desk: Desk, watched: Watcher) -> None:
    for number in range(30):
        desk.put(f"confirmed/n{number}.md", NEW)
    desk.git("add", "-A")
    desk.git("commit", "-qm", "many")
    watched.wait(lambda line: line.get("files") == 32)
    until(lambda: state(desk)["state"] == "current")
    for number in range(25):
        (desk.root / f"confirmed/n{number}.md").unlink()
    fault = watched.wait(lambda line: line["event"] == "fault")
    assert "25 of the 32 records" in fault["message"]
    assert "doll watch --allow-mass-delete" in fault["hint"]
    found = state(desk)
    assert (found["state"], found["files"]) == ("behind", 25)
    assert "25 of the 32 records" in found["fault"]
    assert watched.end() == 0
    assert "doll watch --allow-mass-delete" in desk.refused(5, "watch")
    with watching(desk.root, "--allow-mass-delete") as other:
        assert other.first()["files"] == 7
    desk.type(fault["hint"].splitlines()[0].partition("    ")[0])
    with watching(desk.root) as other:
        assert other.first()["files"] == 32


@pytest.mark.parametrize(("spoil", "code"), [("doll.yaml", 3), (".git/HEAD", 7)])
def test_a_vault_that_cannot_be_looked_at_is_refused(desk: Desk, spoil: str, code: int) -> None:
    (desk.root / spoil).unlink()
    assert desk.doll("watch").code == code
    assert not (desk.root / STATE).exists()
