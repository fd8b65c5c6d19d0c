"""What of a history could not be looked at, as problems with the line that brings it."""

from doll.errors import GitError, Problem
from doll.services.locating import Place, nearest
from doll.services.verifying.faults import SHORT
from doll.vcs import plumbing
from doll.vcs.plumbing.history import is_partial
from doll.vcs.plumbing.process import left_out


def shallow(commit: str) -> Problem:
    """Return the gap before a commit whose parents a shallow clone has not."""
    message = f"the history is cut off at commit {commit[:SHORT]} (a shallow clone)"
    hint = "git fetch --unshallow    brings the rest; in CI: fetch-depth: 0, or GIT_DEPTH: 0"
    return Problem("", 0, 0, "history.shallow", message, hint=hint)


def missing(number: int) -> Problem:
    """Return the gap of so many files whose bytes are not here."""
    message = f"{number:,} of the files in the history are not here"
    return Problem("", 0, 0, "history.partial", message, hint=left_out().hint)


def partial(repository: plumbing.Repository, error: GitError) -> Problem:
    """Return the gap that made git fail in a partial clone; raises the error in another one."""
    if not is_partial(repository):
        raise error
    return Problem("", 0, 0, "history.partial", error.message, hint=error.hint or left_out().hint)


def unopened(place: Place, error: GitError) -> Problem:
    """Return the gap that kept git from telling where the vault is; raises as `partial` does."""
    named = place.explicit or place.environment
    repository = plumbing.find(nearest(place.cwd / named)) if named else place.repository()
    if repository is None:
        raise error
    return partial(repository, error)
