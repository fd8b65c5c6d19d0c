"""Records of HEAD that are gone from disk: which there are, and the line that brings them back.

Brings nothing back itself: whether they were lost or removed on purpose, only the user knows.
"""

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from doll.errors import NoVaultError
from doll.vault import layout
from doll.vcs import plumbing

if TYPE_CHECKING:
    from doll.services.opening import Vault


def committed_records(vault: "Vault") -> list[str]:
    """Return the paths of the record files that HEAD has outside `staging/`."""
    folders = [vault.in_git(area) for area in layout.LOCAL_AREAS]
    items = plumbing.tree(vault.repository, vault.head, folders)
    paths = (vault.in_vault(item.path) for item in items if item.mode.startswith("100"))
    return [path for path in paths if path is not None and layout.is_record(path)]


def left_out(vault: "Vault", paths: Sequence[str]) -> frozenset[str]:
    """Return those among `paths` that git was told to leave out of the work tree."""
    found = plumbing.skipped(vault.repository, list(map(vault.in_git, paths))) if paths else ()
    return frozenset(path for each in found if (path := vault.in_vault(each)) is not None)


def restoring(vault: "Vault", gone: Sequence[str]) -> str:
    """Return the line to type that brings back what is gone, and leaves every edit as it is."""
    root = shlex.quote(str(vault.root))
    git = f"git -C {root}"
    paths = list(map(vault.in_git, gone))
    in_index = {entry.path for entry in plumbing.tracked(vault.repository, paths)}
    if in_index.issuperset(paths) and not plumbing.edited(vault.repository, vault.prefix or "."):
        return f"{git} restore ."
    # `restore .` would take edits back, and what is staged as removed it does not know.
    return (
        f"{git} diff --no-renames --name-only --diff-filter=D --relative -z HEAD -- "
        f"{' '.join(layout.LOCAL_AREAS)} | {git} --literal-pathspecs restore --source=HEAD "
        "--staged --worktree --pathspec-from-file=- --pathspec-file-nul"
    )


def marker_gone(root: Path) -> NoVaultError:
    """Return the error for a vault whose `doll.yaml` is gone from disk, and there at HEAD."""
    place = shlex.quote(str(root))
    gone = not os.path.isdir(root)  # noqa: PTH112 - unlike Path's, it never raises
    making = f"mkdir -p {place} && " if gone else ""
    return NoVaultError(
        f"{root / layout.MARKER} is gone, and HEAD has it",
        hint=f"{making}git -C {place} restore --source=HEAD --staged --worktree -- {layout.MARKER}",
    )
