"""Progress of long work on a terminal's stderr: silent in a pipe, and within the first second."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from doll.render.text import visible

_QUIET = 1.0
_STEP = 100


@contextmanager
def indexing() -> Iterator[Callable[[int, int], None] | None]:
    """Yield what to call with (done, total) files while an index is made; None in a pipe."""
    with _line() as show:
        if show is None:
            yield None
            return

        def tell(done: int, total: int) -> None:
            if total:
                show(f"indexing {done:,} of {total:,} files")

        yield tell


@contextmanager
def counting(things: str) -> Iterator[Callable[[int], None] | None]:
    """Yield what to call with the number of things that were looked at; None in a pipe."""
    with _line() as show:
        if show is None:
            yield None
            return

        def tell(done: int) -> None:
            if done % _STEP == 0:
                show(f"{done:,} {things} looked at")

        yield tell


@contextmanager
def exporting() -> Iterator[Callable[[str, int, int], None]]:
    """Yield what to call with (stage, done, total) while memories are exported."""
    with _line() as show:

        def tell(stage: str, done: int, total: int) -> None:
            if show is not None:
                show(f"{stage} {done:,} of {total:,} memories")

        yield tell


@contextmanager
def telling() -> Iterator[Callable[[str], None]]:
    """Yield what says a stage of a work on a terminal, each on a line of its own.

    git may ask for a password between two of them.
    """

    def tell(stage: str) -> None:
        if sys.stderr.isatty():
            click.echo(f"{visible(stage)} …", err=True)

    yield tell


@contextmanager
def _line() -> Iterator[Callable[[str], None] | None]:
    """Yield what shows a line in place of the last one, and take it away at the end."""
    if not sys.stderr.isatty():
        yield None
        return
    begun = time.monotonic()
    shown = False

    def show(line: str) -> None:
        nonlocal shown
        if time.monotonic() - begun > _QUIET:
            shown = True
            click.echo(f"\r{line}", nl=False, err=True)

    try:
        yield show
    finally:
        if shown:
            click.echo("\r" + " " * 50 + "\r", nl=False, err=True)
