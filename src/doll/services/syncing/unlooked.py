"""Edits that git does not see: of files that it was told not to look at.

Where it was told so of none, that costs no process.
"""

import os
from collections.abc import Callable, Iterator

from doll.errors import ConflictError, Problem
from doll.services import unseen
from doll.services.opening import Vault
from doll.services.syncing.wording import git, listed
from doll.vault.typed import typed
from doll.vcs import plumbing
from doll.vcs.plumbing import looking
from doll.vcs.plumbing.hashing import hashed
from doll.vcs.plumbing.index_file import flagged

_LINES = 20
_SKIPPED, _ASSUMED = "skip-worktree", "assume-unchanged"


def problems(vault: Vault) -> Iterator[Problem]:
    """Yield a problem for each edit in the vault that git does not see."""
    here = f"git -C {typed(str(vault.root))}"
    for in_git, flag in edited(vault.repository, vault.owns).items():
        if (path := vault.in_vault(in_git)) is not None:
            yield unseen.flagged(here, [path], flag, "error")


def require_none(vault: Vault, incoming: set[str]) -> None:
    """Raise ConflictError where such an edit is in a file that a merge would change.

    git refuses that with words that name no file. Paths are those of the repository.
    """
    if found := edited(vault.repository, incoming.__contains__):
        lines = [
            f"{git(vault)} update-index --no-{flag} -- {typed(p)}" for p, flag in found.items()
        ]
        raise ConflictError(
            f"the remote changed {listed(list(found))}, and so did you, where "
            "git was told not to look; nothing was taken over",
            hint="\n".join([*lines[:_LINES], "then doll sync"]),
        )


def edited(repository: plumbing.Repository, is_asked: Callable[[str], bool]) -> dict[str, str]:
    """Return the flag of each file that git does not look at and that was edited.

    `is_asked` chooses among the paths that carry one. A file that is gone by a sparse checkout is
    not edited.
    """
    found = flagged(repository) or looking.flagged(repository, [])
    flags = dict.fromkeys(found.skipped, _SKIPPED) | dict.fromkeys(found.assumed, _ASSUMED)
    flags = {path: flag for path, flag in sorted(flags.items()) if is_asked(path)}
    if not flags:
        return {}
    known = {entry.path: entry.oid for entry in plumbing.tracked(repository, list(flags))}
    now = hashed(repository, flags)
    return {
        path: flag
        for path, flag in flags.items()
        if (flag == _ASSUMED or os.path.lexists(repository.top / path))
        and now.get(path) != known.get(path)
    }
