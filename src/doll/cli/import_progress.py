"""Progress of an import on a terminal's stderr: one line that renews itself, silent in a pipe."""

import sys
import time

import click

_QUIET = 1.0


class Progress:
    """Tells how far an import is, once it takes longer than a second.

    `at_once`: it is known to take longer, so that nobody looks at nothing while it is read.
    """

    def __init__(self, *, at_once: bool = False) -> None:
        begun = time.monotonic() - (_QUIET if at_once else 0)
        self._begun = begun if sys.stderr.isatty() else None
        self._shown = False

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show that `done` of `total` steps of a stage are done."""
        if self._begun is None or time.monotonic() - self._begun < _QUIET:
            return
        share = f"{done:,} of {total:,} candidates" if total > 2 else "the source"
        click.echo(f"\r\033[K{stage} {share}", nl=False, err=True)
        self._shown = True

    def end(self) -> None:
        """Take the line away."""
        if self._shown:
            click.echo("\r\033[K", nl=False, err=True)
            self._shown = False
