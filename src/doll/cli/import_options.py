"""What every `doll import ADAPTER` takes, whatever it reads."""

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import click

from doll.cli.options import by_option, json_option, vault_option
from doll.records import times
from doll.services.importing.flow import Wish
from doll.services.recording.authorship import author

Function = Callable[..., Any]

_OPTIONS = (
    click.option(
        "--name", help="Name of the import; else the file's name and 8 digits of its digest."
    ),
    click.option(
        "--dry-run", is_flag=True, help="Report what would be written, and write nothing."
    ),
    click.option("--commit", is_flag=True, help="Commit just this import."),
    click.option("--again", is_flag=True, help="Bring back candidates that you dropped earlier."),
    click.option(
        "--not-a-secret",
        multiple=True,
        metavar="DETECTOR:POINTER",
        help="Declare one hit of the secret detectors a false alarm; it is recorded.",
    ),
    by_option,
    vault_option,
    json_option,
)
as_of_option = click.option(
    "--as-of",
    metavar="TIME",
    help="The moment to judge times at: one more than a day later is not believed. Else now.",
)


class Shared(NamedTuple):
    """The options as they were given."""

    name: str | None
    dry_run: bool
    commit: bool
    again: bool
    not_a_secret: tuple[str, ...]
    by: str | None
    vault: Path | None
    as_json: bool

    def wish(self) -> Wish:
        """Return what the user asked for; UsageError for an author that is none."""
        who = author(self.by, os.environ.get("DOLL_BY"))
        return Wish(
            name=self.name,
            dry_run=self.dry_run,
            commit=self.commit,
            again=self.again,
            not_a_secret=self.not_a_secret,
            author=who,
        )


def shared_options(function: Function) -> Function:
    """Give a command the options of `Shared`."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def moment(as_of: str | None) -> datetime:
    """Return the moment of an import; UsageError for a text that names none."""
    from doll.cli.clock import now

    return now() if as_of is None else times.parse_as_of(as_of)
