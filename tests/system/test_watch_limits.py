"""`doll watch` where not all can be heard: limits of inotify, floods, silent file systems."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from doll.reconcile import watching as hearing
from doll.reconcile.shelf import Notice
from doll.services.watching import flow
from doll.services.watching.looking import Look
from tests.desk import Desk
from tests.recall_vault import agrees, ids, memory
from tests.watch_inside import Inside
from tests.watcher import need_namespaces, until, watching

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(6)

NEW = memory("Espresso", "with cardamom")
WATCHES = "echo {} >/proc/sys/user/max_inotify_watches"
INSTANCES = "echo 0 >/proc/sys/user/max_inotify_instances"


def watcher_of(desk: Desk) -> Any:
    return desk.ok("status", "--json").json["watcher"]


@pytest.mark.parametrize("limit", [INSTANCES, WATCHES.format(0), WATCHES.format(3)])
def test_no_room_to_listen(desk: Desk, limit: str) -> None:
    """With room for three the top and two areas can be heard, and no folder of a project."""
    need_namespaces()
    desk.put("confirmed/deep/er/a.md", memory("Espresso", "no sugar"))
    with watching(desk.root, limits=[limit]) as watcher:
        said = watcher.notice("the limit of inotify is reached")
        assert "looked at every 2 seconds instead" in said["message"]
        assert "max_user_watches" in said["hint"]
        desk.put("confirmed/deep/er/a.md", NEW)
        assert ids(desk.root, "cardamom") == ["a"]
        watcher.saw("confirmed/deep/er/a.md", "changed")
        until(lambda: watcher_of(desk)["state"] == "current")
        assert watcher_of(desk)["mode"] == "polling"
        assert agrees(desk.root)
        assert watcher.end(signal.SIGINT) == 0
        assert watcher.errors() == "doll: ended\n"


def test_room_that_runs_out(desk: Desk) -> None:
    need_namespaces()
    with watching(desk.root, limits=[WATCHES.format(12)]) as watcher:
        assert watcher_of(desk)["mode"] != "polling"
        for number in range(20):
            desk.put(f"confirmed/topic{number}/a{number}.md", NEW)
        watcher.notice("the limit of inotify is reached")
        watcher.saw("confirmed/topic19/a19.md", "new")
        since = len(watcher.lines)
        for number in range(20):
            desk.put(f"confirmed/topic{number}/a{number}.md", NEW + "more\n")
        assert len(ids(desk.root, "cardamom")) == 20
        watcher.saw("confirmed/topic19/a19.md", "changed", since)
        until(lambda: watcher_of(desk)["state"] == "current")


def test_asked_to_poll(desk: Desk) -> None:
    with watching(desk.root, "--poll") as watcher:
        assert watcher.lines[0]["mode"] == "polling"
        desk.put("confirmed/a.md", NEW)
        assert ids(desk.root, "cardamom") == ["a"]
        watcher.saw("confirmed/a.md", "new")
        assert [line for line in watcher.lines if line["event"] == "notice"] == []


@pytest.mark.parametrize(
    "touches", [2_000, pytest.param(20_000, marks=pytest.mark.soak)], ids=["2k", "20k"]
)
def test_a_flood_of_touches(desk: Desk, touches: int) -> None:
    """More events than the kernel keeps while the watcher is stopped; and many while it runs."""
    places = [desk.root / "confirmed" / f"n{number:03}.md" for number in range(200)]
    for place in places:
        desk.put(f"confirmed/{place.name}", memory("Espresso", "no sugar"))
    with watching(desk.root) as watcher:
        _touch(places, touches)
        _is_seen(desk, lambda: watcher.saw("confirmed/n199.md", "changed"))
        since = len(watcher.lines)
        watcher.send(signal.SIGSTOP)
        _touch(places, touches)
        places[0].write_text(NEW)
        desk.put("confirmed/late/last.md", NEW)
        assert sorted(ids(desk.root, "cardamom")) == ["last", "n000"]
        watcher.send(signal.SIGCONT)
        _is_seen(desk, lambda: watcher.saw("confirmed/late/last.md", "new", since))
        # What is saved after the flood is heard, also where the flood swallowed the new folder.
        since = len(watcher.lines)
        desk.put("confirmed/late/last.md", NEW + "more\n")
        watcher.saw("confirmed/late/last.md", "changed", since)
        assert [line for line in watcher.lines if line["event"] in ("notice", "fault")] == []
        assert watcher.end() == 0
        assert watcher.errors() == "doll: ended\n"


def _touch(places: list[Path], number: int) -> None:
    for turn in range(number):
        os.utime(places[turn % len(places)])


def _is_seen(desk: Desk, look: Callable[[], object]) -> None:
    look()
    until(lambda: watcher_of(desk)["state"] == "current")
    assert agrees(desk.root)


def test_a_change_that_is_not_heard_is_seen(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a network drive, where another machine writes."""

    def deaf(root: Path, hint: Callable[[], None]) -> hearing.Ear:
        return hearing.Ear(root, lambda: None)

    monkeypatch.setattr(flow, "Ear", deaf)
    monkeypatch.setattr(flow, "LISTENING", 0.3)
    monkeypatch.setattr(flow, "_LATE", 0.3)
    inside = Inside(desk.root)
    paths = ["confirmed/a.md", "confirmed/b.md", "confirmed/c.md"]
    try:
        until(lambda: any(isinstance(event, Look) for event in inside.told))
        for path in paths:
            desk.put(path, NEW)
            until(lambda path=path: path in _seen(inside))  # type: ignore[misc]
        said = [event.message for event in inside.told if isinstance(event, Notice)]
        why = "changes are not heard here, as on a network drive"
        assert said == [f"{why}, so the disk is looked at every 2 seconds instead"]
    finally:
        inside.end(lambda: desk.put("confirmed/d.md", NEW))


def test_a_commit_makes_no_sound_and_needs_none(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flow, "LISTENING", 0.3)
    desk.put("experience/atlas/x.md", "---\nnothing\n---\n")
    inside = Inside(desk.root)
    try:
        until(lambda: any(isinstance(event, Look) for event in inside.told))
        for turn in range(3):
            before = desk.git("rev-parse", "HEAD")
            desk.git("commit", "-q", "--allow-empty", "-m", f"turn {turn}")
            assert desk.git("rev-parse", "HEAD") != before
            desk.put(f"confirmed/n{turn}.md", NEW)
            until(lambda turn=turn: f"confirmed/n{turn}.md" in _seen(inside))  # type: ignore[misc]
        assert not any(isinstance(event, Notice) for event in inside.told)
    finally:
        inside.end(lambda: desk.put("confirmed/d.md", NEW))


def _seen(inside: Inside) -> set[str]:
    looks = [event for event in inside.told if isinstance(event, Look)]
    return {change.path for look in looks for change in look.changes}
