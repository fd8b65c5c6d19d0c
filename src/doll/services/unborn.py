"""Why HEAD names no commit: nothing was ever committed, or the branch is damaged or lost.

Only the first one may be answered with a new first commit: that would end a history.
"""

import shlex
from pathlib import Path

from doll.errors import DollError, GitError, NoVaultError
from doll.services import beginning
from doll.vcs import plumbing
from doll.vcs.plumbing.damage import closed_on_the_way
from doll.vcs.plumbing.objects import last_logged


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
    place = repository.common_dir / "refs" / "heads" / name
    if closed := closed_on_the_way(repository.common_dir, place):
        return closed
    said = f"the branch {name} of {repository.top} is damaged, so git does not know its commit"
    file, commit = shlex.quote(str(place)), last_logged(repository, name)
    if commit and plumbing.is_here(repository, commit):
        # Never through a link: another branch may be at its end.
        own = f"rm -- {file} && " if place.is_symlink() else ""
        line = f"{own}echo {commit} >{file}    puts it back to where its log says that it was"
        return GitError(said, hint=line)
    return GitError(said, hint=f"# write the id of its last commit into {file}: a clone names it")


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
