"""`doll where`: which vault would be used, and why."""

import os
from pathlib import Path

import click

from doll.cli.options import json_option, open_vault, vault_option
from doll.render.document import to_json
from doll.render.text import visible

EPILOG = """\b
Examples:
  doll where
  cd "$(doll where --path)"
"""


@click.command(epilog=EPILOG)
@vault_option
@click.option("--path", "only_path", is_flag=True, help="Print the folder alone.")
@json_option
def command(vault: Path | None, only_path: bool, as_json: bool) -> None:
    """Say which vault would be used, and why."""
    opened = open_vault(vault)
    if as_json:
        payload = {
            "root": str(opened.root),
            "source": opened.source,
            "id": opened.settings.id,
            "branch": opened.settings.branch,
            "repository": str(opened.repository.top),
            "head": opened.head,
        }
        click.echo(to_json("doll.where/1", payload))
    elif only_path:
        # Bytes: a shell takes the folder as it is called, in whatever encoding.
        click.echo(os.fsencode(opened.root))
    else:
        click.echo(f"{visible(str(opened.root))} (found by {opened.source})")
        click.echo(f"  id {opened.settings.id}, branch {opened.settings.branch}")
        click.echo(f"  HEAD {opened.head[:12]} of {visible(str(opened.repository.top))}")
