"""A watch in a thread of this process, for tests that count or change what it does."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from doll.services.opening import Place
from doll.services.watching import flow
from tests.watcher import HANG

_PLAIN = flow.Wanted()


class EndedError(Exception):
    """The test has seen enough."""


class Inside:
    """A watch in a thread of this process, with what it told."""

    def __init__(self, root: Path, wanted: flow.Wanted = _PLAIN) -> None:
        self.told: list[flow.Event] = []
        self._enough = False
        self._root, self._wanted = root, wanted
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            place = Place(self._root, None, self._root)
            flow.watch(place, self._wanted, lambda: datetime.now(UTC), self._tell)
        except EndedError:
            pass

    def _tell(self, event: flow.Event) -> None:
        self.told.append(event)
        if self._enough:
            raise EndedError

    def kinds(self, kind: type[Any]) -> list[Any]:
        """Return what it told of one kind."""
        return [event for event in self.told if isinstance(event, kind)]

    def end(self, change: Callable[[], object]) -> None:
        """End it at the next thing that it has to tell, which `change` brings about."""
        self._enough = True
        change()
        self._thread.join(HANG)
        assert not self._thread.is_alive()
