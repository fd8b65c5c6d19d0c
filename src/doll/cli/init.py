"""`doll init`: make a vault."""

from itertools import repeat
from pathlib import Path

import click

from doll.cli.options import Folder, json_option, warn
from doll.render.document import to_json
from doll.render.text import visible
from doll.services.initializing import initialize
from doll.vault.typed import typed

EPILOG = """\b
Examples:
  doll init notes && cd notes
  doll hooks install --vault .    validate before each commit
"""
_NEXT = (
    "doll hooks install --vault .    runs doll validate before each commit",
    'doll new memory espresso --title "Espresso, no sugar"',
    "doll import pam FILE",
    "doll status",
)
_LEADS = ("  next: ", *repeat("        ", len(_NEXT)))


@click.command(epilog=EPILOG)
@click.argument("folder", type=Folder(), default=".")
@click.option(
    "--branch", help="Name of the vault's branch; else git's init.defaultBranch, or main."
)
@json_option
def command(folder: Path, branch: str | None, as_json: bool) -> None:
    """Make a vault in FOLDER, with a git repository and a first commit.

    Inside a git repository the vault becomes part of that repository. `doll hooks install` in the
    vault has each commit checked by `doll validate`.
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
    steps = _NEXT if made.root == Path.cwd().resolve() else (_way(folder), *_NEXT)
    warn(*(f"{lead}{visible(step)}" for lead, step in zip(_LEADS, steps, strict=False)))


def _way(folder: Path) -> str:
    """Return the line that goes to the new vault; `cd` takes a leading - for an option."""
    name = str(folder)
    return f"cd {typed(f'./{name}' if name.startswith('-') else name)}"
