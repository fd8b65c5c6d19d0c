"""Refusing a document: all its problems in the order of their places, bounded and printable."""

from collections.abc import Iterable

from doll.errors import InvalidDocumentError, Problem
from doll.interchange.pointers import encodable

MAX_PROBLEMS = 100


def refused(
    message: str, problems: Iterable[Problem], *, hint: str = "", unexamined: int = 0
) -> InvalidDocumentError:
    """Return the error for a document with `problems`; the first 100 are listed.

    `unexamined` is a number of further places known to be wrong and not looked at in detail.
    """
    ordered = sorted(problems)
    listed = [
        problem._replace(message=encodable(problem.message), pointer=encodable(problem.pointer))
        for problem in ordered[:MAX_PROBLEMS]
    ]
    more = len(ordered) - len(listed) + unexamined
    count = f"{len(ordered) + unexamined} problems" if len(ordered) > 1 else "1 problem"
    tail = f" (the first {len(listed)} are listed, +{more} more)" if more else ""
    return InvalidDocumentError(f"{message}: {count}{tail}", hint=hint, problems=listed)
