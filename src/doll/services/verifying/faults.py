"""What verify says: a problem of the vault's history, and the commit that brought it."""

import shlex
from typing import NamedTuple

from doll.errors import Problem
from doll.vcs.plumbing.history import Step

SHORT = 12


class Fault(NamedTuple):
    """A problem and the id of the commit in which it came into the history.

    `commit` is "" for what is no commit's fault: a history that is cut off.
    """

    problem: Problem
    commit: str = ""


def fault(step: Step, path: str, code: str, message: str, line: int = 0) -> Fault:
    """Return the fault of a commit at a path of the vault; its message begins with the commit."""
    said = f"commit {step.commit[:SHORT]} {message}"
    return Fault(Problem(path, line, int(line > 0), code, said, hint=_looking(step)), step.commit)


def _looking(step: Step) -> str:
    """Return the line that shows what a commit did."""
    each = " -m" if len(step.parents) > 1 else ""
    return f"git show{each} --stat {shlex.quote(step.commit[:SHORT])}    shows what it did"
