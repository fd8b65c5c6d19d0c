"""`doll watch`: check and index what changes, as it changes, until it is ended."""

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from doll.cli import clock
from doll.cli.options import place, vault_option, warn
from doll.cli.progress import indexing
from doll.cli.streams import is_unread

if TYPE_CHECKING:
    from doll.services.watching.flow import Event

_SHORTEST = 1

EPILOG = """\b
Examples:
  doll watch
  doll watch --sync 10m
  doll watch --json    one document on a line for each look
  doll watch --poll    where changes are not announced, as on a network drive
"""


if TYPE_CHECKING:
    _Type = click.ParamType[int]
else:
    _Type = click.ParamType  # not generic in every click that doll runs with


class Duration(_Type):
    """A number with its unit."""

    name = "duration"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the seconds; click's usage error for what is no duration, or a very short one."""
        found = re.fullmatch(r"([0-9]{1,6})([smh])", str(value))
        seconds = int(found[1]) * {"s": 1, "m": 60, "h": 3600}[found[2]] if found else 0
        if seconds < _SHORTEST:
            said = f"{value!r} is no time of at least {_SHORTEST}s, such as 30s, 10m, 2h"
            self.fail(said, param, ctx)
        return seconds


@click.command(epilog=EPILOG)
@vault_option
@click.option("--poll", is_flag=True, help="Look every few seconds; listen for nothing.")
@click.option(
    "--sync",
    type=Duration(),
    metavar="EVERY",
    help="Sync with the remote so often: 30s, 10m, 2h.",
)
@click.option(
    "--allow-mass-delete",
    is_flag=True,
    help="Go on where most records of HEAD are gone, as you wish.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON document on a line each.")
def command(
    vault: Path | None, poll: bool, sync: int | None, allow_mass_delete: bool, as_json: bool
) -> None:
    """Check and index what changes, shortly after it was saved, until Ctrl-C.

    Nothing depends on it: every other command looks at the disk itself.
    """
    shown = _as_json if as_json else _as_text

    def tell(event: "Event") -> None:
        shown(event)
        if is_unread():
            raise _UnreadError

    with _ended_cleanly():
        # To import takes longer than all before it.
        from doll.services.watching.flow import Wanted, watch

        watch(place(vault), Wanted(poll, allow_mass_delete, sync), clock.now, tell, indexing)


class _UnreadError(Exception):
    """Nobody reads what is said any more."""


@contextmanager
def _ended_cleanly() -> Iterator[None]:
    """Take Ctrl-C and SIGTERM for what they are to a watch: the way to end it, and no failure."""
    try:
        yield
    except _UnreadError:
        return
    except KeyboardInterrupt:
        warn("doll: ended")
    except SystemExit as error:
        if error.code != 128 + signal.SIGTERM:
            raise
        warn("doll: ended")


def _as_text(event: "Event") -> None:
    from doll.cli.sync import show as show_sync
    from doll.reconcile.shelf import Notice
    from doll.render.problems import covered, hinted, problem_lines
    from doll.render.text import visible
    from doll.render.watch_text import look_lines
    from doll.services.watching import flow
    from doll.services.watching.exchanging import Synced
    from doll.services.watching.looking import Look

    match event:
        case flow.Started(root, mode):
            click.echo(f"watching {visible(root)} ({mode}); Ctrl-C ends it")
        case Look():
            for line in look_lines(event):
                click.echo(line)
        case Synced(vault, report):
            show_sync(vault, report, as_json=False)
        case flow.Fault(error):
            warn(f"doll: {visible(covered(error.message))}", *problem_lines(error.problems))
            warn(*(f"  {visible(line)}" for line in hinted(error.hint).splitlines()))
        case Notice(message, hint):
            shown = [f"      {visible(hinted(hint))}"] if hint else []
            warn(f"doll: {visible(message)}", *shown)


def _as_json(event: "Event") -> None:
    from doll.cli.sync import values as sync_values
    from doll.reconcile.shelf import Notice
    from doll.render import watch_values
    from doll.services.watching import flow
    from doll.services.watching.exchanging import Synced
    from doll.services.watching.looking import Look

    match event:
        case flow.Started(root, mode):
            click.echo(watch_values.started_line(root, mode))
        case Look():
            click.echo(watch_values.look_line(event))
        case Synced(_, report):
            click.echo(watch_values.sync_line(sync_values(report)))
        case flow.Fault(error):
            click.echo(watch_values.fault_line(error))
        case Notice(message, hint):
            click.echo(watch_values.notice_line(message, hint))
