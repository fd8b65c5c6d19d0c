"""One look of a watcher: the whole disk is looked at, what changed is checked, the index refreshed.

Says what `doll validate` says, for the same files; only what changed is read again.
"""

import os
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from doll.errors import NoVaultError, Problem
from doll.reconcile.sharing import Progress
from doll.reconcile.shelf import Notice
from doll.services import missing
from doll.services.checking.secret_places import CODE as SECRET
from doll.services.checking.work_tree import validate
from doll.services.opening import Place, Vault, emptied, open_accepted
from doll.services.pending import Difference, between
from doll.services.recalling.indexing import bring_up_to_date
from doll.vault import heartbeat, layout
from doll.vault.remembered import Remembered

_ALLOWED = "doll watch --allow-mass-delete"
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
    """Looks again and again at one vault."""

    def __init__(self, root: Path, *, allow_mass_delete: bool) -> None:
        self._root = root
        self._allowed = allow_mass_delete
        self._known = Remembered(again=(SECRET,))
        self._problems: frozenset[Problem] = frozenset()
        self._head = ""
        self._ground = _ground(root)
        self.seen: dict[str, bytes] = {}

    def compare(self) -> Compared:
        """Compare the disk and HEAD with what the last look saw. Raises DollError."""
        vault = self._open()
        return Compared(vault.head == self._head, heartbeat.stamps(vault.root) == self.seen)

    def look(self, now: datetime, progress: Progress | None) -> Look:
        """Look at everything; where that fails, all is as after the last look. Raises DollError."""
        vault = self._open()
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
        """Return whether the vault's folder came, went or is another one since this was asked."""
        before, self._ground = self._ground, _ground(self._root)
        return before != self._ground

    def _open(self) -> Vault:
        if not os.path.isdir(self._root):  # noqa: PTH112 - never raises
            raise NoVaultError(f"the folder of the vault is gone: {self._root}", hint=_AGAIN)
        try:
            return open_accepted(Place(self._root, None, self._root))
        except NoVaultError as error:
            if os.path.lexists(self._root / layout.MARKER):
                raise
            said = f"the folder {self._root} is no vault any more: it has no {layout.MARKER}"
            raise NoVaultError(said, hint=_AGAIN) from error

    def _refuse(self, vault: Vault) -> None:
        if fault := emptied(vault):
            raise fault
        if not self._allowed and (found := missing.look(vault)):
            raise missing.refusal(found, _ALLOWED)


def _ground(root: Path) -> tuple[int, int, bool] | None:
    """Return what tells the folder of a vault from another one of its name, None for none."""
    try:
        status = os.stat(root)  # noqa: PTH116
    except OSError:
        return None
    return status.st_dev, status.st_ino, os.path.lexists(root / layout.MARKER)
