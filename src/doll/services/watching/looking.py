"""One look of a watcher: the whole disk is looked at, what changed is checked, the index refreshed.

Says what `doll validate` says, for the same files; only what changed is read again.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from doll.errors import DollError, NoVaultError, Problem, StorageError
from doll.reconcile.sharing import Progress
from doll.reconcile.shelf import Notice
from doll.services import beginning, missing
from doll.services.checking.secret_places import CODE as SECRET
from doll.services.checking.work_tree import validate
from doll.services.opening import Place, Vault, emptied, open_accepted
from doll.services.pending import Difference, between
from doll.services.recalling.indexing import bring_up_to_date
from doll.services.watching import owning
from doll.vault import heartbeat, layout
from doll.vault.remembered import Remembered
from doll.vault.sealed import closed

_AGAIN = "it is looked for again and again; check that its disk is mounted"


class Look(NamedTuple):
    """What a look found, beside what the one before had found.

    `changes` are files, empty at the first look; `new` are problems that were not there before, at
    the `first` look all, and `settled` those that are there no more. `files` are all record files,
    `searchable` the records that a recall searches, `errors` and `warnings` count all problems.
    """

    first: bool
    changes: tuple[Difference, ...]
    new: tuple[Problem, ...]
    settled: tuple[Problem, ...]
    files: int
    searchable: int
    errors: int
    warnings: int
    notices: tuple[Notice, ...]

    @property
    def nothing(self) -> bool:
        """Whether there is nothing to tell."""
        return not (self.first or self.changes or self.new or self.settled)


class Compared(NamedTuple):
    """Whether HEAD and the disk are as the last look saw them."""

    head: bool
    disk: bool


class Looker:
    """Looks again and again at one vault: that which the first look sees.

    `again` is the line that starts this watch anew.
    """

    def __init__(self, root: Path, *, allow_mass_delete: bool, again: str = "doll watch") -> None:
        self._root = root
        self._allowed = allow_mass_delete
        self._start = again
        self._own: owning.Own | None = None
        self._known = Remembered(again=(SECRET,))
        self._problems: frozenset[Problem] = frozenset()
        self._head = ""
        self._ground = _ground(root)
        self.seen: dict[str, bytes] = {}

    def compare(self) -> Compared:
        """Compare the disk and HEAD with what the last look saw. Raises DollError."""
        vault = self._open()
        with told():
            return Compared(vault.head == self._head, heartbeat.stamps(vault.root) == self.seen)

    def look(self, now: datetime, progress: Progress | None) -> Look:
        """Look at everything; where that fails, all is as after the last look. Raises DollError."""
        vault = self._open()
        with told():
            self._refuse(vault)
            seen = heartbeat.stamps(vault.root)
            checked = validate(vault, now, self._known)
            index = bring_up_to_date(vault, progress)
        problems, first = frozenset(checked.problems), not self._head
        found = Look(
            first,
            () if first else tuple(between(self.seen, seen)),
            tuple(sorted(problems - self._problems)),
            tuple(sorted(self._problems - problems)),
            checked.files,
            index.records,
            sum(problem.severity == "error" for problem in problems),
            sum(problem.severity == "warning" for problem in problems),
            index.notices,
        )
        self.seen, self._problems, self._head = seen, problems, vault.head
        return found

    def is_moved(self) -> bool:
        """Return whether the vault's folder came, went or is another one since this was asked.

        Or whether its cache may be read, and so its index be kept, and could not before.
        """
        before, self._ground = self._ground, _ground(self._root)
        return before != self._ground

    def is_here(self) -> bool:
        """Return whether the vault that is watched lies in its place."""
        try:
            self._open()
        except DollError:
            return False
        return True

    def require(self, vault: Vault) -> None:
        """Raise NoVaultError where a vault is not the one that is watched, and GitError."""
        if self._own is None:
            self._own = owning.own(vault)
        owning.require(vault, self._own, self._start)

    def _open(self) -> Vault:
        if not os.path.isdir(self._root):  # noqa: PTH112 - never raises
            raise NoVaultError(f"the folder of the vault is gone: {self._root}", hint=_AGAIN)
        with told():
            try:
                vault = open_accepted(Place(self._root, None, self._root))
            except NoVaultError as error:
                raise self._lost(error) from error
            self.require(vault)
        return vault

    def _lost(self, error: NoVaultError) -> NoVaultError:
        """Return the error for a vault that is none any more: it had a repository with a commit."""
        if not os.path.lexists(self._root / layout.MARKER):
            said = f"the folder {self._root} is no vault any more: it has no {layout.MARKER}"
            return NoVaultError(said, hint=_AGAIN)
        if self._own is None:
            return error
        if not os.path.lexists(self._own.git_dir):
            return owning.gone(self._own)
        return NoVaultError(error.message, hint=beginning.BRING_BACK)

    def _refuse(self, vault: Vault) -> None:
        if fault := emptied(vault):
            raise fault
        if not self._allowed and (found := missing.look(vault)):
            raise missing.refusal(found, f"{self._start} --allow-mass-delete")


@contextmanager
def told() -> Iterator[None]:
    """Raise StorageError for what the machine refuses: a watcher says it, and tries again."""
    try:
        yield
    except OSError as error:
        said = f"{error.filename or 'a file'} cannot be read or written: {error.strerror or error}"
        hint = "# check its permissions, that its disk is mounted, and free space"
        raise StorageError(said, hint=hint) from error


def _ground(root: Path) -> tuple[int, int, bool, bool] | None:
    """Return what tells the folder of a vault from another one of its name, None for none.

    And whether its cache is closed to this user.
    """
    try:
        status = os.stat(root)  # noqa: PTH116
    except OSError:
        return None
    is_closed = bool(closed(root / layout.OWN, root / layout.CACHE))
    return status.st_dev, status.st_ino, os.path.lexists(root / layout.MARKER), is_closed
