"""One value of a fixed set, or of a range, with more said of what is none than click says."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    _Choice = click.Choice[str]
else:
    _Choice = click.Choice  # not generic in every click that doll runs with

_LONGEST = 60


class Count(click.IntRange):
    """A range of whole numbers, called what it is where a text is none."""

    name = "number"


class OneOf(_Choice):
    """A choice among texts."""

    def __init__(self, choices: Iterable[str]) -> None:
        super().__init__(tuple(choices))

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the value; click.BadParameter with all choices and the nearest one."""
        if value not in self.choices:
            from doll.records.checks import did_you_mean

            near = did_you_mean(str(value), tuple(self.choices))
            meant = f"; did you mean {near}?" if near else ""
            said = f"{str(value)[:_LONGEST]!r} is none of {', '.join(self.choices)}{meant}"
            self.fail(said, param, ctx)
        return str(value)
