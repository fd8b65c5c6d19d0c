"""Why what is here is not pushed: errors that the remote has not, and whose they are."""

import re
from collections.abc import Iterable

from doll.errors import Problem
from doll.services.pending import Difference
from doll.services.syncing.values import Stop

_FOUND = 1


def merged_badly(
    new: tuple[Problem, ...], own: tuple[Problem, ...], files: Iterable[Difference]
) -> Stop:
    """Return the stop for a merge: errors that are `new` in it, or that this side brings.

    `files` are what the merge took over.
    """
    if not new:
        return brings_errors(own)
    came = [each.path for each in files if any(_is_named(each.path, problem) for problem in new)]
    whose = f"; {', '.join(came[:3])} came from the remote" if came else ""
    return Stop(
        _FOUND,
        f"the merge has errors that neither side had, so it is not pushed{whose}",
        "mend the files, then doll sync",
        (*new, *own),
    )


def _is_named(path: str, problem: Problem) -> bool:
    return problem.path == path or path in re.split(r"[\s,;]+", problem.message)


def brings_errors(problems: tuple[Problem, ...]) -> Stop:
    """Return the stop for errors of commits made here."""
    return Stop(
        _FOUND,
        "not pushed: what is committed here has errors that the remote has not",
        "mend the files, then doll sync",
        problems,
    )


def saved_meanwhile(paths: tuple[str, ...], problems: tuple[Problem, ...]) -> Stop:
    """Return the stop for files that changed between being judged and being committed."""
    return Stop(
        _FOUND,
        f"{', '.join(paths[:3])} was saved while it was committed, and has errors now; not pushed",
        "git reset --soft HEAD~1    takes the commit back and leaves the files, then doll sync",
        problems,
        paths,
    )
