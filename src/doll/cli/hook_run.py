"""`doll hooks run`: what the lines in a git hook call. Exit 0: go on; 1: stop."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import click

from doll.cli.clock import now
from doll.cli.options import warn
from doll.errors import DollError, StorageError, TimeLimitError, UsageError, errors_in
from doll.render import leading
from doll.render.deeds import DEEDS, Deed
from doll.services.hooks.block import KINDS

if TYPE_CHECKING:
    from doll.services.hooks.pushed import Ref
    from doll.services.hooks.running import HookOutcome, Setting

LIMIT = 5.0
# The alarm has the first word; after it git is not asked anything more.
_AFTER = 0.2


EPILOG = """\b
Examples:
  doll hooks run pre-commit
  doll hooks run commit-msg .git/COMMIT_EDITMSG
"""

_SLOWLY = {
    "pre-push": "doll preflight --range A..B and doll verify    run without the limit",
}
_SLOWLY_STAGED = "doll preflight --staged    runs it without the limit"


@click.command(name="run", short_help="Check what git is about to do, as a hook.", epilog=EPILOG)
@click.argument("kind", type=click.Choice(KINDS))
@click.argument("words", nargs=-1, metavar="[ARGUMENT]...", type=click.UNPROCESSED)
def run(kind: str, words: tuple[str, ...]) -> int:
    """Check what is staged or pushed; called by the lines that `doll hooks install` writes.

    The arguments are those that git gives the hook: the file with the message to commit-msg, the
    remote to pre-push, which is told on standard input what is pushed. Exit 0 lets git go on, 1
    stops it.
    """
    if kind == "pre-receive":
        from doll.cli.receive_run import run_pre_receive

        return run_pre_receive()
    from doll.services.hooks import running as hook_running

    refs = _refs() if kind == "pre-push" else ()
    if kind == "commit-msg" and not words:
        raise UsageError("commit-msg needs the file with the message", hint=EPILOG.split("\n")[3])
    # What git cannot say within the limit is not asked again: nobody waits for a hook.
    strict, fault = False, ""
    try:
        with _hurry(LIMIT, _SLOWLY.get(kind, _SLOWLY_STAGED)):
            where = hook_running.setting(Path.cwd(), time.monotonic() + LIMIT + _AFTER)
            strict, fault = where.strict, where.fault
            leading.by(lambda: _way(where))
            outcome = _outcome(kind, where, words, refs)
    except DollError as error:
        outcome = hook_running.unchecked(error, strict=strict)
    if fault:
        from doll.render.problems import covered

        warn(f"doll: {covered(fault)}", f"    {hook_running.MEND_STRICT}")
    _print(outcome, DEEDS[kind])
    return 1 if outcome.stop else 0


def _way(where: "Setting") -> leading.Way:
    """Return how lines lead to the vault from where the user called git, which nobody knows."""
    from doll.services.hooks import running as hook_running
    from doll.services.leading import way

    return way(hook_running.place_of(where, os.environ.get("DOLL_VAULT")))


def _outcome(
    kind: str, where: "Setting", words: tuple[str, ...], refs: "tuple[Ref, ...]"
) -> "HookOutcome":
    vault = os.environ.get("DOLL_VAULT")
    if kind == "commit-msg":
        from doll.services.hooks.messages import run_commit_msg

        return run_commit_msg(where, vault, _message(words[0]), now())
    if kind == "pre-push":
        from doll.services.hooks.pushing import run_pre_push

        return run_pre_push(where, vault, refs, now(), _remote(words))
    from doll.services.hooks.running import run_pre_commit

    return run_pre_commit(where, vault, now(), merging=kind == "pre-merge-commit")


def _message(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise StorageError(f"the message {name!r} cannot be read: {error.strerror}") from error


def _refs() -> "tuple[Ref, ...]":
    """Return what git says on standard input, else what the pre-commit framework says instead."""
    from doll.services.hooks.pushed import parse_refs, refs_of_framework

    if sys.stdin.isatty():
        raise UsageError("pre-push is told on standard input what is pushed; git runs it by itself")
    said = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
    if not said.strip() and "PRE_COMMIT" in os.environ:
        return refs_of_framework(os.environ)
    return parse_refs(said)


def _remote(words: tuple[str, ...]) -> str:
    return words[0] if words else os.environ.get("PRE_COMMIT_REMOTE_NAME", "")


@contextmanager
def _hurry(seconds: float, hint: str) -> Iterator[None]:
    """Raise TimeLimitError in the body once `seconds` have passed."""

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise TimeLimitError(f"the check took more than {seconds:.0f} s", hint=hint)

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _print(outcome: "HookOutcome", deed: Deed) -> None:
    """Print to stderr what there is to say; nothing when all is clear.

    What writes it is loaded only then: most hooks have nothing to say.
    """
    if outcome.not_checked:
        _print_unchecked(outcome, deed)
    elif outcome.problems:
        from doll.render.problems import problem_lines

        # What can be typed stands by itself.
        for line in problem_lines(outcome.problems):
            warn(line if line.startswith("    ") else f"doll: {line}")
    reports = [each for each in outcome.reports if each.findings or each.obstacles]
    if reports:
        from doll.preflight import stops_commit
        from doll.render.preflight_text import hook_lines

        for report in reports:
            stops = outcome.stop and (len(reports) == 1 or stops_commit(report, strict=True))
            warn(*hook_lines(report, stops=stops, deed=deed))
    if outcome.stop and not outcome.not_checked and errors_in(outcome.problems):
        warn(f"doll: {_MENDING[deed.noun]}; {deed.past}")


def _print_unchecked(outcome: "HookOutcome", deed: Deed) -> None:
    from doll.render.problems import covered, hinted, problem_lines
    from doll.render.text import visible, visible_lines

    said = visible(covered(outcome.not_checked))
    hint = [f"    {line}" for line in visible_lines(hinted(outcome.hint)) if line]
    warn(f"doll: NOT CHECKED: {said}", *problem_lines(outcome.problems))
    if not outcome.stop:
        warn(*hint, f"doll: the {deed.noun} goes on")
        return
    # What to type is the last thing that is said.
    why = " (doll.strict)" if outcome.strict else ""
    typed = ". Type:" if hint else ""
    warn(f"doll: the {deed.noun} is stopped{why}; {deed.past}{typed}", *hint)


_MENDING = {
    "commit": "mend it and git add the files",
    "merge": "mend it and git add the files",
    "push": "mend the commits, then push again",
}
