"""Better advice for what a commit would break only since the rest of it is not staged.

The work tree is whole there: what a reference names is a file that has still to be committed, and
one of two files with one id is gone from disk. Changes hints alone, and finds no problems.
"""

import shlex
from collections.abc import Sequence

from doll.errors import Problem
from doll.records.model import Record
from doll.records.references import Names, reference_problem, references
from doll.vault.entries import Entry

_CODES = ("reference.unresolved", "reference.wrong_type")


def with_the_rest(
    problems: Sequence[Problem], staged: Sequence[Entry], on_disk: Sequence[Entry]
) -> list[Problem]:
    """Return problems of the entries `staged` with hints that name what `on_disk` has besides."""
    hints = _references(problems, staged, on_disk)
    there = {entry.path for entry in on_disk}
    gone = [entry.path for entry in staged if entry.path not in there]
    return [
        problem._replace(hint=hints.get(problem) or _half(problem, gone) or problem.hint)
        for problem in problems
    ]


def _references(
    problems: Sequence[Problem], staged: Sequence[Entry], on_disk: Sequence[Entry]
) -> dict[Problem, str]:
    """Return the hints for references that the work tree resolves."""
    wanted = {problem for problem in problems if problem.code in _CODES}
    if not wanted:
        return {}
    paths = {problem.path for problem in wanted}
    names, here = Names(_local(staged)), Names(_local(on_disk))
    return {
        problem: _commit_first([target.path for target in here.named(reference.name)])
        for record in _local(staged)
        if record.path in paths
        for reference in references(record)
        if (problem := reference_problem(reference, names)) in wanted
        and reference_problem(reference, here) is None
    }


def _local(entries: Sequence[Entry]) -> list[Record]:
    return [e.record for e in entries if e.record and not e.path.startswith("staging/")]


def _commit_first(paths: Sequence[str]) -> str:
    listed = " ".join(map(shlex.quote, paths))
    return f"it is in the work tree: commit that first, or with this: git add -- {listed}"


def _half(problem: Problem, gone: Sequence[str]) -> str:
    """Return the hint for an id that is taken by a file that is gone from disk, else ""."""
    if problem.code != "id.duplicate":
        return ""
    for path in gone:
        if path == problem.path or path in problem.message:
            return f"{path} is gone from the work tree: commit its removal with this, name it too"
    return ""
