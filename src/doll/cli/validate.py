"""`doll validate`: check every record, and the work tree and index against HEAD."""

from pathlib import Path

import click

from doll.cli import clock
from doll.cli.options import json_option, opened_at, place, say_missing, vault_option, warn
from doll.errors import ConfigurationError, errors_in
from doll.render.document import to_json
from doll.render.problems import problem_lines, problem_values
from doll.render.text import count
from doll.services.checking.work_tree import validate, validate_staged
from doll.services.opening import open_accepted, require_records

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

    Exit 1 when there is an error; warnings do not count. Exit 3 when doll.yaml is one that cannot
    be read: the other problems are listed all the same.
    """
    opened = opened_at(place(vault), open_accepted)
    require_records(opened, unless_staged=staged)
    say_missing(opened)
    checked = validate_staged(opened) if staged else validate(opened, clock.now())
    errors = errors_in(checked.problems)
    code = (1 if errors else 0) if checked.configured else ConfigurationError.exit_code
    if as_json:
        payload = {
            "files": checked.files,
            "errors": len(errors),
            "problems": problem_values(checked.problems),
        }
        click.echo(to_json("doll.validate/1", payload))
        return code
    for line in problem_lines(checked.problems):
        click.echo(line)
    warnings = sum(problem.severity == "warning" for problem in checked.problems)
    if not checked.configured:
        warn("doll: doll.yaml cannot be read, so nothing in the vault counts until it is mended")
    found = f"{count(len(errors), 'error')}, {count(warnings, 'warning')}"
    warn(f"{count(checked.files, 'record file')} checked: {found}")
    return code
