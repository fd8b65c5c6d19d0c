"""The one error boundary: exceptions become text, a JSON document, and an exit code."""

import os
import sys
from collections.abc import Sequence
from typing import TextIO

import click

from doll.errors import DollError, Problem

BUG, INTERRUPTED = 70, 130


def run(arguments: Sequence[str]) -> int:
    """Run `doll` with these arguments and return its exit code (design, section 3)."""
    _never_fail_on_output(sys.stdout)
    _never_fail_on_output(sys.stderr)
    from doll.cli.main import doll

    as_json = "--json" in arguments
    try:
        code = doll.main(list(arguments), prog_name="doll", standalone_mode=False)
        sys.stdout.flush()
    except DollError as error:
        return _report(error.exit_code, error.message, error.hint, error.problems, as_json=as_json)
    except click.ClickException as error:
        return _usage(error, as_json=as_json)
    except (click.exceptions.Abort, KeyboardInterrupt):
        print("doll: interrupted", file=sys.stderr)  # noqa: T201
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of a pipe went away: nobody is left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:  # noqa: BLE001 - the last boundary: a bug is told, never shown raw
        return _bug(error, as_json=as_json)
    return code if isinstance(code, int) else 0


def _never_fail_on_output(stream: TextIO) -> None:
    """Make a console that lacks a character show it escaped instead of failing."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


def _usage(error: click.ClickException, *, as_json: bool) -> int:
    context = getattr(error, "ctx", None)
    hint = f"try `{context.command_path} --help`" if context else "try `doll --help`"
    return _report(error.exit_code, error.format_message(), hint, (), as_json=as_json)


def _report(
    code: int, message: str, hint: str, problems: Sequence[Problem], *, as_json: bool
) -> int:
    from doll.render.problems import problem_lines, problem_values
    from doll.render.text import visible_lines

    lines = visible_lines(message)
    print("doll: " + "\n      ".join(lines), file=sys.stderr)  # noqa: T201
    for line in [*problem_lines(problems), *(f"  {line}" for line in visible_lines(hint) if hint)]:
        print(line, file=sys.stderr)  # noqa: T201
    if as_json:
        from doll.render.document import to_json

        payload = {
            "exit": code,
            "message": message,
            "hint": hint,
            "problems": problem_values(problems),
        }
        print(to_json("doll.error/1", payload))  # noqa: T201
    return code


def _bug(error: Exception, *, as_json: bool) -> int:
    from doll.cli.crash import write_log

    place = write_log(error)
    message = f"this is a bug in doll: {type(error).__name__}"
    hint = f"the log is at {place}" if place else "the log could not be written"
    return _report(BUG, message, hint, (), as_json=as_json)
