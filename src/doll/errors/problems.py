"""`Problem`: one thing wrong with one place in a file, as a value."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

Severity = Literal["error", "warning", "note"]


class Problem(NamedTuple):
    """One thing wrong with data, and what to write instead.

    Sorts by place, then code. `path` is relative to the vault with `/` between its parts, or the
    name of a source document; `line` and `column` count from 1 in the *file* and are 0 where a
    file has no such place. `code` stands in `doll.errors.CODES`. `pointer` is an RFC 6901 JSON
    Pointer for problems of JSON documents.
    """

    path: str
    line: int
    column: int
    code: str
    message: str
    severity: Severity = "error"
    hint: str = ""
    pointer: str = ""


def errors_in(problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems that make a record unreadable or an operation impossible."""
    return [problem for problem in problems if problem.severity == "error"]
