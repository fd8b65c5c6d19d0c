"""The text and the JSON value of `doll status`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from doll.errors import Problem
from doll.records.model import TYPES
from doll.render import listed
from doll.render.leading import led
from doll.render.listed import Difference
from doll.render.text import count, visible

_WORDS = {
    "memory": ("memory", "memories"),
    "experience": ("experience entry", "experience entries"),
    "work-item": ("work item", "work items"),
    "policy": ("policy", "policies"),
    "capability": ("capability", "capabilities"),
}


class Waiting(Protocol):
    """Something of git that waits; see `services.waiting`."""

    @property
    def what(self) -> str:
        """What it is."""
        ...

    @property
    def lines(self) -> str:
        """The lines that finish it and that drop it."""
        ...


def underway_lines(underway: Waiting | None) -> Iterator[str]:
    """Yield what git is in the middle of, and how to end it."""
    if underway is not None:
        yield f"{underway.what} waits:"
        yield from (f"  {line}" for line in led(underway.lines).splitlines())


def count_lines(counts: Mapping[str, int], waiting: int, rejected: int) -> Iterator[str]:
    """Yield what the vault holds."""
    held = [count(counts[name], *_WORDS.get(name, (name,))) for name in TYPES if counts.get(name)]
    yield "holds " + (", ".join(held) or "no records yet")
    if waiting or rejected:
        more = f" ({rejected:,} rejected)" if rejected else ""
        yield f"{count(waiting, 'candidate')} in staging to review{more}: {led('doll review')}"


def uncommitted_lines(uncommitted: Iterable[Difference]) -> Iterator[str]:
    """Yield what is not committed, authority first, since it has no effect until then."""
    authority = [d for d in uncommitted if d.path.startswith("authority/")]
    others = [d for d in uncommitted if not d.path.startswith("authority/")]
    if authority:
        yield f"not accepted until committed ({count(len(authority), 'change')} of authority):"
        yield from listed.differences(authority)
    if others:
        yield f"not committed ({len(others):,}):"
        yield from listed.differences(others)


def unaccepted_lines(unaccepted: Sequence[Difference], branch: str) -> Iterator[str]:
    """Yield the changes of authority and settings that are committed and do not count yet."""
    if unaccepted:
        what = count(len(unaccepted), "change")
        yield f"committed, and not accepted until on {visible(branch)} ({what} of authority):"
        yield from listed.differences(unaccepted)


def unsigned_lines(unsigned: Sequence[Difference], problems: Sequence[Problem]) -> Iterator[str]:
    """Yield what is committed and does not count, since it is not signed, and what is not sure."""
    if unsigned:
        yield f"not signed as the vault asks ({len(unsigned):,}):"
        yield from listed.first(
            unsigned,
            lambda some: (f"{visible(each.path)}: {visible(each.what)}" for each in some),
            then=": doll validate",
        )
    for problem in problems[: listed.CAP]:
        yield f"it is not sure what counts: {visible(problem.message)}"


def leftover_lines(leftovers: Sequence[str]) -> Iterator[str]:
    """Yield the temporary files and folders that a killed doll left."""
    if leftovers:
        yield f"left by a doll that was killed ({len(leftovers):,}); removed at the next writing:"
        yield from listed.paths(leftovers)


def absent_lines(absent: Sequence[str]) -> Iterator[str]:
    """Yield the records of HEAD that are not in the work tree, as git was told."""
    if absent:
        yield f"not checked out ({len(absent):,}), so not counted, listed or recalled:"
        yield from listed.paths(absent)
