"""The lock files of git: which are there, and how old. Removes none: one can be held.

A git that was killed leaves its lock, and every later one then refuses. Starts no process.
Source: git, lockfile.h; gitrepository-layout(5).
"""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from doll.vcs.plumbing.repository import Repository

_ENDING = ".lock"


class Lock(NamedTuple):
    """A lock file of git and its age in seconds, 0 where its time lies in the future."""

    place: Path
    age: float


def locks(repository: Repository) -> tuple[Lock, ...]:
    """Return the locks in a repository's folders, sorted by path.

    What cannot be looked at is passed over; git itself will say so.
    """
    found: dict[Path, float] = {}
    now = time.time()
    for folder in {repository.git_dir, repository.common_dir}:
        for place in (*_in(folder), *_below(folder / "refs")):
            with suppress(OSError):
                found[place] = max(0.0, now - place.lstat().st_mtime)
    return tuple(Lock(place, age) for place, age in sorted(found.items()))


def age_in_words(seconds: float) -> str:
    """Return `3 days`, `1 hour`, `12 s`."""
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= length:
            number = int(seconds // length)
            return f"{number} {unit}{'' if number == 1 else 's'}"
    return f"{max(0, int(seconds))} s"


def _in(folder: Path) -> list[Path]:
    with suppress(OSError), os.scandir(folder) as items:
        return [Path(item.path) for item in items if item.name.endswith(_ENDING)]
    return []


def _below(folder: Path) -> Iterator[Path]:
    for place, _, names in os.walk(folder):
        yield from (Path(place) / name for name in names if name.endswith(_ENDING))
