"""Records of HEAD that are gone from disk: which there are, and the line that brings them back.

Brings nothing back itself: whether they were lost or removed on purpose, only the user knows.
"""

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from doll.errors import NoVaultError
from doll.services.locating import nearest
from doll.vault import layout
from doll.vcs import plumbing

if TYPE_CHECKING:
    from doll.services.opening import Vault

_SHORT = 12


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


def restoring(vault: "Vault") -> str:
    """Return the line to type that brings back what is gone, and leaves every edit as it is.

    It looks for what is gone when it is typed: what was edited since it was printed stays too.
    """
    git = f"git -C {shlex.quote(str(vault.root))}"
    # `restore .` would take edits back, and what is staged as removed it does not know.
    return (
        f"{git} diff --no-renames --name-only --diff-filter=D --relative -z HEAD -- "
        f"{' '.join(layout.LOCAL_AREAS)} | {git} --literal-pathspecs restore --source=HEAD "
        "--staged --worktree --pathspec-from-file=- --pathspec-file-nul"
    )


def marker_gone(root: Path) -> NoVaultError:
    """Return the error for a vault whose `doll.yaml` is gone from disk, and is, or was, at HEAD."""
    if (fault := marker_taken_away(root)) is not None:
        return fault
    return NoVaultError(
        f"{root / layout.MARKER} is gone, and HEAD has it",
        hint=f"{_git(root)} restore --source=HEAD --staged --worktree -- {layout.MARKER}",
    )


def marker_taken_away(root: Path) -> NoVaultError | None:
    """Return the error for a folder whose `doll.yaml` HEAD had once and has no more, else None."""
    repository = plumbing.find(nearest(root))
    head = plumbing.head(repository) if repository else None
    if repository is None or head is None or not root.is_relative_to(repository.top):
        return None
    from doll.vcs.plumbing.history import last_with

    path = (root / layout.MARKER).relative_to(repository.top).as_posix()
    if plumbing.tree(repository, head, [path]):
        return None
    if (had := last_with(repository, head, path)) is None:
        return None
    git = _git(root)
    return NoVaultError(
        f"{root / layout.MARKER} is gone, and a commit took it away",
        hint=f"{git} checkout {had[:_SHORT]} -- {layout.MARKER}    brings the last one back\n"
        f"{git} commit -m 'bring {layout.MARKER} back' -- {layout.MARKER}",
    )


def _git(root: Path) -> str:
    place = shlex.quote(str(root))
    gone = not os.path.isdir(root)  # noqa: PTH112 - unlike Path's, it never raises
    return f"{f'mkdir -p {place} && ' if gone else ''}git -C {place}"
