"""The lines that move a file to where it belongs: `git mv` for what git tracks, else `mv -n`.

Neither writes over a file that is there.
"""

from collections.abc import Collection, Iterable

from doll.errors import Problem
from doll.services.opening import Vault
from doll.vcs import plumbing

_CODES = ("id.invalid", "path.misplaced", "path.alike", "file.not_a_record", "review.digest")


def with_git_mv(problems: Iterable[Problem], tracked: Collection[str]) -> list[Problem]:
    """Return the problems, the `mv` in their hints as `git mv` where the path is `tracked`."""
    return [
        problem._replace(hint=problem.hint.replace("mv -n -- ", "git mv -- ", 1))
        if problem.code in _CODES and problem.path in tracked
        else problem
        for problem in problems
    ]


def on_disk(vault: Vault, problems: Iterable[Problem]) -> list[Problem]:
    """Return problems of a draft for files that git may not know: there `git mv` fails."""
    found = list(problems)
    tracked = tracked_among(vault, found)
    return [
        problem._replace(hint=problem.hint.replace("git mv -- ", "mv -n -- ", 1))
        if problem.code in _CODES and problem.path not in tracked
        else problem
        for problem in found
    ]


def tracked_among(vault: Vault, problems: Iterable[Problem]) -> set[str]:
    """Return which of the files that should be moved are in git's index."""
    paths = [vault.in_git(problem.path) for problem in problems if problem.code in _CODES]
    if not paths:
        return set()
    found = (vault.in_vault(item.path) for item in plumbing.tracked(vault.repository, paths))
    return {path for path in found if path is not None}
