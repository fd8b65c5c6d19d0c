"""The pulse of a watcher: a thread that writes its heartbeat every few seconds, or as it changes.

It shows that the process runs, and what the watcher is at. The thread does nothing else.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from doll.vault import heartbeat
from doll.vault.heartbeat import Beat, Claim, Stamps


class Pulse:
    """The heartbeat of this process, until it is stopped.

    It is only written where the lock of the one watcher is: else another vault may lie there.
    """

    def __init__(self, state: Path, beat: Beat, claim: Claim) -> None:
        self._state = state
        self._beat = beat
        self._claim = claim
        self._turn = threading.Lock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Write the first heartbeat, and go on."""
        self._write()
        self._thread.start()

    def tell(self, **changes: Any) -> None:
        """Change what the heartbeat says, and write it at once if it says another thing then."""
        with self._turn:
            before, self._beat = self._beat, msgspec.structs.replace(self._beat, **changes)
        if self._beat != before:
            self._write()

    def saw(self, seen: Stamps, looked_ns: int) -> None:
        """Say that a look is over: what it saw, and when it began."""
        digest = heartbeat.digest(seen)
        if digest != self._beat.seen and not self._claim.is_lost():
            with suppress(OSError):
                heartbeat.write_seen(self._state, seen)
        self.tell(looking=False, seen=digest, looked_ns=looked_ns, fault="")

    def stop(self) -> None:
        """Take the heartbeat away."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()
        self._claim.clear(self._beat.process)

    def _run(self) -> None:
        while not self._ended.wait(heartbeat.EVERY):
            self._write()

    def _write(self) -> None:
        # A heartbeat that cannot be written is told by its absence.
        with self._turn, suppress(OSError):
            self._beat = msgspec.structs.replace(self._beat, beat_ns=time.time_ns())
            if not self._claim.is_lost():
                heartbeat.write(self._state, self._beat)


@contextmanager
def beating(state: Path, beat: Beat, claim: Claim) -> Iterator[Pulse]:
    """Write heartbeats while the body runs."""
    pulse = Pulse(state, beat, claim)
    try:
        pulse.start()
        yield pulse
    finally:
        pulse.stop()
