"""`doll hooks run`: what the lines in a git hook call. Exit 0: go on; 1: stop."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import click

from doll.cli.clock import now
from doll.cli.options import warn
from doll.errors import DollError, errors_in

if TYPE_CHECKING:
    from doll.services.hooks.running import HookOutcome

LIMIT = 5.0


class TimeLimitError(DollError):
    """The hook's time limit ran out."""


EPILOG = """\b
Example:
  doll hooks run pre-commit
"""


@click.command(name="run", short_help="Check what is staged, as a hook does.", epilog=EPILOG)
@click.argument("kind", type=click.Choice(["pre-commit", "pre-receive"]))
def run(kind: str) -> int:
    """Check what is staged or pushed; called by the lines that `doll hooks install` writes.

    Exit 0 lets the commit or the push go on, 1 stops it.
    """
    if kind == "pre-receive":
        from doll.cli.receive_run import run_pre_receive

        return run_pre_receive()
    from doll.services.hooks import running as hook_running

    # What git cannot say within the limit is not asked again: nobody waits for a hook.
    strict, fault = False, ""
    try:
        with _time_limit(LIMIT):
            where = hook_running.setting(Path.cwd())
            strict, fault = where.strict, where.fault
            outcome = hook_running.run_pre_commit(where, os.environ.get("DOLL_VAULT"), now())
    except DollError as error:
        outcome = hook_running.unchecked(error, strict=strict)
    if fault:
        from doll.render.problems import covered

        warn(f"doll: {covered(fault)}", f"    {hook_running.MEND_STRICT}")
    _print(outcome)
    return 1 if outcome.stop else 0


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeLimitError in the body once `seconds` have passed."""

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise TimeLimitError(
            f"the check took more than {seconds:.0f} s",
            hint="doll preflight --staged    runs it without the limit",
        )

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _print(outcome: "HookOutcome") -> None:
    """Print to stderr what there is to say; nothing when all is clear."""
    from doll.render.problems import covered, problem_lines
    from doll.render.text import visible, visible_lines

    if outcome.not_checked:
        said = visible(covered(outcome.not_checked))
        hint = [f"    {line}" for line in visible_lines(covered(outcome.hint)) if line]
        warn(f"doll: NOT CHECKED: {said}", *problem_lines(outcome.problems))
        if outcome.stop:
            # What to type is the last thing that is said.
            why = " (doll.strict)" if outcome.strict else ""
            past = "`git commit --no-verify` commits all the same"
            warn(f"doll: the commit is stopped{why}; {past}{'. Type:' if hint else ''}", *hint)
        else:
            warn(*hint, "doll: the commit goes on")
    elif outcome.problems:
        # What can be typed stands by itself.
        for line in problem_lines(outcome.problems):
            warn(line if line.startswith("    ") else f"doll: {line}")
    if outcome.report is not None:
        from doll.render.preflight_text import hook_lines

        warn(*hook_lines(outcome.report, stops=outcome.stop))
    if outcome.stop and not outcome.not_checked and errors_in(outcome.problems):
        warn("doll: mend it and git add the files; `git commit --no-verify` commits all the same")
