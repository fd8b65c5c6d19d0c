"""Opening a vault: which one, its settings, its repository, and whether it is whole.

A vault that is missing, unreadable, without a commit, or empty on disk where HEAD has records is
an error, never "no records".
"""

import errno
import os
import shlex
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from doll.errors import ConfigurationError, GitError, NoVaultError, Problem
from doll.records.digest import sha256
from doll.services.locating import Place, find, nearest
from doll.vault import layout
from doll.vault.entries import Entries, Loader
from doll.vault.files import read
from doll.vault.sealed import Cache
from doll.vault.settings import Settings, frozen_settings, parse_settings, thawed_settings
from doll.vault.snapshot import has_records
from doll.vcs import plumbing

__all__ = [
    "Place",
    "Vault",
    "emptied",
    "open_accepted",
    "open_vault",
    "require_records",
    "require_whole",
]

# Raise it when what a `doll.yaml` means changes.
SETTINGS_CACHE = 2


class Vault:
    """An open vault.

    `root` is its folder, `source` how it was found, `prefix` where it lies in its repository ("" or
    `notes/`), `state` is `<git dir>/doll`. `head` is the commit that HEAD named, `branch` the one
    that it was on, if any. `marker` are the bytes of `doll.yaml` in the work tree, None where it
    cannot be read, and `settings` what they say; what decides is read at the accepted commit.
    """

    def __init__(
        self,
        root: Path,
        source: str,
        marker: bytes | None,
        repository: plumbing.Repository,
        position: plumbing.Position,
    ) -> None:
        self.root = root
        self.source = source
        self.marker = marker
        self.repository = repository
        self.head, self.branch = position
        inside = root.relative_to(repository.top).as_posix()
        self.prefix = "" if inside == "." else f"{inside}/"
        self.state = repository.git_dir / "doll"

    @cached_property
    def settings(self) -> Settings:
        """The settings of the work tree.

        ConfigurationError with every problem of `doll.yaml`, NoVaultError where it is gone.
        """
        marker = read_marker(self.root) if self.marker is None else self.marker
        settings, problems = self.parse_settings(marker)
        if settings is None:
            from doll.services.waiting import find as waiting

            said = f"{layout.MARKER} of {self.root} has problems"
            found = waiting(self.repository)
            hint = f"{found.what} waits:\n{found.lines}" if found else ""
            raise ConfigurationError(said, hint=hint, problems=problems)
        return settings

    def parse_settings(self, data: bytes) -> tuple[Settings | None, tuple[Problem, ...]]:
        """Return what the bytes of a `doll.yaml` say; readable ones are remembered in the cache.

        Reading YAML would cost every hook more than all its git calls.
        """
        name = f"settings/{SETTINGS_CACHE}-{sha256(data)[:32]}"
        cached = self.cache.load(name)
        if cached is not None and (known := thawed_settings(cached)) is not None:
            return known, ()
        settings, problems = parse_settings(data)
        if settings is not None and not problems:
            self.cache.store(name, frozen_settings(settings))
        return settings, problems

    @cached_property
    def cache(self) -> Cache:
        """The vault's cache, with its trust rules applied."""
        # False, and no error, where `.doll` cannot be entered: then there is no cache to use.
        there = os.path.lexists(self.root / layout.CACHE)
        return Cache(self.root, self.state, tracked=there and self._tracks_cache())

    def _tracks_cache(self) -> bool | None:
        """Return whether git tracks the cache, None where its index cannot be read.

        Nothing else that is read here needs the index.
        """
        try:
            return plumbing.tracks(self.repository, self.in_git(layout.CACHE))
        except GitError:
            return None

    @cached_property
    def loader(self) -> Loader:
        """Loads record files through the parse cache."""
        return Loader(self.root, self.cache, self.repository.algorithm)

    def load(self, folders: Iterable[str] = layout.AREAS) -> Entries:
        """Load the record files of some folders as they are on disk now."""
        return self.loader.folders(folders)

    def read(self, path: str) -> bytes:
        """Return the bytes of a file of the vault; OSError where there is none to read."""
        return read(self.root, path)

    def in_git(self, path: str) -> str:
        """Return a path of the vault relative to the top of its repository."""
        return self.prefix + path

    def in_vault(self, path: str) -> str | None:
        """Return a path of the repository relative to the vault, None when it lies outside."""
        return path.removeprefix(self.prefix) if path.startswith(self.prefix) else None

    def owns(self, path: str) -> bool:
        """Return whether a path of the repository is one of the vault's own files."""
        inside = self.in_vault(path)
        return inside is not None and layout.is_own(inside)


def open_vault(place: Place) -> Vault:
    """Open the vault that `place` leads to, whole.

    Raises NoVaultError (none, unreadable, no commit, empty against HEAD), ConfigurationError (its
    `doll.yaml`), GitError.
    """
    vault = open_accepted(place)
    require_whole(vault)
    return vault


def require_whole(vault: Vault) -> None:
    """Raise what `open_vault` does where the settings cannot be read, or every record is gone."""
    vault.settings  # noqa: B018 - reading them is the question
    require_records(vault)


