"""Opening a vault: which one, its settings, its repository, and whether it is whole.

A vault that is missing, unreadable, without a commit, or empty on disk where HEAD has records is
an error, never "no records".
"""

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from doll.errors import ConfigurationError, NoVaultError
from doll.vault import layout
from doll.vault.entries import Entries, Loader
from doll.vault.files import read
from doll.vault.sealed import Cache
from doll.vault.settings import Settings, parse_settings
from doll.vault.snapshot import has_records
from doll.vcs import plumbing


class Place(NamedTuple):
    """Where to look for a vault, in this order; `tied`: git's variables name a repository."""

    explicit: Path | None
    environment: str | None
    cwd: Path
    tied: bool = False


class Vault:
    """An open vault.

    `root` is its folder, `source` how it was found, `prefix` where it lies in its repository ("" or
    `notes/`), `state` is `<git dir>/doll`. `settings` are those of the work tree; what decides is
    read at the accepted commit.
    """

    def __init__(
        self,
        root: Path,
        source: str,
        settings: Settings,
        repository: plumbing.Repository,
        head: str,
    ) -> None:
        self.root = root
        self.source = source
        self.settings = settings
        self.repository = repository
        self.head = head
        inside = root.relative_to(repository.top).as_posix()
        self.prefix = "" if inside == "." else f"{inside}/"
        self.state = repository.git_dir / "doll"

    @cached_property
    def cache(self) -> Cache:
        """The vault's cache, with its trust rules applied."""
        there = (self.root / layout.CACHE).exists()
        tracked = there and bool(plumbing.tracked(self.repository, [self.in_git(layout.CACHE)]))
        return Cache(self.root, self.state, tracked=tracked)

    @cached_property
    def loader(self) -> Loader:
        """Loads record files through the parse cache."""
        return Loader(self.root, self.cache, self.repository.algorithm)

    def load(self, folders: Iterable[str] = layout.AREAS) -> Entries:
        """Load the record files of some folders as they are on disk now."""
        return self.loader.folders(folders)

    def in_git(self, path: str) -> str:
        """Return a path of the vault relative to the top of its repository."""
        return self.prefix + path

    def in_vault(self, path: str) -> str | None:
        """Return a path of the repository relative to the vault, None when it lies outside."""
        return path.removeprefix(self.prefix) if path.startswith(self.prefix) else None


def open_vault(place: Place) -> Vault:
    """Open the vault that `place` leads to.

    Raises NoVaultError (none, unreadable, no commit, empty against HEAD), ConfigurationError (its
    `doll.yaml`), GitError.
    """
    root, source = find(place)
    settings = read_settings(root)
    repository = _repository(root, place)
    head = plumbing.head(repository)
    if head is None:
        raise NoVaultError(
            f"the vault {root} has no commit yet, so nothing in it is accepted",
            hint='git add -A && git commit -m "Start the vault"',
        )
    vault = Vault(root, source, settings, repository, head)
    _refuse_emptied(vault)
    return vault


def find(place: Place) -> tuple[Path, str]:
    """Return the vault's folder and how it was found; NoVaultError when there is none."""
    if place.explicit is not None:
        return _marked(place.cwd / place.explicit, "--vault"), "--vault"
    if place.environment:
        return _marked(place.cwd / place.environment, "DOLL_VAULT"), "DOLL_VAULT"
    configured = _configured(place)
    if configured is not None:
        return _marked(configured, "git config doll.vault"), "git config doll.vault"
    for folder in (place.cwd, *place.cwd.parents):
        if (folder / layout.MARKER).is_file():
            return folder.resolve(), "a parent folder" if folder != place.cwd else "this folder"
    raise NoVaultError(
        f"no vault here: neither {place.cwd} nor a parent folder has a {layout.MARKER}",
        hint="doll init notes        makes a vault in the folder notes\n"
        "doll --help            the option --vault of each command names one elsewhere",
    )


def read_settings(root: Path) -> Settings:
    """Return the settings of the work tree; ConfigurationError with every problem."""
    try:
        data = read(root, layout.MARKER)
    except OSError as error:
        raise NoVaultError(
            f"{root / layout.MARKER} cannot be read: {error.strerror}",
            hint="check its permissions, and that its disk is mounted",
        ) from error
    settings, problems = parse_settings(data)
    if settings is None:
        raise ConfigurationError(f"{layout.MARKER} of {root} has problems", problems=problems)
    return settings


def _configured(place: Place) -> Path | None:
    repository = plumbing.find(place.cwd, own=place.tied)
    if repository is None:
        return None
    value = plumbing.config(repository, "doll.vault", kind="path")
    return repository.top / value if value else None


def _marked(folder: Path, source: str) -> Path:
    if not (folder / layout.MARKER).is_file():
        state = "has no doll.yaml" if folder.is_dir() else "is not there"
        raise NoVaultError(
            f"{source} names {folder}, which {state}",
            hint=f"name a vault, or make one: doll init {folder}",
        )
    return folder.resolve()


def _repository(root: Path, place: Place) -> plumbing.Repository:
    repository = plumbing.find(root)
    if repository is None:
        raise NoVaultError(
            f"the vault {root} is in no git repository, so nothing in it is accepted",
            hint=f"doll init {root}",
        )
    if place.tied:
        own = plumbing.find(place.cwd, own=True)
        if own is not None and plumbing.same_work_tree(own, repository):
            return own
    return repository


def _refuse_emptied(vault: Vault) -> None:
    if has_records(vault.root, layout.LOCAL_AREAS):
        return
    folders = [vault.in_git(area) for area in layout.LOCAL_AREAS]
    kept = [entry.path for entry in plumbing.tree(vault.repository, vault.head, folders)]
    records = [path for path in kept if layout.is_record(path.removeprefix(vault.prefix))]
    if records:
        raise NoVaultError(
            f"the vault {vault.root} has no record on disk, and HEAD has {len(records):,}",
            hint=f"git -C {vault.root} restore .    brings them back",
        )
