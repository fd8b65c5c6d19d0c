"""`doll new`: a new record from the template of its type."""

from pathlib import Path

import click

from doll.cli import completing
from doll.cli.choices import OneOf
from doll.cli.options import by_option, commit_option, json_option, open_vault, vault_option
from doll.cli.recording import (
    body_option,
    manner,
    not_a_secret_option,
    project_here,
    read_body,
    tell,
)
from doll.records.model import TYPES, RecordType

EPILOG = """\b
Examples:
  doll new project atlas --title "Atlas"
  doll new memory espresso --title "Espresso, no sugar" --set tags=coffee --set tags=taste
  doll new policy no-online-migrations --title "No online migrations" \\
      --set effect=deny --set projects=atlas --set actions=db.migrate.online
"""


@click.command(epilog=EPILOG)
@click.argument("record_type", metavar="TYPE", type=OneOf(TYPES))
@click.argument("record_id", metavar="[ID]", required=False)
@click.option("--title", help="One line; without an ID, the id is made from it.")
@click.option(
    "--project",
    metavar="ID",
    shell_complete=completing.project,
    help="The project that it belongs to, or holds for; a work item, decision or procedure "
    "takes git config doll.project without it.",
)
@click.option(
    "--set",
    "settings",
    metavar="FIELD=VALUE",
    multiple=True,
    help="Set a field. For a list, repeat it: each gives one entry, and commas split nothing. "
    "An empty VALUE leaves the field out.",
)
@body_option
@by_option
@not_a_secret_option
@commit_option
@vault_option
@json_option
def command(
    record_type: RecordType,
    record_id: str | None,
    title: str | None,
    project: str | None,
    settings: tuple[str, ...],
    body: str | None,
    by: str | None,
    not_a_secret: tuple[str, ...],
    commit: bool,
    vault: Path | None,
    as_json: bool,
) -> None:
    """Write a new record of TYPE from its template.

    ID is the name of the file without `.md`; left out, it is made from the title. The file can be
    edited in any editor afterwards; without --title, --set and --body it is the whole template,
    with its explanations. `doll schema TYPE` lists the fields. With --by or DOLL_BY a
    memory becomes a proposal in staging/proposals/, and nothing else can be written.
    """
    from doll.services.recording.creating import Order, new

    how = manner(by, not_a_secret, commit=commit)
    here = project_here(project)
    order = Order(record_type, record_id, title, project, settings, read_body(body), here)
    opened = open_vault(vault)
    tell(opened, new(opened, order, how), as_json=as_json)
