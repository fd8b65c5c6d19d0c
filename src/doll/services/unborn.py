"""Why HEAD names no commit: nothing was ever committed, or the branch is damaged or lost.

Only the first one may be answered with a new first commit: that would end a history.
"""

import shlex
from pathlib import Path

from doll.errors import DollError, GitError, NoVaultError
from doll.services import beginning
from doll.vcs import plumbing


def no_commit(root: Path, repository: plumbing.Repository) -> DollError:
    """Return the error for a vault whose HEAD names no commit: GitError, NoVaultError."""
    if broken := plumbing.broken_branch(repository):
        return _broken(repository, broken)
    if lost := plumbing.lost_branch(repository):
        return _lost(repository, *lost)
    said = f"the vault {root} has no commit yet, so nothing in it is accepted"
    if beginning.was_begun(root):
        said = f"the vault {root} has no commit any more: its history is gone"
    return NoVaultError(said, hint=beginning.lines(root))


def _broken(repository: plumbing.Repository, name: str) -> GitError:
    log = shlex.quote(str(repository.git_dir / "logs" / "HEAD"))
    file = shlex.quote(str(repository.common_dir / "refs" / "heads" / name))
    return GitError(
        f"the branch {name} of {repository.top} is damaged, so git does not know its commit",
        hint=f"tail -n 1 {log}    names the commit that it was at: the second word\n"
        f"echo COMMIT >{file}    puts it back",
    )


def _lost(repository: plumbing.Repository, name: str, commit: str) -> GitError:
    git = f"git -C {shlex.quote(str(repository.top))}"
    message = f"the branch {name} of {repository.top} is gone, and its log says that it was at "
    if plumbing.is_here(repository, commit):
        ref = shlex.quote(f"refs/heads/{name}")
        return GitError(f"{message}{commit[:12]}", hint=f"{git} update-ref {ref} {commit}")
    objects = shlex.quote(str(repository.common_dir / "objects"))
    return GitError(
        f"{message}{commit[:12]}, which is not here either",
        hint=f"# copy {objects} back from a backup or from the .git of a clone",
    )
