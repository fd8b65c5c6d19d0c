"""Which branches have a vault that what is checked out has not; asked only to say what to type."""

from pathlib import Path

from doll.services.accepted import PINNED_BRANCH
from doll.vault import layout
from doll.vault.settings import parse_settings
from doll.vcs import plumbing
from doll.vcs.plumbing.branches import file_of_branches


def branches_with_vault(repository: plumbing.Repository, folder: Path) -> tuple[str, ...]:
    """Return the branches that have a `doll.yaml` in `folder`, sorted: the vault's own if known.

    Without the one that is checked out. The vault's own is the one that is pinned, else those that
    name themselves, else all. GitError as for any question to git.
    """
    # git's batches cannot take a line feed.
    if not folder.is_relative_to(repository.top) or "\n" in str(folder):
        return ()
    marker = (folder / layout.MARKER).relative_to(repository.top).as_posix()
    _, found = file_of_branches(repository, marker, plumbing.head(repository) or "HEAD")
    position = plumbing.position(repository)
    checked_out = position.branch if position else None
    here = {
        name: each
        for name, each in found.items()
        if name != checked_out and _is_there(repository, name)
    }
    pinned = plumbing.config(repository, PINNED_BRANCH, local=True)
    if pinned in here:
        return (pinned,)
    own = (name for name, each in here.items() if name in set(map(_named_in, each)))
    return tuple(sorted(own) or sorted(here))


def _is_there(repository: plumbing.Repository, name: str) -> bool:
    """Tell whether git can switch to a branch of this name."""
    places = (f"refs/heads/{name}", f"refs/remotes/origin/{name}")
    return any(plumbing.resolve(repository, place) for place in places)


def _named_in(data: bytes) -> str | None:
    settings = parse_settings(data)[0]
    return settings.branch if settings else None
