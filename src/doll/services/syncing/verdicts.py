"""Why what is here is not pushed: errors that the remote has not, and whose they are."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from doll.errors import Problem
from doll.services.opening import Vault
from doll.services.pending import Difference
from doll.services.syncing.values import Stop
from doll.services.syncing.wording import git, listed, words

if TYPE_CHECKING:
    from doll.services.syncing.committing import Committed

_FOUND = 1
_SHORT = 12
_SHOWN = 20


def merged_badly(
    new: tuple[Problem, ...], own: tuple[Problem, ...], files: Iterable[Difference]
) -> Stop:
    """Return the stop for a merge: errors that are `new` in it, or that this side brings.

    `files` are what the merge took over as the remote has it.
    """
    if not new:
        return brings_errors(own)
    came = [each.path for each in files if any(_is_named(each.path, problem) for problem in new)]
    whose = f"; {listed(came)} came from the remote" if came else ""
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


def committed_badly(
    vault: Vault, before: str, made: "Committed", problems: tuple[Problem, ...]
) -> Stop:
    """Return the stop for a commit that is not what was judged, and has `problems`.

    Files were saved while it was made, or a hook or somebody else committed more.
    """
    lead = git(vault)
    besides = tuple(each.path for each in made.besides)
    if besides:
        what = "more was committed than this, by a hook or by hand, and it has errors"
    else:
        what = f"{listed(made.otherwise)} was saved while it was committed, and has errors now"
    # What was saved meanwhile is on disk. Staged, it would be one more text once that is mended.
    saved = words([vault.in_git(path) for path in made.otherwise])
    unstaged = f" && {lead} reset -q -- {saved}" if saved else ""
    return Stop(
        _FOUND,
        f"{what}; not pushed",
        f"{lead} reset --soft {before[:_SHORT]}{unstaged}    takes back what was committed and "
        "leaves the files, then doll sync",
        problems,
        (*made.otherwise, *besides)[:_SHOWN],
    )
