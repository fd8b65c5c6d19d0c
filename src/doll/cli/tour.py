"""`doll tour`: the main job, shown on a temporary copy of the example vault."""

import click

from doll.render.text import visible_lines
from doll.services.touring import tour
from doll.vault import disk

EPILOG = """\b
Example:
  doll tour
"""


@click.command(epilog=EPILOG)
def command() -> None:
    """Show the main job from end to end, on a temporary copy of the example vault.

    Runs every command for real, asks nothing, and leaves nothing behind.
    """
    with disk.scratch_folder("doll-tour-") as folder:
        place = folder.resolve()
        current = "notes"
        for done in tour(place):
            step = done.step
            if step.why:
                click.secho(f"\n# {step.why}", fg="cyan")
            if step.folder != current:
                click.echo(f"$ cd ../{step.folder}")
                current = step.folder
            click.secho(f"$ {step.command}", bold=True)
            shown = done.output.rstrip("\n").replace(str(place), "")
            for line in visible_lines(shown) if shown else ():
                click.echo(line)
    click.echo("\nThat was the main job. Your own vault: doll init notes")
