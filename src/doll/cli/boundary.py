"""The one error boundary: exceptions become text, a JSON document, and an exit code."""

import contextvars
import errno
import os
import sys
from collections.abc import Sequence
from typing import Literal, TextIO

import click

from doll.cli.streams import OutputError
from doll.errors import DollError, Problem, StorageError

NO_VAULT, BUG, INTERRUPTED = 3, 70, 130

# Whether a document is wanted, and laid out as what the command itself prints.
Json = Literal["", "document", "line"]
_LINES = ("doll watch",)

# What the machine refuses; the places that know the file say more.
_AROUND = (
    *(errno.EACCES, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ELOOP, errno.EMFILE),
    *(errno.ENAMETOOLONG, errno.ENFILE, errno.ENOLCK, errno.ENOMEM, errno.ENOSPC, errno.ENOTDIR),
    *(errno.EPERM, errno.EROFS, errno.ESTALE),
)


def run(arguments: Sequence[str]) -> int:
    """Run `doll` with these arguments and return its exit code (design, section 3)."""
    for stream in (sys.stdout, sys.stderr):
        _never_fail_on_output(stream)
    try:
        # What a run says of itself, such as how its lines lead to the vault, ends with it.
        code = contextvars.copy_context().run(_run, arguments)
        sys.stdout.flush()
    except OutputError as error:
        if ending := _ending(error):
            raise ending from None
        said = f"the output cannot be written: {error}"
        return _report(StorageError.exit_code, said, "", (), as_json="")
    return code


def _run(arguments: Sequence[str]) -> int:
    from doll.cli.main import doll

    typed, as_json = "doll", _json("doll", wanted="--json" in arguments)
    try:
        typed, as_json = _typed(arguments)
        code = doll.main(list(arguments), prog_name="doll", standalone_mode=False)
    except OutputError:
        raise
    except DollError as error:
        return _report(error.exit_code, error.message, error.hint, error.problems, as_json=as_json)
    except click.ClickException as error:
        return _usage(error, typed, as_json=as_json)
    except (click.exceptions.Abort, KeyboardInterrupt):
        return _report(INTERRUPTED, "interrupted", "", (), as_json=as_json)
    except OSError as error:
        return _surroundings(error, as_json=as_json) or _bug(error, as_json=as_json)
    except Exception as error:  # noqa: BLE001 - the last boundary: a bug is told, never shown raw
        return _bug(error, as_json=as_json)
    return code if isinstance(code, int) else 0


def _ending(error: BaseException) -> SystemExit | None:
    """Return the signal's exit on whose way out an error came: a closed terminal takes no words."""
    before = error.__context__
    while before is not None and not isinstance(before, SystemExit):
        before = before.__context__
    return before


def _json(typed: str, *, wanted: bool) -> Json:
    if not wanted:
        return ""
    return "line" if typed in _LINES else "document"


def _typed(arguments: Sequence[str]) -> tuple[str, Json]:
    """Return the command that was typed, such as `doll review show`, and what `--json` means to it.

    A word behind an option that takes a value is that value, even `--`, which ends options.
    """
    from doll.cli.main import doll

    context: click.Context = click.Context(doll, info_name="doll", **doll.context_settings)
    resolving, as_json, words = True, False, iter(arguments)
    for word in words:
        if word == "--":
            break
        if word in _with_value(context.command):
            next(words, None)
        elif word == "--json":
            as_json = True
        elif resolving and not word.startswith("-"):
            found = _command_of(context, word)
            resolving = found is not None
            context = found or context
    return context.command_path, _json(context.command_path, wanted=as_json)


def _with_value(command: click.Command) -> set[str]:
    """Return the options of a command that take the next word as their value."""
    options = [each for each in command.params if isinstance(each, click.Option)]
    return {name for each in options if not each.is_flag for name in each.opts}


def _command_of(context: click.Context, word: str) -> click.Context | None:
    if not isinstance(context.command, click.Group):
        return None
    command = context.command.get_command(context, word)
    return click.Context(command, context, word) if command else None


def _surroundings(error: OSError, *, as_json: Json) -> int:
    """Return the exit code where the fault lies around doll and was told, 0 where it does not."""
    try:
        os.getcwd()  # noqa: PTH109 - `doll --version` does without pathlib
    except OSError:
        said = "the working folder is gone, or cannot be looked at"
        return _report(NO_VAULT, said, "cd    to another folder", (), as_json=as_json)
    # Without a name it is about a descriptor, or about no folder for temporary files.
    if error.errno in _AROUND or error.filename is None:
        what = error.filename or "a file"
        said = f"{what} cannot be read or written: {error.strerror or error}"
        return _report(StorageError.exit_code, said, "", (), as_json=as_json)
    return 0


def _never_fail_on_output(stream: TextIO | None) -> None:
    """Make a console that lacks a character show it escaped instead of failing."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


def _usage(error: click.ClickException, typed: str, *, as_json: Json) -> int:
    if isinstance(error, getattr(click.exceptions, "NoArgsIsHelpError", ())) and not as_json:
        print(error.format_message(), file=sys.stderr)  # noqa: T201
        return error.exit_code
    context = getattr(error, "ctx", None)
    hint = f"try `{context.command_path if context else typed} --help`"
    # Click lays a long list out with tabs, which would be shown as characters of the message.
    message = error.format_message().replace("\n\t", " ")
    return _report(error.exit_code, message, hint, (), as_json=as_json)


def _report(
    code: int, message: str, hint: str, problems: Sequence[Problem], *, as_json: Json
) -> int:
    from doll.render.problems import covered, hinted, problem_lines, problem_values
    from doll.render.text import visible_lines

    message, hint = covered(message), hinted(hint)
    lines = visible_lines(message)
    print("doll: " + "\n      ".join(lines), file=sys.stderr)  # noqa: T201
    for line in [*problem_lines(problems), *(f"  {line}" for line in visible_lines(hint) if hint)]:
        print(line, file=sys.stderr)  # noqa: T201
    if as_json:
        from doll.render.document import to_json, to_line

        payload = {
            "exit": code,
            "message": message,
            "hint": hint,
            "problems": problem_values(problems),
        }
        write = to_line if as_json == "line" else to_json
        print(write("doll.error/1", payload))  # noqa: T201
    return code


def _bug(error: Exception, *, as_json: Json) -> int:
    from doll.cli.crash import write_log

    place = write_log(error)
    message = f"this is a bug in doll: {type(error).__name__}"
    hint = f"the log is at {place}" if place else "the log could not be written"
    return _report(BUG, message, hint, (), as_json=as_json)
