"""Problems as text lines and as JSON values, secrets in what they quote covered.

Everything that shows a problem to anybody goes through `shown`; a path stays as it is, since a file
is found by it.
"""

from collections.abc import Iterable

from doll.errors import Problem
from doll.render.text import visible


def problem_lines(problems: Iterable[Problem]) -> list[str]:
    """Return `path:line:column: severity: message [code]` lines, each followed by its hint."""
    lines = []
    for problem in map(shown, problems):
        place = ":".join([visible(problem.path), *_position(problem)])
        pointer = f" at {visible(problem.pointer)}" if problem.pointer else ""
        message = visible(problem.message)
        lines.append(f"{place}: {problem.severity}: {message}{pointer} [{problem.code}]")
        lines.extend(f"    {visible(line)}" for line in problem.hint.splitlines())
    return lines


def _position(problem: Problem) -> list[str]:
    return [str(problem.line), str(problem.column)] if problem.line else []


def problem_values(problems: Iterable[Problem]) -> list[dict[str, object]]:
    """Return problems as JSON values."""
    return [shown(problem)._asdict() for problem in problems]


def shown(problem: Problem) -> Problem:
    """Return a problem with every secret in its texts covered: they quote the file."""
    from doll.secrets import mask

    return problem._replace(
        message=mask(problem.message), hint=mask(problem.hint), pointer=mask(problem.pointer)
    )
