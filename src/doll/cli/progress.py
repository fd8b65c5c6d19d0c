"""Progress of long work on a terminal's stderr: silent in a pipe, and within the first second."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

_QUIET = 1.0


@contextmanager
def indexing() -> Iterator[Callable[[int, int], None] | None]:
    """Yield what to call with (done, total) files while an index is made; None in a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    begun = time.monotonic()
    shown = False

    def tell(done: int, total: int) -> None:
        nonlocal shown
        if time.monotonic() - begun > _QUIET and total:
            shown = True
            click.echo(f"\rindexing {done:,} of {total:,} files", nl=False, err=True)

    try:
        yield tell
    finally:
        if shown:
            click.echo("\r" + " " * 50 + "\r", nl=False, err=True)
