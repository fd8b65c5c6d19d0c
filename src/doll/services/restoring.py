"""Records of HEAD that are gone from disk: which there are, and the line that brings them back.

Brings nothing back itself: whether they were lost or removed on purpose, only the user knows.
Every line here looks when it is typed for what is gone: it writes no file over one that is there,
and drops no text that only git's index has.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from doll.errors import NoVaultError
from doll.services.locating import nearest
from doll.vault import layout
from doll.vault.obstacles import moving_away
from doll.vault.typed import typed
from doll.vcs import plumbing

if TYPE_CHECKING:
    from doll.services.opening import Vault

_SHORT = 12
# Lines of `git diff-index` for what is gone to those that `git update-index` reads.
_AS_ENTRIES = "'s/://;s/ 0* / /;s/ 0* D/ 0/'"


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


def restoring(
    root: Path, gone: Iterable[str], below: Iterable[str] = (), source: str = "HEAD"
) -> str:
    """Return the line to type that brings back what is gone, and leaves every edit as it is.

    `gone` are the paths that are, in the vault at `root`; the line names those `below` where they
    are given. A link or a file that stands in place of a folder gets another name first.
    """
    gone = tuple(gone)
    away = [moving_away(root / path) for path in _no_folders(root, gone)]
    return " && ".join([*away, bringing_back(_git(root), below or gone, source)])


def bringing_back(git: str, paths: Iterable[str], source: str = "HEAD") -> str:
    """Return the line that brings back what `source`, a commit, has at paths of the vault.

    What the index lacks gets into it, what is not on disk gets there as the index has it. Whatever
    is in one of the two stays as it is there. `git` is the command, which may name a folder.
    """
    named = " ".join(map(typed, paths))
    # `git restore` writes over what is there, and fails where nothing is to be done.
    gone = f"{source} -- {named}"
    return (
        f"{git} diff-index --cached --diff-filter=D {gone} | sed {_AS_ENTRIES} | "
        f"{git} update-index --index-info && "
        f"{git} diff-index --diff-filter=D --name-only --relative -z {gone} | "
        f"{git} checkout-index -uz --stdin"
    )


def unlinking(root: Path, path: str) -> str:
    """Return the line that brings back what HEAD has where a link or a submodule is staged.

    What is on disk and no part of a vault gets another name.
    """
    git, place = _git(root), root / path
    is_wrong = _is_no(os.path.isdir if path in layout.AREAS else os.path.isfile, place)
    lines = [f"{git} restore --staged -- {typed(path)}"]
    lines += [moving_away(place)] if is_wrong else []
    return " && ".join([*lines, bringing_back(git, [path])])


def _no_folders(root: Path, paths: Iterable[str]) -> list[str]:
    """Return the topmost of what stands where areas, or the folders of other paths, have to be."""
    folders = set[str]()
    for path in paths:
        folder = path if path in layout.AREAS else path.rpartition("/")[0]
        while folder and folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    found = [folder for folder in folders if _is_no(os.path.isdir, root / folder)]
    return sorted(x for x in found if not any(x.startswith(f"{each}/") for each in found))


def _is_no(kind: Callable[[Path], bool], place: Path) -> bool:
    """Return whether something is at `place`, and not of a `kind` that `os.path` knows."""
    return os.path.islink(place) or (os.path.lexists(place) and not kind(place))  # noqa: PTH114


def marker_gone(root: Path) -> NoVaultError:
    """Return the error for a vault whose `doll.yaml` is gone from disk, and is, or was, at HEAD."""
    if (fault := marker_taken_away(root)) is not None:
        return fault
    return NoVaultError(
        f"{root / layout.MARKER} is gone, and HEAD has it",
        hint=f"{_made(root)}{bringing_back(_git(root), [layout.MARKER])}",
    )


def marker_taken_away(root: Path) -> NoVaultError | None:
    """Return the error for a folder whose `doll.yaml` HEAD had once and has no more, else None."""
    repository = plumbing.find(nearest(root))
    head = plumbing.head(repository) if repository else None
    if repository is None or head is None or not root.is_relative_to(repository.top):
        return None
    from doll.services.committing import first
    from doll.vcs.plumbing.history import last_with

    path = (root / layout.MARKER).relative_to(repository.top).as_posix()
    if plumbing.tree(repository, head, [path]):
        return None
    if (had := last_with(repository, head, path)) is None:
        return None
    git = _git(root)
    return NoVaultError(
        f"{root / layout.MARKER} is gone, and a commit took it away",
        hint=f"{_made(root)}{bringing_back(git, [layout.MARKER], had[:_SHORT])}"
        "    brings the last one back\n"
        f"{first(repository)}{git} commit -m 'bring {layout.MARKER} back' -- {layout.MARKER}",
    )


def _git(root: Path) -> str:
    return f"git -C {typed(str(root))}"


def _made(root: Path) -> str:
    """Return how a line begins that makes the vault's folder first where that is gone."""
    gone = not os.path.isdir(root)  # noqa: PTH112 - unlike Path's, it never raises
    return f"mkdir -p {typed(str(root))} && " if gone else ""
