"""Problems as text lines and as JSON values, secrets in what they quote covered.

Everything that shows a problem to anybody goes through `shown`, every other hint through `hinted`;
a path stays as it is, since a file is found by it.
"""

from collections.abc import Iterable

from doll.errors import Problem
from doll.render.leading import led
from doll.render.text import visible


def problem_lines(problems: Iterable[Problem]) -> list[str]:
    """Return `path:line:column: severity: message [code]` lines, each followed by its hint.

    A problem without a path begins with its severity.
    """
    lines = []
    for problem in map(shown, problems):
        place = ":".join([visible(problem.path), *_position(problem), " "]) if problem.path else ""
        pointer = f" at {visible(problem.pointer)}" if problem.pointer else ""
        message = visible(problem.message)
        lines.append(f"{place}{problem.severity}: {message}{pointer} [{problem.code}]")
        lines.extend(f"    {visible(line)}" for line in problem.hint.splitlines())
    return lines


def _position(problem: Problem) -> list[str]:
    return [str(problem.line), str(problem.column)] if problem.line else []


def problem_values(problems: Iterable[Problem]) -> list[dict[str, object]]:
    """Return problems as JSON values."""
    return [shown(problem)._asdict() for problem in problems]


def shown(problem: Problem) -> Problem:
    """Return a problem with every secret in its texts covered: they quote the file."""
    return problem._replace(
        message=covered(problem.message),
        hint=hinted(problem.hint),
        pointer=covered(problem.pointer),
    )


def hinted(hint: str) -> str:
    """Return a hint as it is shown: no secret in it, its lines such that they lead to the vault."""
    return led(covered(hint))


def covered(text: str) -> str:
    """Return a message or hint with every secret covered, also where a hint put it in quotes.

    In quotes a text can look like words that stand there on purpose, as it does not in the file.
    """
    from doll.secrets import mask, scan

    for hit in reversed(scan(text.replace('"', " "))):
        text = f"{text[: hit.start]}[secret: {hit.detector}]{text[hit.end :]}"
    return mask(text)
