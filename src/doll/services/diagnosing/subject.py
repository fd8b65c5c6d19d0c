"""What is looked over: a vault whose cache keeps nothing, what git tracks, what is on disk."""

import shlex
from collections.abc import Sequence
from datetime import datetime
from functools import cached_property

from doll.errors import Problem, Severity
from doll.services.opening import Place, Vault, open_accepted
from doll.vault import layout
from doll.vault.snapshot import Snapshot, snapshot
from doll.vault.typed import typed
from doll.vcs import plumbing

SETTINGS = "git config"
# What git has to know of: the records, and what says how they are read.
WHOLE = (*layout.AREAS, layout.OWN, layout.MARKER, layout.ATTRIBUTES, layout.IGNORE)


class Subject:
    """A vault and the moment at which it is looked over; each question is asked once.

    Every property raises what its reading raises: GitError, NoVaultError.
    """

    def __init__(self, vault: Vault, now: datetime) -> None:
        self.vault = vault
        self.now = now
        self.git = f"git -C {shlex.quote(str(vault.root))}"

    @cached_property
    def tracked(self) -> tuple[str, ...]:
        """The paths of the vault that are in git's index, relative to the vault."""
        wanted = [self.vault.in_git(path) for path in WHOLE]
        items = plumbing.tracked(self.vault.repository, wanted)
        return tuple(dict.fromkeys(self.inside([item.path for item in items])))

    @cached_property
    def committed(self) -> tuple[str, ...]:
        """The paths of the vault that HEAD has."""
        if not self.vault.head:
            return ()
        wanted = [self.vault.in_git(path) for path in WHOLE]
        items = plumbing.tree(self.vault.repository, self.vault.head, wanted)
        return tuple(self.inside([item.path for item in items]))

    @cached_property
    def on_disk(self) -> Snapshot:
        """The record files on disk."""
        return snapshot(self.vault.root, layout.AREAS)

    def inside(self, paths: Sequence[str]) -> list[str]:
        """Return the paths of the repository that lie in the vault, relative to it."""
        found = (self.vault.in_vault(path) for path in paths)
        return [path for path in found if path is not None]

    def line(self, command: str, *paths: str) -> str:
        """Return a line of git to type from anywhere, with paths of the vault."""
        names = "".join(f" {typed(path)}" for path in paths)
        return f"{self.git} {command}{' --' if names else ''}{names}"


def opened(place: Place, now: datetime, deadline: float) -> Subject:
    """Open the vault so that nothing is written, not into its cache either.

    Its work tree may be in any state. At `deadline` (of `time.monotonic`) git is waited for no
    more. Raises NoVaultError and GitError.
    """
    vault = open_accepted(place)
    vault.repository = vault.repository._replace(deadline=deadline)
    vault.cache.freeze()
    return Subject(vault, now)


def setting(code: str, message: str, hint: str, severity: Severity = "warning") -> Problem:
    """Return a finding about a setting of git."""
    return Problem(SETTINGS, 0, 0, code, message, severity, hint)
