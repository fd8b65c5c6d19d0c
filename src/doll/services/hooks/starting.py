"""Whether a hook's first line starts what its lines are written for. Looks at programs, runs none.

Where that fails git says nothing, or only that a file cannot be run: doll's lines are in vain then.
"""

import os
import shlex
import shutil
from pathlib import Path
from typing import NamedTuple

from doll.services.hooks.block import SHELLS, interpreter

_AGAIN = "; then: doll hooks install"


class Stalled(NamedTuple):
    """Why a hook's lines do not run, in words that follow its name, and what to type about it."""

    why: str
    mending: str


def stalled(hook: Path, data: bytes, *, block: bool) -> Stalled | None:
    """Return what keeps the lines of a hook from being run, None for nothing that is known.

    `block`: doll's block is among them, or is to be, so that a shell has to read them.
    """
    hook, first = hook.resolve(), data.split(b"\n", 1)[0]
    place = shlex.quote(str(hook))
    if b"\r\n" in data and (block or first.endswith(b"\r")):
        other = shlex.quote(f"{hook}.lf")
        typed = f"tr -d '\\r' <{place} >{other} && cat {other} >{place} && rm {other}"
        return Stalled("has CRLF line endings", f"{typed}    makes them LF{_AGAIN}")
    # A file without such a line is given to sh.
    words = os.fsdecode(first[2:]).split() if first.startswith(b"#!") else []
    if not words:
        return None
    name = interpreter(first)
    if block and name not in SHELLS:
        why = f"is no shell script ({_shown(first)}), so doll's lines in it do not run"
    elif (lacking := _lacking(words, name)) is not None:
        why = f"is not run: its first line names {lacking}, which is not there"
    else:
        return None
    if not (block or name in SHELLS):
        return Stalled(why, f"install {name}, or name another program in the first line of {place}")
    found = shutil.which(name) if name in SHELLS else None
    edit = shlex.quote(f"1s:.*:#!{found or '/bin/sh'}:")
    typed = f"sed -i.old {edit} {place}"
    return Stalled(why, f"{typed}    lets a shell run it{_AGAIN}")


def _lacking(words: list[str], name: str) -> str | None:
    """Return the program of a `#!` line that is not there, None where that cannot be told."""
    if not _is_program(words[0]):
        return words[0]
    through_env = words[0].rpartition("/")[2] == "env"
    if not through_env or not name or name.startswith("-") or "=" in name:
        return None
    return None if shutil.which(name) else name


def _is_program(place: str) -> bool:
    # Only an absolute path means the same in every folder that git starts hooks in.
    return not place.startswith("/") or (os.path.isfile(place) and os.access(place, os.X_OK))  # noqa: PTH113


def _shown(first: bytes) -> str:
    return first.decode("utf-8", "replace")
