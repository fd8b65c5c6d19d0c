"""Which vault a watcher watches: by its id, and by the repository that it lies in.

Another one may be put in its place, or git may find another repository around it. What is done
there would be done to somebody else's records.
"""

import os
from pathlib import Path
from typing import NamedTuple

from doll.errors import NoVaultError
from doll.services.accepted import settings_bytes
from doll.services.beginning import BRING_BACK
from doll.services.opening import Vault
from doll.vault import layout
from doll.vault.settings import parse_settings
from doll.vcs import plumbing


class Own(NamedTuple):
    """The vault that is watched: the id in its `doll.yaml`, "" for none, and its git folder."""

    id: str
    git_dir: Path


def own(vault: Vault) -> Own:
    """Return what tells a vault from others. Raises GitError."""
    return Own(_id(vault), vault.repository.git_dir)


def require(vault: Vault, wanted: Own, again: str) -> None:
    """Raise NoVaultError where a vault is not the wanted one, and GitError.

    `again` is the line that watches what is there now.
    """
    found = own(vault)
    if found.git_dir != wanted.git_dir and not os.path.lexists(wanted.git_dir):
        raise gone(wanted)
    moved = found.git_dir != wanted.git_dir
    if not moved and (found.id == wanted.id or not (found.id and wanted.id)):
        return
    what = "the vault lies in another repository now" if moved else "another vault is here"
    hint = (
        "# move the watched vault back: it is looked for again and again\n"
        f"kill {os.getpid()} && {again}    watches what is here now"
    )
    raise NoVaultError(f"{what}, and it is left alone: {vault.root}", hint=hint)


def gone(wanted: Own) -> NoVaultError:
    """Return the error for a repository that was there and is not."""
    return NoVaultError(f"the vault's repository {wanted.git_dir} is gone", hint=BRING_BACK)


def _id(vault: Vault) -> str:
    """Return the id in `doll.yaml`: on disk, or where that cannot be read at HEAD."""
    settings = parse_settings(vault.marker)[0] if vault.marker is not None else None
    if settings is None:
        items = plumbing.tree(vault.repository, vault.head, [vault.in_git(layout.MARKER)])
        data = settings_bytes(vault, items)
        settings = parse_settings(data)[0] if data is not None else None
    return settings.id if settings is not None else ""
