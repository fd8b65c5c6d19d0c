"""Hints that something may have changed, gathered until it is quiet; of what, they do not say."""

import threading
import time

# A save is several events; a look waits until none has come for a while, yet not for ever.
QUIET = 0.5
AT_MOST = 5.0


class Hints:
    """Given by any thread, waited for by one."""

    def __init__(self) -> None:
        self._given = threading.Condition()
        self._first: float | None = None
        self._last = 0.0

    def give(self) -> None:
        """Say that something may have changed."""
        with self._given:
            self._last = time.monotonic()
            if self._first is None:
                self._first = self._last
                # Further ones wake nobody: 20,000 touches are to cost little.
                self._given.notify()

    def wait(self, seconds: float) -> bool:
        """Wait for hints and then for quiet; False when no hint comes for `seconds`."""
        until = time.monotonic() + seconds
        with self._given:
            while self._first is None:
                left = until - time.monotonic()
                if left <= 0:
                    return False
                self._given.wait(left)
            while (left := self._due(self._first) - time.monotonic()) > 0:
                self._given.wait(left)
            self._first = None
        return True

    def _due(self, first: float) -> float:
        return min(self._last + QUIET, first + AT_MOST)
