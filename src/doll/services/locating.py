"""Which folder is the vault: named by an option, the environment or git's configuration, or above.

Looks at names, and at HEAD where a `doll.yaml` is gone from disk; opening is `services.opening`.
"""

import os
import shlex
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from doll.errors import GitError, NoVaultError
from doll.vault import layout
from doll.vcs import plumbing

_CONFIGURED = "git config doll.vault"


class Place(NamedTuple):
    """Where to look for a vault, in this order.

    `tied`: git's variables name a repository. `here` is the repository of `cwd`, and `configured`
    what its configuration says of the vault, where the caller has found them already. `naming` is
    what to type where there is none.
    """

    explicit: Path | None
    environment: str | None
    cwd: Path
    tied: bool = False
    here: plumbing.Repository | None = None
    configured: str | None = None
    naming: str = (
        "doll init notes        makes a vault in the folder notes\n"
        "doll --help            the option --vault of each command names one elsewhere"
    )

    def repository(self) -> plumbing.Repository | None:
        """Return the repository of the working folder, or None."""
        return self.here or plumbing.find(self.cwd, own=self.tied)


def find(place: Place) -> tuple[Path, str]:
    """Return the vault's folder and how it was found; NoVaultError when there is none.

    A folder whose `doll.yaml` is gone from the work tree, with the folder or alone, and is there at
    HEAD is a vault still.
    """
    if place.explicit is not None:
        return _marked(place.cwd / place.explicit, "--vault"), "--vault"
    if place.environment:
        return _marked(place.cwd / place.environment, "DOLL_VAULT"), "DOLL_VAULT"
    configured = _configured(place)
    if configured is not None:
        return _marked(configured, _CONFIGURED), _CONFIGURED
    for folder in (place.cwd, *place.cwd.parents):
        if not _fault(folder):
            return folder.resolve(), "a parent folder" if folder != place.cwd else "this folder"
    if lost := _lost(place.cwd, [place.cwd, *place.cwd.parents]):
        return lost, "HEAD of this repository"
    said = f"no vault here: neither {place.cwd} nor a parent folder has a {layout.MARKER}"
    if elsewhere := _on_branches([place.cwd, *place.cwd.parents], said):
        raise elsewhere
    if gone := _taken_away([place.cwd, *place.cwd.parents]):
        raise gone
    raise NoVaultError(
        said,
        hint=place.naming,
    )


def find_on_disk(place: Place) -> Path | None:
    """Return the folder that `find` leads to where git need not be asked, None for none.

    It has a `doll.yaml` on disk; what git's configuration says counts where git says it.
    """
    named = place.explicit or place.environment
    folders = [place.cwd / named] if named else [place.cwd, *place.cwd.parents]
    if not named:
        with suppress(GitError):
            configured = _configured(place)
            folders = [configured] if configured is not None else folders
    return next((folder.resolve() for folder in folders if not _fault(folder)), None)


def _configured(place: Place) -> Path | None:
    repository = place.repository()
    value = place.configured or plumbing.config(repository, "doll.vault", kind="path")
    return (repository.top if repository else place.cwd) / value if value else None


def _marked(folder: Path, source: str) -> Path:
    fault = _fault(folder)
    if not fault:
        return folder.resolve()
    if lost := _lost(nearest(folder), [folder], asked=True):
        return lost
    if elsewhere := _on_branches([folder], f"{source} names {folder}, which {fault}"):
        raise elsewhere
    if gone := _taken_away([folder], asked=True):
        raise gone
    hint = _other(folder)
    if source == _CONFIGURED:
        hint = "doll hooks install --vault PATH    names the vault where it is now"
    raise NoVaultError(f"{source} names {folder}, which {fault}", hint=hint)


def _other(folder: Path) -> str:
    """Return what to do about a folder that was named and is no vault."""
    if folder.name == layout.MARKER and os.path.lexists(folder):
        return f"name the folder that it is in: {shlex.quote(str(folder.parent))}"
    there = next(place for place in (folder, *folder.parents) if os.path.lexists(place))
    if not os.path.isdir(there):  # noqa: PTH112
        return "name the folder of a vault, the one with doll.yaml in it"
    return f"name a vault, or make one: doll init {shlex.quote(str(folder))}"


