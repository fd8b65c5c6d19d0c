"""`doll correct`: a new entry of experience that supersedes an older one."""

from pathlib import Path
from typing import Any, get_args

import click

from doll.cli import completing
from doll.cli.choices import OneOf
from doll.cli.log import statement_options
from doll.cli.options import named, open_vault
from doll.cli.recording import manner, read_body, tell
from doll.records.model import ExperienceKind
from doll.services.recording.experience import DROPPABLE

EPILOG = """\b
Example:
  doll correct k3v9q2xw7d "It was the report that held the lock, not the migration" \\
      --outcome worked --commit
"""


@click.command(epilog=EPILOG)
@click.argument("entry", metavar="ID", shell_complete=completing.entry)
@click.argument("summary")
@click.option("--kind", type=OneOf(get_args(ExperienceKind)), help="Default: as it was.")
@click.option(
    "--drop",
    type=OneOf(DROPPABLE),
    multiple=True,
    help="Do not take this field over; repeatable.",
)
@statement_options
def command(
    entry: str,
    summary: str,
    kind: str | None,
    drop: tuple[str, ...],
    body: str | None,
    by: str | None,
    not_a_secret: tuple[str, ...],
    commit: bool,
    vault: Path | None,
    as_json: bool,
    **said: Any,
) -> None:
    """Say what is right instead of the entry ID, as a new entry that supersedes it.

    The old file stays as it is. ID may be the whole id, its last ten characters, or its beginning.
    Project, kind, time, work item, outcome, actions, paths, evidence, resolves, tags and
    sensitivity are taken over unless they are given anew; summary, body and sources are not.
    """
    from doll.services.recording.experience import correct
    from doll.services.recording.statements import Statement

    how = manner(by, not_a_secret, commit=commit)
    statement = Statement(summary, kind, body=read_body(body), **said)
    opened = open_vault(vault)
    tell(opened, correct(opened, named(opened, entry), statement, drop, how), as_json=as_json)
