"""`doll watch`: check and index what changes, as it changes, until it is ended."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from doll.cli import clock
from doll.cli.options import place, vault_option, warn
from doll.cli.progress import indexing

if TYPE_CHECKING:
    from doll.services.watching.flow import Event

EPILOG = """\b
Examples:
  doll watch
  doll watch --json    one document on a line for each look
  doll watch --poll    where changes are not announced, as on a network drive
"""


@click.command(epilog=EPILOG)
@vault_option
@click.option("--poll", is_flag=True, help="Look every few seconds; listen for nothing.")
@click.option(
    "--allow-mass-delete",
    is_flag=True,
    help="Go on where most records of HEAD are gone, as you wish.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON document on a line each.")
def command(vault: Path | None, poll: bool, allow_mass_delete: bool, as_json: bool) -> None:
    """Check and index what changes, shortly after it was saved, until Ctrl-C.

    Nothing depends on it: every other command looks at the disk itself.
    """
    from doll.services.watching.flow import Wanted, watch

    wanted = Wanted(poll=poll, allow_mass_delete=allow_mass_delete)
    tell = _as_json if as_json else _as_text
    with _ended_cleanly(), indexing() as progress:
        watch(place(vault), wanted, clock.now, tell, progress)


@contextmanager
def _ended_cleanly() -> Iterator[None]:
    """Take Ctrl-C and SIGTERM for what they are to a watch: the way to end it, and no failure."""
    try:
        yield
    except KeyboardInterrupt:
        warn("doll: ended")
    except SystemExit as error:
        if error.code != 128 + signal.SIGTERM:
            raise
        warn("doll: ended")


def _as_text(event: "Event") -> None:
    from doll.reconcile.shelf import Notice
    from doll.render.text import visible
    from doll.render.watch_text import look_lines
    from doll.services.watching import flow
    from doll.services.watching.looking import Look

    match event:
        case flow.Started(root, mode):
            click.echo(f"watching {visible(root)} ({mode}); Ctrl-C ends it")
        case Look():
            for line in look_lines(event):
                click.echo(line)
        case flow.Fault(error):
            warn(f"doll: {visible(error.message)}")
            warn(*(f"  {visible(line)}" for line in error.hint.splitlines()))
        case Notice(message, hint):
            warn(f"doll: {visible(message)}", *([f"      {visible(hint)}"] if hint else []))


def _as_json(event: "Event") -> None:
    from doll.reconcile.shelf import Notice
    from doll.render import watch_values
    from doll.services.watching import flow
    from doll.services.watching.looking import Look

    match event:
        case flow.Started(root, mode):
            click.echo(watch_values.started_line(root, mode))
        case Look():
            click.echo(watch_values.look_line(event))
        case flow.Fault(error):
            click.echo(watch_values.fault_line(error))
        case Notice(message, hint):
            click.echo(watch_values.notice_line(message, hint))
