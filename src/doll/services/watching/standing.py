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

State = Literal["none", "current", "behind", "deaf", "dead"]

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
    ended without a word. `mode` is how it hears, "" where it has not said so. `silent` is how many
    seconds ago it last gave a sign, `fault` why it cannot look, or not be asked, "" for none, and
    `elsewhere` the folder that it watches where this vault was moved away from it, else "".
    """

    state: State
    process: int = 0
    mode: str = ""
    files: int | None = 0
    looking: bool = False
    silent: int = 0
    fault: str = ""
    elsewhere: str = ""


def standing(vault: Vault, now: datetime) -> Standing:
    """Compare what the watcher of a vault says with the disk. Writes nothing."""
    beat = heartbeat.read(vault.state)
    alive = heartbeat.is_watched(vault.state)
    if beat is None:
        return _unsaid(vault) if alive else Standing("none")
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
    )
    if alive is False:
        return found._replace(state="dead")
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
