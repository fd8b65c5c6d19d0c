"""`doll init`: make a vault."""

from pathlib import Path

import click

from doll.cli.options import json_option
from doll.render.document import to_json
from doll.render.text import visible
from doll.services.initializing import initialize

EPILOG = """\b
Example:
  doll init notes && cd notes
"""


@click.command(epilog=EPILOG)
@click.argument("folder", type=click.Path(path_type=Path, readable=False), default=".")
@click.option(
    "--branch", help="Name of the vault's branch; else git's init.defaultBranch, or main."
)
@json_option
def command(folder: Path, branch: str | None, as_json: bool) -> None:
    """Make a vault in FOLDER, with a git repository and a first commit.

    Inside a git repository the vault becomes part of that repository.
    """
    made = initialize(Path.cwd() / folder, branch)
    if as_json:
        payload = {
            "root": str(made.root),
            "id": made.vault_id,
            "branch": made.branch,
            "commit": made.commit,
            "new_repository": made.new_repository,
        }
        click.echo(to_json("doll.init/1", payload))
        return
    where = "with a git repository of its own" if made.new_repository else "in this repository"
    click.echo(f"{visible(str(made.root))}: a vault, {where}, on the branch {made.branch}")
    click.echo(
        '  next: doll new memory espresso --title "Espresso, no sugar"\n'
        "        doll import pam FILE\n"
        "        doll status",
        err=True,
    )