def _on_branches(folders: Sequence[Path], said: str) -> NoVaultError | None:
    """Return the error for a vault that other branches have, and what is checked out has not."""
    from doll.services.branching import branches_with_vault

    start = nearest(folders[0])
    repository = plumbing.find(start) if os.access(start, os.X_OK) else None
    if repository is None:
        return None
    for folder in map(Path.resolve, folders):
        if branches := branches_with_vault(repository, folder):
            git = f"git -C {shlex.quote(str(repository.top))} switch"
            names = f"{' and '.join(branches)} {'has' if len(branches) == 1 else 'have'}"
            return NoVaultError(
                f"{said} in what is checked out; {names} the vault {folder}",
                hint="\n".join(f"{git} {shlex.quote(branch)}" for branch in branches),
            )
    return None


def _taken_away(folders: Sequence[Path], *, asked: bool = False) -> NoVaultError | None:
    """Return the error for a vault that a commit made none of; as in `_lost`, with `asked` or not.

    Only what history had where doll was at work, since history is long.
    """
    from doll.services.restoring import marker_taken_away

    inside = nearest(folders[0])
    repository = plumbing.find(inside) if os.access(inside, os.X_OK) else None
    if repository is None:
        return None
    for folder in map(Path.resolve, folders):
        is_looked = folder.is_relative_to(repository.top) and (
            asked or _was_here(repository, folder)
        )
        if is_looked and (fault := marker_taken_away(folder)):
            return fault
    return None


def nearest(folder: Path) -> Path:
    """Return the nearest folder at or above `folder` that is there."""
    return next(place for place in (folder, *folder.parents) if os.path.isdir(place))  # noqa: PTH112


def _fault(folder: Path) -> str:
    """Return why a folder is no vault, in words that follow its name; "" for one that is."""
    try:
        mode = (folder / layout.MARKER).lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return f"has no {layout.MARKER}" if os.path.isdir(folder) else "is no folder"  # noqa: PTH112
    except OSError as error:
        return f"cannot be looked at: {error.strerror}"
    return f"has a {layout.MARKER} that is no file" if stat.S_ISDIR(mode) else ""


def _lost(inside: Path, folders: Sequence[Path], *, asked: bool = False) -> Path | None:
    """Return the first of the folders whose `doll.yaml` is gone from disk and there at HEAD.

    Where it once asked for signatures also one that HEAD has not: a commit that removes it may be
    one that has no say. History is long, so without `asked` that is looked for only where doll was
    at work.
    """
    is_open = os.path.isdir(inside) and os.access(inside, os.X_OK)  # noqa: PTH112
    repository = plumbing.find(inside) if is_open else None
    if repository is None:
        return None
    places = [folder.resolve() for folder in folders]
    markers = {
        (place / layout.MARKER).relative_to(repository.top).as_posix(): place
        for place in places
        if place.is_relative_to(repository.top)
    }
    entries = plumbing.tree(repository, plumbing.head(repository), [*markers])
    found = {markers[entry.path] for entry in entries if entry.path in markers}
    if not found:
        looked = {path: p for path, p in markers.items() if asked or _was_here(repository, p)}
        found = {place for path, place in looked.items() if _once_asked(repository, path)}
    return next((place for place in places if place in found), None)


def _was_here(repository: plumbing.Repository, folder: Path) -> bool:
    """Return whether doll was at work in a repository, or a folder looks like a vault."""
    there = (repository.git_dir / "doll", repository.common_dir / "doll", folder / "authority")
    # `os.path.isdir` never raises, unlike Path's.
    return any(map(os.path.isdir, there))


def _once_asked(repository: plumbing.Repository, path: str) -> bool:
    from doll.vcs.plumbing.history import versions

    head = plumbing.head(repository)
    oids = versions(repository, (head,), (), path) if head else ()
    return any(b"required" in data for data in plumbing.blobs(repository, oids).values())
