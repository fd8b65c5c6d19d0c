"""Making a repository."""

from pathlib import Path

from doll.errors import StorageError
from doll.vault import disk
from doll.vcs.plumbing.process import LOCAL_VARIABLES
from doll.vcs.plumbing.repository import Repository, find
from doll.vcs.porcelain import running


def init(root: Path, branch: str) -> Repository:
    """Make a repository in the folder `root` (made where it is missing), unborn on `branch`."""
    try:
        disk.make_folders(root)
    except OSError as error:
        raise StorageError(f"{root} cannot be made: {error.strerror or error}") from error
    with running.variables(dict.fromkeys(LOCAL_VARIABLES)):
        running.git(root, "init", "--quiet", f"--initial-branch={branch}")
    repository = find(root)
    assert repository is not None, "git init made no repository"
    return repository
