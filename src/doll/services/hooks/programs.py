"""Which doll a hook would start: the one on PATH, else the pinned Python's."""

import os
import shutil
import subprocess
from typing import NamedTuple

_PATIENCE = 20.0


class Program(NamedTuple):
    """A way to start doll: the words of the command, and the version it says; None if it fails."""

    command: tuple[str, ...]
    version: str | None


def on_path() -> Program | None:
    """Return the doll that PATH leads to, None where there is none."""
    place = shutil.which("doll")
    return None if place is None else _asked((place,))


def pinned(python: str) -> Program:
    """Return the doll of a pinned Python, started as a hook does."""
    return _asked((python, "-P", "-m", "doll"))


def _asked(command: tuple[str, ...]) -> Program:
    # Nothing is written beside the modules that are looked at.
    variables = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            [*command, "--version"],
            env=variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return Program(command, None)
    name, _, version = done.stdout.decode("utf-8", "replace").strip().partition(" ")
    return Program(command, version if done.returncode == 0 and name == "doll" else None)
