"""`doll log`: a new entry of experience."""

from pathlib import Path
from typing import Any, get_args

import click

from doll.cli import completing
from doll.cli.choices import OneOf
from doll.cli.options import (
    Decorator,
    by_option,
    commit_option,
    json_option,
    open_vault,
    vault_option,
)
from doll.cli.recording import (
    body_option,
    manner,
    not_a_secret_option,
    project_here,
    read_body,
    tell,
)
from doll.records.fields import fields_of
from doll.records.model import ExperienceKind, Sensitivity

EPILOG = """\b
Example:
  doll log attempt "Online migration of orders locked the table" --project atlas \\
      --outcome failed --action db.migrate --path 'migrations/**' --evidence commit:1f2e3d4
"""


def statement_options(function: Any) -> Any:
    """Add the options that say what an entry says; `log` and `correct` share them."""
    outcomes = OneOf(fields_of("experience")["outcome"].choices)
    options: list[Decorator] = [
        click.option(
            "--work-item",
            metavar="ID",
            shell_complete=completing.work_item,
            help="The work item it was for.",
        ),
        click.option("--outcome", type=outcomes, help="How it went; preflight warns of failed."),
        click.option(
            "--action", "actions", metavar="NAME", help="What was done: db.migrate.", multiple=True
        ),
        click.option(
            "--path",
            "paths",
            metavar="GLOB",
            help="Files concerned: 'migrations/**'.",
            multiple=True,
        ),
        *_links(),
        click.option("--tag", "tags", metavar="WORD", help="A word to find it by.", multiple=True),
        click.option(
            "--sensitivity",
            type=OneOf(get_args(Sensitivity)),
            help="Who may see it; an entry about a secret is shown by its id only.",
        ),
        click.option("--at", metavar="TIME", help="When it happened, RFC 3339."),
        body_option,
        by_option,
        not_a_secret_option,
        commit_option,
        vault_option,
        json_option,
    ]
    for option in reversed(options):
        function = option(function)
    return function


def _links() -> list[Decorator]:
    """Return the options that lead to what shows an entry, and to other records."""
    return [
        click.option(
            "--evidence",
            metavar="TEXT",
            help="What shows it: commit:…, file:…, a URL.",
            multiple=True,
        ),
        click.option(
            "--source",
            "sources",
            metavar="ID",
            help="A record it rests on.",
            multiple=True,
            shell_complete=completing.any_id,
        ),
        click.option(
            "--resolves",
            metavar="ID",
            shell_complete=completing.entry,
            help="A failure that it resolves.",
            multiple=True,
        ),
        click.option(
            "--supersedes",
            metavar="ID",
            shell_complete=completing.entry,
            help="An entry that it corrects.",
            multiple=True,
        ),
    ]


@click.command(epilog=EPILOG)
@click.argument("kind", metavar="KIND", type=OneOf(get_args(ExperienceKind)))
@click.argument("summary")
@click.option(
    "--project",
    metavar="ID",
    shell_complete=completing.project,
    help="Its project; else git config doll.project.",
)
@statement_options
def command(
    kind: str,
    summary: str,
    body: str | None,
    by: str | None,
    not_a_secret: tuple[str, ...],
    commit: bool,
    vault: Path | None,
    as_json: bool,
    **said: Any,
) -> None:
    """Record what was tried and what happened, as a new file that nothing changes later.

    KIND is observation, hypothesis, attempt, outcome, resolution or lesson; SUMMARY is one line.
    Options that take several values are repeated; without --at it happened now. It changes no
    work item and no authority.
    """
    from doll.services.recording.experience import log
    from doll.services.recording.statements import Statement

    how = manner(by, not_a_secret, commit=commit)
    statement = Statement(summary, kind, body=read_body(body), **said)
    opened = open_vault(vault)
    tell(opened, log(opened, statement, how, project_here(statement.project)), as_json=as_json)
