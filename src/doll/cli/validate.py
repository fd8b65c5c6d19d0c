"""`doll validate`: check every record, and the work tree and index against HEAD."""

from pathlib import Path

import click

from doll.cli.options import json_option, open_vault, vault_option, warn
from doll.errors import errors_in
from doll.render.document import to_json
from doll.render.problems import problem_lines, problem_values
from doll.render.text import count
from doll.services.checking.work_tree import validate, validate_staged

EPILOG = """\b
Examples:
  doll validate
  doll validate --staged    what the next commit would make of the vault
"""


@click.command(epilog=EPILOG)
@vault_option
@click.option("--staged", is_flag=True, help="Check just what is staged, as the hook does.")
@json_option
def command(vault: Path | None, staged: bool, as_json: bool) -> int:
    """Check every record, and the work tree and index against HEAD.

    Exit 1 when there is an error; warnings do not count.
    """
    opened = open_vault(vault)
    checked = validate_staged(opened) if staged else validate(opened)
    errors = errors_in(checked.problems)
    if as_json:
        payload = {
            "files": checked.files,
            "errors": len(errors),
            "problems": problem_values(checked.problems),
        }
        click.echo(to_json("doll.validate/1", payload))
        return 1 if errors else 0
    for line in problem_lines(checked.problems):
        click.echo(line)
    others = len(checked.problems) - len(errors)
    found = f"{count(len(errors), 'error')}, {count(others, 'warning')}"
    warn(f"{count(checked.files, 'record file')} checked: {found}")
    return 1 if errors else 0
