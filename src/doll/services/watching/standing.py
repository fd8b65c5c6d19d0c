"""Whether a watcher lives and has seen what is on disk: its heartbeat against the disk itself."""

import os
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from pathlib import Path, PurePath
from typing import Literal, NamedTuple

from doll.reconcile.watching import POLLING
from doll.services.opening import Vault
from doll.vault import heartbeat
from doll.vault.obstacles import in_the_way

State = Literal["none", "current", "behind", "deaf", "dead", "unknown"]

# Three heartbeats missed: the process is stopped, or the machine was.
_SILENT = 3 * heartbeat.EVERY
# A change is looked at when it has been quiet; a look at very many files takes its time.
_SLOW = 30.0
_LONG = 1800.0


class Standing(NamedTuple):
    """What is known of the watcher.

    `none`: nobody watches, and nobody said so. `current`: it saw what is on disk. `behind`: not
    yet, by `files` (None: not known how many), and `looking` is whether it is at it. `deaf`: it
    lives and does not see: it is stopped, hears nothing, or watches another folder. `dead`: it
    ended without a word. `unknown`: this user may not ask. `mode` is how it hears, "" where it has
    not said so. `silent` is how many seconds ago it last gave a sign, `fault` why it cannot look,
    or not be asked, "" for none, and `elsewhere` the folder that it watches where this vault was
    moved away from it, else "". `again` is the line that starts one like it.
    """

    state: State
    process: int = 0
    mode: str = ""
    files: int | None = 0
    looking: bool = False
    silent: int = 0
    fault: str = ""
    elsewhere: str = ""
    again: str = heartbeat.line()

    @property
    def anew(self) -> str:
        """The line that ends it and starts another; a stopped process is only ended by force."""
        hears = self.elsewhere and not self.is_silent
        return f"kill {'' if hears else '-KILL '}{self.process} && {self.again}"

    @property
    def is_silent(self) -> bool:
        """Whether it gave no sign for so long that it may be stopped."""
        return self.silent > _SILENT


def standing(vault: Vault, now: datetime) -> Standing:
    """Compare what the watcher of a vault says with the disk. Writes nothing."""
    beat = heartbeat.read(vault.state)
    alive = heartbeat.is_watched(vault.state)
    if beat is None and alive is not False:
        return _unsaid(vault) if alive else Standing("unknown", files=None, fault=_closed(vault))
    if beat is None or (alive is False and _went_over(vault, beat)):
        return Standing("none")
    silent = max(0.0, now.timestamp() - beat.beat_ns / 1e9)
    paths = _behind(vault, beat)
    found = Standing(
        "current",
        beat.process,
        beat.mode,
        None if paths is None else len(paths),
        beat.looking,
        int(silent),
        beat.fault,
        _elsewhere(vault.root, beat.root),
        heartbeat.line(poll=beat.poll, sync=beat.sync),
    )
    if alive is False:
        return found._replace(state="dead")
    if alive is None and silent > _SILENT:
        return found._replace(state="unknown", fault=_closed(vault))
    if found.elsewhere or silent > _SILENT or _is_late(vault.root, beat, paths or (), now):
        return found._replace(state="deaf")
    return found._replace(state="current" if paths == [] and not beat.fault else "behind")


def _unsaid(vault: Vault) -> Standing:
    """Return what is known of a watcher that lives and of which no heartbeat can be read."""
    place = heartbeat.place(vault.state)
    if not os.path.lexists(place):
        return Standing("behind", files=None, looking=True)
    said = f"what it says of itself cannot be read: {place}"
    return Standing("behind", heartbeat.holder(vault.state).process, files=None, fault=said)


def _closed(vault: Vault) -> str:
    """Return why nobody can say whether a watcher lives."""
    place = in_the_way(heartbeat.locked(vault.state))
    return f"{place[0] if place else vault.state} cannot be opened"


def _went_over(vault: Vault, beat: heartbeat.Beat) -> bool:
    """Return whether the watcher of a heartbeat lives, in the folder that it names.

    It was moved or copied from there, and says nothing of who watches here.
    """
    if not _elsewhere(vault.root, beat.root):
        return False
    state = Path(os.path.normpath(Path(beat.root, os.path.relpath(vault.state, vault.root))))
    there = heartbeat.read(state)
    is_same = there is not None and there.process == beat.process
    return is_same and heartbeat.is_watched(state) is True


def _elsewhere(root: Path, watched: str) -> str:
    """Return the folder that is watched where it is not this one, else ""."""
    if not watched or watched == heartbeat.name(root):
        return ""
    with suppress(OSError):
        if os.path.samefile(watched, root):  # noqa: PTH121
            return ""
    return watched


def _behind(vault: Vault, beat: heartbeat.Beat) -> list[str] | None:
    """Return the files that are not as the watcher saw them, None where it is not known which."""
    disk = heartbeat.stamps(vault.root)
    if heartbeat.digest(disk) == beat.seen:
        return []
    seen = heartbeat.read_seen(vault.state, beat.seen)
    return None if seen is None else sorted(dict(disk.items() ^ seen.items()))


def _is_late(root: Path, beat: heartbeat.Beat, paths: Iterable[str], now: datetime) -> bool:
    """Return whether a change should have been seen by now."""
    if beat.fault:
        return False  # it says so itself
    patience = _LONG if beat.looking else _SLOW
    if beat.mode == POLLING:
        patience += beat.interval
    return any(now.timestamp() - _changed(root, path) > patience for path in paths)


def _changed(root: Path, path: str) -> float:
    """Return when a path was changed, at the latest: it may have come or gone with a folder."""
    places = [root / path, *(root / parent for parent in PurePath(path).parents)]
    times = []
    for place in places:
        with suppress(OSError):
            times.append(os.lstat(place).st_ctime)
    return max(times, default=0.0)
