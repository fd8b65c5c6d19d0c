"""Editors that type by themselves: shell scripts that are given the file to edit."""

import shlex
from pathlib import Path


def typing(folder: Path, text: bytes, more: str = "") -> str:
    """Return the command line of an editor that replaces the whole text, then runs `more`."""
    (folder / "typed").write_bytes(text)
    return script(folder, f'cat {shlex.quote(str(folder / "typed"))} > "$1"\n{more}')


def script(folder: Path, lines: str) -> str:
    """Return the command line of an editor that runs these lines; `$1` is the file."""
    place = folder / "my editor.sh"
    place.write_text(f"#!/bin/sh\n{lines}\n", encoding="utf-8")
    place.chmod(0o755)
    return shlex.quote(str(place))
