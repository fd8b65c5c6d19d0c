"""The user's editor: which one, and how it is started. It decides nothing about the text."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from doll.errors import ConfigurationError

if TYPE_CHECKING:
    from doll.vcs.plumbing import Repository

_SET = "export VISUAL=nano    or: git config --global core.editor nano"
# What a shell answers where it finds no program, or one that it may not run.
_NOT_STARTED = (126, 127)


def editor(repository: "Repository") -> str:
    """Return the command line of the editor: VISUAL, else EDITOR, else the one that git starts.

    ConfigurationError where nothing names one. An editor that was set is started anywhere, git's
    default only at a terminal: it is `vi`, which would wait for keys that nobody can type.
    """
    from doll.vcs.plumbing.settings import editor as of_git

    at_terminal = sys.stdin.isatty() and (sys.stdout.isatty() or sys.stderr.isatty())
    own = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    found = own or of_git(repository, default=at_terminal)
    if not found:
        why = "git knows none" if at_terminal else "there is no terminal for git's default"
        raise ConfigurationError(f"no editor is set, and {why}", hint=_SET)
    return found


def edit(command: str, place: Path) -> int:
    """Let the user edit a file, wait for the end, and return the editor's exit code.

    The command line is a shell's, as for git. A result on stdout stays alone: where that is no
    terminal, the editor writes to stderr. ConfigurationError when it cannot be started.
    """
    words = ["sh", "-c", f'{command} "$@"', command, str(place)]
    with _interrupts_left_to_the_editor():
        # `run` would kill the editor, and the text in it, when doll itself is ended.
        process = subprocess.Popen(words, stdout=None if sys.stdout.isatty() else 2)
        code = process.wait()
    if code in _NOT_STARTED:
        raise ConfigurationError(f"the editor `{command}` cannot be started", hint=_SET)
    return code


@contextmanager
def _interrupts_left_to_the_editor() -> Iterator[None]:
    """Let Ctrl-C mean what it means in the editor; it must not end doll beside it."""
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL if before is None else before)
