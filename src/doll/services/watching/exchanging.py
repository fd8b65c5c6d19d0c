"""Syncing now and then while a vault is watched: what `doll sync` does, and told when it is new."""

import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from doll.errors import DollError
from doll.services.opening import Place, Vault, open_accepted, require_whole
from doll.services.syncing.values import Report, Wish
from doll.services.watching.looking import told


class Synced(NamedTuple):
    """A sync that has something to tell."""

    vault: Vault
    report: Report


class Exchange:
    """Syncs a vault every so many seconds; never asks at a terminal."""

    def __init__(
        self,
        root: Path,
        every: float,
        require: Callable[[Vault], None],
        *,
        allow_mass_delete: bool,
    ) -> None:
        """Sync the vault at `root`; `require` raises DollError where that is not the wanted one."""
        self._root = root
        self._require = require
        self._every = every
        self._allowed = allow_mass_delete
        self._next = time.monotonic()
        self._said: object = None

    def left(self) -> float:
        """Return how many seconds are left until the next sync, 0 when it is due."""
        return max(0.0, self._next - time.monotonic())

    def run(self, now: Callable[[], datetime]) -> Synced | DollError | None:
        """Sync; return what there is to tell, None where it would be what was told before."""
        from doll.services.syncing.flow import sync

        try:
            with told():
                vault = open_accepted(Place(self._root, None, self._root))
                self._require(vault)
                require_whole(vault)
                wish = Wish(now(), attended=False, allow_mass_delete=self._allowed)
                found: Synced | DollError = Synced(vault, sync(vault, wish))
        except DollError as error:
            found = error
        finally:
            self._next = time.monotonic() + self._every
        said = _substance(found)
        is_new = said != self._said or (isinstance(found, Synced) and _did(found.report))
        self._said = said
        return found if is_new else None


def _did(report: Report) -> bool:
    return bool(report.commit or report.brought or report.pushed)


def _substance(found: Synced | DollError) -> object:
    if isinstance(found, DollError):
        return found.exit_code, found.message
    report = found.report
    stop = report.stop and (report.stop.exit_code, report.stop.message)
    return report.synced, report.plan.held, report.plan.theirs, report.plan.aside, stop
