"""`doll context`: what an assistant should know for a task, within a budget of tokens."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from doll.cli import completing
from doll.cli.choices import Count, OneOf
from doll.cli.clock import now
from doll.cli.notices import say
from doll.cli.options import json_option, opened_at, place, say_missing, vault_option, warn
from doll.cli.progress import indexing
from doll.records import times
from doll.records.model import Sensitivity
from doll.services.packing.asked import (
    DEFAULT_BUDGET,
    DEFAULT_SENSITIVITY,
    LABELS,
    MAX_BUDGET,
    MIN_BUDGET,
    Asked,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doll.errors import Problem
    from doll.services.opening import Vault

EPILOG = """\b
Examples:
  doll context "move the orders table to bigint" --project atlas
  doll context "sensor firmware" --budget 800 --sensitivity internal
  doll context "add an index" --path migrations/0042.sql --json
"""


@click.command(epilog=EPILOG)
@click.argument("task", nargs=-1, required=True)
@vault_option
@click.option(
    "--budget",
    type=Count(MIN_BUDGET, MAX_BUDGET),
    default=DEFAULT_BUDGET,
    show_default=True,
    metavar="TOKENS",
    help="The most tokens that the pack may take, by an estimate that errs upward.",
)
@click.option(
    "--project",
    metavar="ID",
    shell_complete=completing.project,
    help="The project; else git config doll.project.",
)
@click.option(
    "--action",
    "actions",
    metavar="NAME",
    multiple=True,
    help="A dotted name of what is to be done, such as db.migrate; repeatable.",
)
@click.option(
    "--path",
    "paths",
    metavar="PATH",
    multiple=True,
    help="A file that would change, from the top of the work tree; repeatable.",
)
@click.option(
    "--sensitivity",
    type=OneOf(LABELS),
    default=DEFAULT_SENSITIVITY,
    show_default=True,
    help="The highest label that is shown; records without one are personal.",
)
@click.option("--as-of", metavar="TIME", help="The moment to judge at; else the next full minute.")
@json_option
def command(
    task: tuple[str, ...],
    vault: Path | None,
    budget: int,
    project: str | None,
    actions: tuple[str, ...],
    paths: tuple[str, ...],
    sensitivity: Sensitivity,
    as_of: str | None,
    as_json: bool,
) -> None:
    """Print what an assistant should know for TASK, to be pasted or read by an agent.

    Confirmed memory, open work, decisions and what failed before, as accepted in the vault, quoted
    as data with its source. Candidates and what is not committed are never in it, nor are records
    about a secret. It grants nothing.
    """
    from doll.services.packing.packing import pack

    moment = times.next_full_minute(now()) if as_of is None else times.parse_as_of(as_of)
    asked = Asked(
        task=" ".join(task),
        project=project,
        actions=actions or None,
        paths=paths or None,
        sensitivity=sensitivity,
        budget=budget,
    )
    opened, asked = _placed(vault, asked)
    with indexing() as progress:
        made, problems, notices = pack(opened, asked, moment, progress)
    say(notices)
    _warn(problems)
    if as_json:
        from doll.render.context_document import SCHEMA, pack_values
        from doll.render.document import to_json

        click.echo(to_json(SCHEMA, pack_values(made)))
    else:
        click.echo(made.text)


def _placed(vault: Path | None, asked: Asked) -> "tuple[Vault, Asked]":
    """Return the vault, and the task with what the repository one is in says about it."""
    from doll.services.opening import open_vault
    from doll.services.requesting import configured_project, from_the_top
    from doll.vcs import plumbing

    here = plumbing.find(Path.cwd(), own=True)
    opened = opened_at(place(vault)._replace(here=here), open_vault)
    say_missing(opened)
    if asked.paths:
        paths = tuple(from_the_top(here, Path.cwd(), path) for path in asked.paths)
        asked = asked._replace(paths=paths)
    if asked.project is None:
        asked = asked._replace(project=configured_project(here), typed=False)
    return opened, asked


def _warn(problems: "Sequence[Problem]") -> None:
    """Say on stderr what could not be read or looked at: the pack may lack something."""
    if problems:
        from doll.render.problems import problem_lines
        from doll.render.text import count

        warn(f"{count(len(problems), 'problem')}; the pack may lack something:")
        warn(*problem_lines(problems))
