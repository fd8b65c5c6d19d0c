"""What a request takes from the repository it is made in: its project and its staged paths."""

from doll.errors import UsageError
from doll.services.opening import Vault
from doll.vcs import plumbing

PROJECT = "doll.project"


def configured_project(here: plumbing.Repository | None) -> str | None:
    """Return the project that a repository names in git's configuration, or None."""
    return (plumbing.config(here, PROJECT) or None) if here else None


def staged_paths(here: plumbing.Repository | None, vault: Vault | None) -> tuple[str, ...]:
    """Return the staged paths of a repository, those of the vault itself left out."""
    if here is None:
        raise UsageError("--staged: this folder is in no git repository")
    if vault is not None and plumbing.same_work_tree(here, vault.repository):
        changes = plumbing.staged(here, vault.head)
        return tuple(c.path for c in changes if vault.in_vault(c.path) is None)
    return tuple(change.path for change in plumbing.staged(here, plumbing.head(here)))