def open_accepted(place: Place) -> Vault:
    """Open the vault for what is committed in it, whatever became of its work tree.

    A `doll.yaml` that is broken or gone there and records that are gone have no say in what is
    accepted. Raises NoVaultError (none, no commit) and GitError.
    """
    if place.here is None and (place.tied or not (place.explicit or place.environment)):
        place = place._replace(here=place.repository())
    root, source = find(place)
    repository = _repository(root, place)
    try:
        marker = read_marker(root)
    except NoVaultError:
        marker = None
    position = plumbing.position(repository)
    if position is None:
        from doll.services.unborn import no_commit

        raise no_commit(root, repository)
    return Vault(root, source, marker, repository, position)


def read_marker(root: Path) -> bytes:
    """Return the bytes of `doll.yaml`; NoVaultError when they cannot be read."""
    try:
        return read(root, layout.MARKER)
    except FileNotFoundError as error:
        from doll.services.restoring import marker_gone

        raise marker_gone(root) from error
    except OSError as error:
        link = error.errno == errno.ELOOP
        why = "is a symbolic link" if link else f"cannot be read: {error.strerror}"
        raise NoVaultError(
            f"{root / layout.MARKER} {why}",
            hint="put the file itself there"
            if link
            else "check its permissions, and that its disk is mounted",
        ) from error


def require_records(vault: Vault, *, unless_staged: bool = False) -> None:
    """Raise NoVaultError for a vault that has no record on disk where HEAD has some.

    With `unless_staged` not where the index has none either: then it is a change like others.
    """
    fault = emptied(vault)
    if fault and not (unless_staged and not _has_staged(vault)):
        raise fault


def _has_staged(vault: Vault) -> bool:
    folders = [vault.in_git(area) for area in layout.LOCAL_AREAS]
    paths = (vault.in_vault(item.path) for item in plumbing.tracked(vault.repository, folders))
    return any(path is not None and layout.is_record(path) for path in paths)


def emptied(vault: Vault) -> NoVaultError | None:
    """Return the error for a vault that has no record on disk where HEAD has some, else None.

    What git was told to leave out of the work tree need not be there.
    """
    if has_records(vault.root, layout.LOCAL_AREAS):
        return None
    from doll.services.restoring import committed_records, left_out, restoring

    records = committed_records(vault)
    absent = left_out(vault, records)
    gone = [path for path in records if path not in absent]
    if not gone:
        return None
    return NoVaultError(
        f"the vault {vault.root} has no record on disk, and HEAD has {len(gone):,}",
        hint=f"{restoring(vault.root, gone, layout.LOCAL_AREAS)}    brings them back",
    )


def _repository(root: Path, place: Place) -> plumbing.Repository:
    own = place.here
    if own and _surely_holds(own, root):
        return own
    found = plumbing.find(nearest(root), deadline=own.deadline if own else None)
    # A work tree that only the environment ties to its repository (`git --work-tree`) shows no
    # `.git`, or an outer one.
    if own and root.is_relative_to(own.top) and (not found or _lies_within(own, found)):
        return own
    if found is None:
        raise _without_git(root)
    _require_undamaged(root, found)
    return own if own and plumbing.same_work_tree(own, found) else found


def _without_git(root: Path) -> NoVaultError:
    from doll.services import beginning

    said = f"the vault {root} is in no git repository, so nothing in it is accepted"
    git_dir = root / ".git"
    if os.path.lexists(git_dir):
        place = shlex.quote(str(git_dir))
        hint = f"# {place} is empty: put it back from a backup, or clone the vault anew"
        return NoVaultError(said, hint=hint)
    if beginning.was_begun(root):
        said = f"the vault {root} is in no git repository: its .git is gone"
    first = f"git init -b {_branch(root)} {shlex.quote(str(root))}"
    return NoVaultError(said, hint=beginning.lines(root, first))


def _require_undamaged(root: Path, found: plumbing.Repository) -> None:
    """Raise GitError where git passes over a damaged repository and takes one further out."""
    between = (each for each in (root, *root.parents) if each.is_relative_to(found.top))
    if any(each != found.top and os.path.lexists(each / ".git") for each in between):
        from doll.vcs.plumbing.damage import damaged

        if (fault := damaged(root, below=found.top)) is not None:
            raise fault


def _surely_holds(repository: plumbing.Repository, folder: Path) -> bool:
    """Return whether git would find just this repository from a folder, without asking it."""
    if not folder.is_relative_to(repository.top):
        return False
    try:
        if not (repository.top / ".git").samefile(repository.git_dir):
            return False
    except OSError:
        return False
    between = (each for each in (folder, *folder.parents) if each.is_relative_to(repository.top))
    return not any(os.path.lexists(each / ".git") for each in between if each != repository.top)


def _lies_within(one: plumbing.Repository, other: plumbing.Repository) -> bool:
    return one.top != other.top and one.top.is_relative_to(other.top)


def _branch(root: Path) -> str:
    settings = parse_settings(read_marker(root))[0]
    return shlex.quote(settings.branch) if settings else "main"
