"""Lists in a report: the first of many, each indented, and how many more there are."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from doll.errors import Problem
from doll.render.leading import led
from doll.render.text import visible

CAP = 20

_T = TypeVar("_T")


class Difference(Protocol):
    """A path that differs, and how."""

    @property
    def path(self) -> str:
        """Relative to the vault."""
        ...

    @property
    def what(self) -> str:
        """`new`, `changed` or `removed`."""
        ...


def first(
    found: Sequence[_T],
    lines: Callable[[Sequence[_T]], Iterable[str]],
    *,
    then: str = "",
    most: int = CAP,
) -> Iterator[str]:
    """Yield the lines of the first of many, and how many more there are; `then` tells all."""
    yield from (f"  {line}" for line in lines(found[:most]))
    if len(found) > most:
        yield led(f"  +{len(found) - most:,} more{then}")


def paths(found: Sequence[str]) -> Iterator[str]:
    """Yield the first of many paths."""
    return first(found, lambda some: map(visible, some))


def differences(found: Sequence[Difference]) -> Iterator[str]:
    """Yield the first of many paths with what became of each."""
    return first(found, lambda some: (f"{each.what:8}{visible(each.path)}" for each in some))


def problems(found: Sequence[Problem]) -> Iterator[str]:
    """Yield the first of many problems."""
    from doll.render.problems import problem_lines

    return first(found, problem_lines, then=": doll validate")
