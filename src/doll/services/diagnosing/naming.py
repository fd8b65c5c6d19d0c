"""Lines of doll for a vault that only `--vault` leads to: each of them says so too. Pure."""

import re
from pathlib import Path

from doll.errors import Problem
from doll.vault.typed import typed

# A line that is to type, or ends with doll after another command; these take no vault.
_DOLL = re.compile(r"^(?:.* && )?doll (?!init\b|tour\b|hooks\b|-)")
# What stands before it is to type; what follows says what it does.
_APART = "    "


def naming(problem: Problem, root: Path) -> Problem:
    """Return a finding whose lines of doll can be typed where nothing else names the vault."""
    lines = [_named(line, root) for line in problem.hint.split("\n")]
    return problem._replace(hint="\n".join(lines))


def _named(line: str, root: Path) -> str:
    command, apart, said = line.partition(_APART)
    if line.startswith("#") or " --vault " in command or _DOLL.match(command) is None:
        return line
    return f"{command} --vault {typed(str(root))}{apart}{said}"
