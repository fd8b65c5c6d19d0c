"""`watch`: hints come, it gets quiet, one look follows; and a look without a hint now and then.

A hint is believed as little as its absence: each look is at the whole disk. Where nothing can be
heard, or two changes in a row were not heard, the disk is looked at every few seconds instead.
"""

import os
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from doll.errors import DollError
from doll.reconcile.hints import Hints
from doll.reconcile.pulse import Pulse, beating
from doll.reconcile.sharing import Progress
from doll.reconcile.shelf import Notice
from doll.reconcile.watching import POLLING, Ear, why
from doll.services.opening import Place, open_accepted
from doll.services.watching.exchanging import Exchange, Synced
from doll.services.watching.looking import Look, Looker
from doll.vault import heartbeat

# Seconds between two looks without a hint, and how many times as long as a look that is at least,
# so that an idle watcher takes at most a two-hundredth of a processor, a polling one a fiftieth.
LISTENING, LISTENING_SHARE = 60.0, 200
INTERVAL, POLLING_SHARE = 2.0, 50
# A vault that cannot be looked at is tried again so often.
AGAIN = 5.0
# A change that is seen first is given so long to be heard of.
_LATE = 2.0
# While folders come and go, listening to all of them may take more than one try.
_TRIES = 3
_LIMITS = (
    "sysctl fs.inotify.max_user_watches fs.inotify.max_user_instances    shows the limits; "
    "raise them and start doll watch again"
)


class Wanted(NamedTuple):
    """What a watch is asked to do.

    `poll`: not to listen. `allow_mass_delete`: see `missing`. `sync`: to sync every so many
    seconds, None for never.
    """

    poll: bool = False
    allow_mass_delete: bool = False
    sync: int | None = None

    @property
    def again(self) -> str:
        """The line that starts this watch once more."""
        return heartbeat.line(poll=self.poll, sync=self.sync or 0)


class Started(NamedTuple):
    """The watch has begun: of which folder, and how it hears."""

    root: str
    mode: str


class Fault(NamedTuple):
    """The vault cannot be looked at now; it is tried again."""

    error: DollError


Event = Started | Look | Synced | Fault | Notice
Tell = Callable[[Event], None]
Telling = Callable[[], AbstractContextManager[Progress | None]]


def watch(
    place: Place,
    wanted: Wanted,
    now: Callable[[], datetime],
    tell: Tell,
    progress: Telling = nullcontext,
) -> None:
    """Watch a vault until an exception ends it, such as an interruption; tells what happens.

    Raises DollError where the vault cannot be looked at in the beginning, BusyError where another
    process watches it.
    """
    vault = open_accepted(place)
    with heartbeat.alone(vault.state) as claim:
        hints = Hints()
        ear = Ear(vault.root, hints.give)
        try:
            fault = "" if wanted.poll else _listened(ear)
            beat = heartbeat.Beat(
                process=os.getpid(),
                mode=ear.mode,
                interval=INTERVAL,
                looking=True,
                root=heartbeat.name(vault.root),
                poll=wanted.poll,
                sync=wanted.sync or 0,
            )
            with beating(vault.state, beat, claim) as pulse:
                if fault:
                    tell(_polling(fault))
                tell(Started(str(vault.root), ear.mode))
                _Watch(vault.root, wanted, ear, hints, pulse, claim, tell, now, progress).run()
        finally:
            ear.close()


