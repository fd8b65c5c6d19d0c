"""`doll preflight`: check an action against accepted authority and history."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from doll.cli.clock import now
from doll.cli.options import json_option, open_vault, vault_option
from doll.records import times

if TYPE_CHECKING:
    from doll.preflight import Request
    from doll.services.opening import Vault

EXIT = {"blocked": 1, "confirmation_required": 1, "not_checked": 3, "warning": 0, "clear": 0}

EPILOG = """\b
Examples:
  doll preflight --project atlas --action db.migrate
  doll preflight --staged
  doll preflight --project atlas --path migrations/0042.sql --json
"""


@click.command(epilog=EPILOG)
@vault_option
@click.option("--project", help="The project; else git config doll.project.")
@click.option("--action", "actions", multiple=True, help="A dotted name, such as db.migrate.")
@click.option("--work-item", help="The work item that it is for.")
@click.option("--path", "paths", multiple=True, help="A path that would change, from the top.")
@click.option("--staged", is_flag=True, help="The paths that are staged in this repository.")
@click.option("--as-of", metavar="TIME", help="The moment to judge at; else the next full minute.")
@click.option("--draft", is_flag=True, help="Judge by the work tree, committed or not.")
@json_option
def command(
    vault: Path | None,
    project: str | None,
    actions: tuple[str, ...],
    work_item: str | None,
    paths: tuple[str, ...],
    staged: bool,
    as_of: str | None,
    draft: bool,
    as_json: bool,
) -> int:
    """Check an action against accepted authority and what was tried before.

    Exit 0 clear or warning, 1 blocked or confirmation required, 3 not checked. Whatever it says,
    it grants nothing.
    """
    from doll.services.gating import check

    moment = times.parse_as_of(as_of) if as_of else None
    opened = open_vault(vault)
    request = _request(opened, project, actions, work_item, paths, staged=staged)
    report = check(opened, request, now(), as_of=moment, draft=draft)
    if as_json:
        from doll.preflight import SCHEMA, report_payload
        from doll.render.document import to_json

        click.echo(to_json(SCHEMA, report_payload(report)))
    else:
        from doll.render.preflight_text import full_lines

        for line in full_lines(report):
            click.echo(line)
    return EXIT[report.status]


def _request(
    vault: "Vault",
    project: str | None,
    actions: tuple[str, ...],
    work_item: str | None,
    paths: tuple[str, ...],
    *,
    staged: bool,
) -> "Request":
    from doll.preflight import Request
    from doll.services.requesting import configured_project, staged_paths

    if staged:
        paths = (*paths, *staged_paths(Path.cwd(), vault))
    return Request(
        project=project or configured_project(Path.cwd()),
        actions=actions or None,
        paths=paths if paths or staged else None,
        work_item=work_item,
    )
