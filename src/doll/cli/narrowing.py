"""The options that narrow a recall: which of the records that match are wanted."""

from typing import Any

import click

from doll.cli import completing
from doll.cli.choices import OneOf
from doll.cli.options import Decorator
from doll.records.fields import fields_of
from doll.records.model import RecordType

_TYPES: tuple[RecordType, ...] = ("memory", "experience")
_KINDS = dict.fromkeys(kind for each in _TYPES for kind in fields_of(each)["kind"].choices)


def _option(name: str, into: str, metavar: str, text: str, **given: Any) -> Decorator:
    return click.option(name, into, metavar=metavar, multiple=True, help=text, **given)


_OPTIONS: tuple[Decorator, ...] = (
    _option("--type", "types", "TYPE", "Of this type: memory, experience.", type=OneOf(_TYPES)),
    _option(
        "--project",
        "projects",
        "ID",
        "Experience of this project.",
        shell_complete=completing.project,
    ),
    _option("--tag", "tags", "WORD", "With this tag."),
    _option("--kind", "kinds", "KIND", f"Of this kind: {', '.join(_KINDS)}.", type=OneOf(_KINDS)),
    _option(
        "--outcome",
        "outcomes",
        "OUTCOME",
        "Experience with this outcome: worked, failed, partial, unknown.",
        type=OneOf(fields_of("experience")["outcome"].choices),
    ),
    click.option(
        "--since",
        metavar="DATE",
        help="Happened, or last changed, then or later: 2026, 2026-05, 2026-05-20, a time.",
    ),
    click.option("--until", metavar="DATE", help="Happened, or last changed, then or earlier."),
    click.option(
        "--include-staging",
        "staging",
        is_flag=True,
        help="Search candidates that wait for review, too; they are marked.",
    ),
    click.option(
        "--all",
        "everything",
        is_flag=True,
        help="Show what is not current, too: expired, superseded, archived; it is marked.",
    ),
)


def narrowing_options(function: Any) -> Any:
    """Add the options that are the fields of `doll.services.recalling.filtering.Filters`."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function
