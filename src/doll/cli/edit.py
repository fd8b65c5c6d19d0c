"""`doll edit`: a record in the user's editor, judged before it is written, and never lost."""

import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from doll.cli import completing
from doll.cli.edit_told import resume_line, tell, tell_discarded, tell_kept
from doll.cli.editor import edit, editor
from doll.cli.options import (
    by_option,
    commit_option,
    json_option,
    named,
    open_vault,
    vault_option,
    warn,
)
from doll.cli.recording import manner
from doll.errors import ConfigurationError, ConflictError
from doll.render.text import visible

if TYPE_CHECKING:
    from doll.services.editing.texts import Judged, Text
    from doll.services.opening import Vault
    from doll.services.recording.writing import Manner

EPILOG = """\b
Examples:
  doll edit espresso
  VISUAL="code --wait" doll edit split-orders --commit
  doll edit espresso --resume
"""
_QUESTION = "edit again, keep the text for later, or discard it [e,k,d]? "


@click.command(epilog=EPILOG)
@click.argument("record", metavar="ID", shell_complete=completing.editable)
@click.option("--resume", is_flag=True, help="Go on with the text that an earlier edit kept.")
@by_option
@commit_option
@vault_option
@json_option
def command(
    record: str,
    *,
    resume: bool,
    by: str | None,
    commit: bool,
    vault: Path | None,
    as_json: bool,
) -> int:
    """Edit a record in your editor: `$VISUAL`, else `$EDITOR`, else the one that git starts.

    Without a terminal the editor has to be set: git's own default is not started then.

    A copy is edited, and checked when the editor has ended. Only a text without errors is written,
    byte for byte as the editor left it, and only if the record has not changed meanwhile.
    Otherwise the text is kept, and said where. Experience is not edited: doll correct.
    """
    from doll.services.editing import texts

    how = manner(by, (), commit=commit)
    opened = open_vault(vault)
    program = editor(opened.repository)
    text = texts.begin(opened, named(opened, record), how, resume=resume)
    if text.others:
        warn(f"note: another text of it is kept at {visible(str(text.others[0].place))}")
        warn(f"  {resume_line(text)}    goes on with it; it may be open in another editor")
    try:
        return _session(opened, text, program, how, as_json=as_json)
    except KeyboardInterrupt:
        warn(f"the text is kept at {visible(str(text.copy.place))}", f"  {resume_line(text)}")
        raise


def _session(opened: "Vault", text: "Text", program: str, how: "Manner", *, as_json: bool) -> int:
    """Edit until the text is written, unchanged, kept or discarded; return the exit code."""
    from doll.services.editing import texts

    while True:
        after = _edited(opened, text, program)
        if not after.changed:
            texts.drop_unchanged(text)
            tell(opened, text, after, None, as_json=as_json)
            return 0
        if not after.refused:
            written = texts.save(opened, text, after, how)
            tell(opened, text, after, written, as_json=as_json)
            return 0
        answer = _answer(after)
        if answer == "e":
            continue
        if answer == "d":
            texts.discard(text)
            tell_discarded(text, after, as_json=as_json)
            return 0
        tell_kept(text, after, as_json=as_json)
        return 1


def _edited(vault: "Vault", text: "Text", program: str) -> "Judged":
    """Let the user edit, and return what came of it; ConflictError when the editor failed."""
    from doll.services.editing import texts

    try:
        code = edit(program, text.copy.place)
    except ConfigurationError:
        texts.drop_unchanged(text)
        raise
    after = texts.judged(vault, text)
    if code == 0:
        return after
    said = f"the editor ended with {f'exit {code}' if code > 0 else f'signal {-code}'}"
    if not after.changed:
        texts.drop_unchanged(text)
        raise ConflictError(f"{said}, and the text is unchanged; nothing was written")
    raise ConflictError(
        f"{said}; nothing was written, and your text is kept at {text.copy.place}",
        hint=f"{resume_line(text)}    goes on with it",
    )


def _answer(after: "Judged") -> str:
    """Show what is wrong and ask what to do: e, k or d; k where nobody can be asked."""
    from doll.render.problems import problem_lines

    warn(*problem_lines(after.problems))
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return "k"
    while True:
        _forget_what_was_typed()
        click.echo(_QUESTION, nl=False, err=True)
        try:
            line = sys.stdin.readline()
        except KeyboardInterrupt:
            line = ""
        answer = line.strip().lower()[:1]
        if not line or answer in ("e", "k", "d"):
            return answer or "k"


def _forget_what_was_typed() -> None:
    """Throw away what was typed before the question stood there: it answers no question."""
    with suppress(ImportError, OSError):
        import termios

        with suppress(termios.error):
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
