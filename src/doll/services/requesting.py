"""What a request takes from the repository it is made in: its project and its staged paths."""

from pathlib import Path

from doll.errors import UsageError
from doll.services.opening import Vault
from doll.vcs import plumbing

PROJECT = "doll.project"


def configured_project(cwd: Path) -> str | None:
    """Return the project that the repository of `cwd` names in git's configuration, or None."""
    repository = plumbing.find(cwd, own=True)
    return (plumbing.config(repository, PROJECT) or None) if repository else None


def staged_paths(cwd: Path, vault: Vault | None) -> tuple[str, ...]:
    """Return the staged paths of the repository of `cwd`, those of the vault itself left out."""
    repository = plumbing.find(cwd, own=True)
    if repository is None:
        raise UsageError("--staged: this folder is in no git repository")
    changes = plumbing.staged(repository, plumbing.head(repository))
    if vault is not None and plumbing.same_work_tree(repository, vault.repository):
        return tuple(c.path for c in changes if vault.in_vault(c.path) is None)
    return tuple(change.path for change in changes)
