"""Opening a vault: which one, its settings, its repository, and whether it is whole.

A vault that is missing, unreadable, without a commit, or empty on disk where HEAD has records is
an error, never "no records".
"""

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from doll.errors import ConfigurationError, NoVaultError, Problem
from doll.records.digest import sha256
from doll.vault import layout
from doll.vault.entries import Entries, Loader
from doll.vault.files import read
from doll.vault.sealed import Cache
from doll.vault.settings import Settings, frozen_settings, parse_settings, thawed_settings
from doll.vault.snapshot import has_records
from doll.vcs import plumbing

# Raise it when what a `doll.yaml` means changes.
SETTINGS_CACHE = 1


class Place(NamedTuple):
    """Where to look for a vault, in this order.

    `tied`: git's variables name a repository. `here` is the repository of `cwd` where the caller
    has found it already.
    """

    explicit: Path | None
    environment: str | None
    cwd: Path
    tied: bool = False
    here: plumbing.Repository | None = None

    def repository(self) -> plumbing.Repository | None:
        """Return the repository of the working folder, or None."""
        return self.here or plumbing.find(self.cwd, own=self.tied)


class Vault:
    """An open vault.

    `root` is its folder, `source` how it was found, `prefix` where it lies in its repository ("" or
    `notes/`), `state` is `<git dir>/doll`. `marker` are the bytes of `doll.yaml` in the work tree
    and `settings` what they say; what decides is read at the accepted commit.
    """

    def __init__(
        self,
        root: Path,
        source: str,
        marker: bytes,
        repository: plumbing.Repository,
        head: str,
    ) -> None:
        self.root = root
        self.source = source
        self.marker = marker
        self.repository = repository
        self.head = head
        inside = root.relative_to(repository.top).as_posix()
        self.prefix = "" if inside == "." else f"{inside}/"
        self.state = repository.git_dir / "doll"

    @cached_property
    def settings(self) -> Settings:
        """The settings of the work tree; ConfigurationError with every problem of `doll.yaml`."""
        settings, problems = self.parse_settings(self.marker)
        if settings is None:
            said = f"{layout.MARKER} of {self.root} has problems"
            raise ConfigurationError(said, problems=problems)
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
    if place.tied and place.here is None:
        place = place._replace(here=place.repository())
    root, source = find(place)
    repository = _repository(root, place)
    marker = read_marker(root)
    head = plumbing.head(repository)
    if head is None:
        raise NoVaultError(
            f"the vault {root} has no commit yet, so nothing in it is accepted",
            hint='git add -A && git commit -m "Start the vault"',
        )
    vault = Vault(root, source, marker, repository, head)
    vault.settings  # noqa: B018 - a vault whose settings cannot be read is not opened
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


def read_marker(root: Path) -> bytes:
    """Return the bytes of `doll.yaml`; NoVaultError when they cannot be read."""
    try:
        return read(root, layout.MARKER)
    except OSError as error:
        raise NoVaultError(
            f"{root / layout.MARKER} cannot be read: {error.strerror}",
            hint="check its permissions, and that its disk is mounted",
        ) from error


def _configured(place: Place) -> Path | None:
    repository = place.repository()
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
    own = place.here
    return own if own and plumbing.same_work_tree(own, repository) else repository


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
