"""Installing the hook that guards a vault in a bare repository on a server."""

from pathlib import Path

from doll.errors import GitError, NoVaultError
from doll.services.accepted import PINNED_BRANCH
from doll.services.hooks.installing import Installed, install_pinned
from doll.services.receiving.committed import CommittedVault
from doll.services.receiving.server import vault_branch, vault_prefix
from doll.services.receiving.updates import BRANCHES
from doll.vault import layout
from doll.vcs import plumbing
from doll.vcs.plumbing.bare import find_bare

KIND = "pre-receive"


def install_bare(folder: Path, name: str, python: str) -> Installed:
    """Put doll's block into the pre-receive hook of the bare repository that `folder` is.

    `name` is the vault's path inside it. GitError when it is no bare repository, NoVaultError when
    its vault's branch has no vault there, ConflictError as in `installing.install`.
    """
    repository = find_bare(folder)
    if repository is None:
        raise GitError(
            f"{folder} lies in no bare repository",
            hint="doll hooks install    is for one with a work tree",
        )
    prefix = vault_prefix(name)
    pinned = plumbing.config(repository, PINNED_BRANCH, local=True)
    branch = pinned or vault_branch(repository, prefix)
    values = {"vault": prefix.removesuffix("/") or ".", "branch": branch, "python": python}
    done = install_pinned(repository, values | _known_id(repository, prefix, branch), [KIND])
    if plumbing.resolve(repository, f"{BRANCHES}{branch}") is None:
        note = f"nothing has been pushed to {branch} yet: its first push brings the vault"
        done = done._replace(notes=(*done.notes, note))
    return done


def _known_id(repository: plumbing.Repository, prefix: str, branch: str) -> dict[str, str]:
    """Return the vault's id to pin, nothing where no vault has been pushed yet."""
    commit = plumbing.resolve(repository, f"{BRANCHES}{branch}")
    if commit is None:
        return {}
    vault = CommittedVault(repository, prefix, commit)
    marker = vault.marker_at_head()
    if marker is None:
        raise NoVaultError(
            f"the branch {branch} has no {prefix}{layout.MARKER}",
            hint="doll hooks install --bare --vault PATH    names the vault's folder inside it",
        )
    settings = vault.parse_settings(marker)[0]
    return {"vaultId": settings.id} if settings is not None else {}