class _Watch:
    """A watch that has begun."""

    def __init__(
        self,
        root: Path,
        wanted: Wanted,
        ear: Ear,
        hints: Hints,
        pulse: Pulse,
        claim: heartbeat.Claim,
        tell: Tell,
        now: Callable[[], datetime],
        progress: Telling,
    ) -> None:
        allowed = wanted.allow_mass_delete
        self._looker = Looker(root, allow_mass_delete=allowed, again=wanted.again)
        require = self._looker.require
        self._exchange = (
            Exchange(root, wanted.sync, require, allow_mass_delete=allowed) if wanted.sync else None
        )
        self._ear, self._hints, self._pulse, self._claim = ear, hints, pulse, claim
        self._tell, self._now, self._progress = tell, now, progress
        self._said: set[Notice] = set()
        self._fault = ""
        self._unheard = 0
        self._anew = False
        self._cost = 0.0

    def run(self) -> None:
        self._look()
        while True:
            self._tend()
            is_due = self._is_hinted()
            try:
                if is_due or self._is_behind():
                    self._look()
                if self._is_sync_due():
                    self._sync()
            except DollError as error:
                self._failed(error)

    def _is_hinted(self) -> bool:
        """Wait; return whether there is a reason for a look. Raises BusyError, StorageError."""
        anew, self._anew = self._anew, False
        until = time.monotonic() + (0.0 if anew else self._interval())
        while True:
            left = max(0.0, until - time.monotonic())
            if self._hints.wait(min(left, heartbeat.EVERY)):
                self._unheard = 0
                return True
            if self._is_shaken() or anew:
                return True
            if time.monotonic() >= until:
                return False

    def _is_shaken(self) -> bool:
        """Return whether the vault's folder, or the lock that is held, is another than before."""
        # Where another vault lies now nothing is said, and nobody is kept from watching that.
        renewed = self._claim.is_lost() and self._looker.is_here() and self._claim.renew()
        if renewed:
            self._pulse.tell(seen="")  # with the lock went what the last look saw
        return self._looker.is_moved() or renewed

    def _look(self) -> None:
        began_ns = time.time_ns()
        self._pulse.tell(looking=True)
        try:
            with self._progress() as progress:
                found = self._looker.look(self._now(), progress)
        finally:
            self._pulse.tell(looking=False)
        self._fault = ""
        self._pulse.saw(self._looker.seen, began_ns)
        self._notices(found.notices)
        if not found.nothing:
            self._tell(found)

    def _is_behind(self) -> bool:
        """Return whether the disk is not what was seen, though nothing was heard. Cheap."""
        began_ns, began = time.time_ns(), time.monotonic()
        same = self._looker.compare()
        self._cost = time.monotonic() - began
        if self._fault:
            return True
        if same.disk:
            self._pulse.saw(self._looker.seen, began_ns)
            return not same.head
        if self._ear.mode != POLLING and not self._hints.wait(_LATE):
            self._not_heard()
        return True

    def _is_sync_due(self) -> bool:
        return self._exchange is not None and not self._exchange.left()

    def _sync(self) -> None:
        assert self._exchange is not None
        self._pulse.tell(looking=True)
        try:
            found = self._exchange.run(self._now)
        finally:
            self._pulse.tell(looking=False)
        if found is not None:
            self._tell(Fault(found) if isinstance(found, DollError) else found)

    def _not_heard(self) -> None:
        self._unheard += 1
        if self._unheard == 1:
            self._listen()
        else:
            self._poll("changes are not heard here, as on a network drive")

    def _tend(self) -> None:
        """Listen to folders that came, too; what happened before that is looked at."""
        for _ in range(_TRIES):
            if self._ear.mode == POLLING or self._fault or self._ear.hears():
                return
            self._listen()
        if not self._ear.hears():
            self._poll("the limit of inotify is reached")

    def _listen(self) -> None:
        if fault := _listened(self._ear):
            self._poll(fault)
        self._anew = True

    def _poll(self, reason: str) -> None:
        self._ear.close()
        self._pulse.tell(mode=POLLING)
        self._tell(_polling(reason))

    def _interval(self) -> float:
        if self._fault:
            return AGAIN
        if self._ear.mode == POLLING:
            interval = max(INTERVAL, POLLING_SHARE * self._cost)
        else:
            interval = max(LISTENING, LISTENING_SHARE * self._cost)
        self._pulse.tell(interval=interval)
        return min(interval, self._exchange.left()) if self._exchange else interval

    def _failed(self, error: DollError) -> None:
        said = error.message
        self._pulse.tell(fault=said)
        if said != self._fault:
            self._tell(Fault(error))
        self._fault = said

    def _notices(self, notices: tuple[Notice, ...]) -> None:
        for notice in notices:
            if notice not in self._said:
                self._tell(notice)
        self._said = set(notices)


def _listened(ear: Ear) -> str:
    """Listen; return why that cannot be, or ""."""
    try:
        ear.listen()
    except OSError as error:
        ear.close()
        return why(error)
    return ""


def _polling(reason: str) -> Notice:
    said = f"{reason}, so the disk is looked at every {INTERVAL:g} seconds instead"
    return Notice(said, _LIMITS if "inotify" in reason else "")
