"""A real `doll watch` process: what it says, line by line, and waiting for it to say something."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.ordinary import obey

# No measurement: what takes longer than this hangs.
HANG = 120.0
COMMAND = (sys.executable, "-m", "doll", "watch", "--json")
_SPACE = ("unshare", "--user", "--map-root-user", "sh", "-c")


class Watcher:
    """A watcher of the vault at `root`."""

    def __init__(
        self, root: Path, *options: str, limits: Sequence[str] = (), obeying: bool = False
    ) -> None:
        """Start it; `limits` are shell commands that set limits of its user namespace before.

        `obeying`: permissions stop it, as they stop everyone but root.
        """
        self.root = root
        self.lines: list[Any] = []
        command = [*COMMAND, *options]
        if limits:
            command = [*_SPACE, " && ".join([*limits, 'exec "$@"']), "sh", *command]
        self.process = subprocess.Popen(
            command,
            cwd=root,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=obey if obeying else None,  # noqa: PLW1509 - it only gives up rights
        )
        self._told = threading.Thread(target=self._read, daemon=True)
        self._told.start()

    def wait(self, wanted: Callable[[Any], bool], since: int = 0) -> Any:
        """Wait for a line that is wanted, and return it."""

        def found() -> Any:
            return next((line for line in self.lines[since:] if wanted(line)), None)

        def done() -> bool:
            return found() is not None or self.process.poll() is not None

        until(done)
        self._settle()
        assert found() is not None, (self.lines, self.errors())
        return found()

    def first(self) -> Any:
        """Wait for the first look."""
        return self.wait(lambda line: line["event"] == "look")

    def saw(self, path: str, what: str, since: int = 0) -> Any:
        """Wait for a look that tells of a change."""
        change = {"path": path, "what": what}
        return self.wait(lambda line: change in line.get("changes", ()), since)

    def notice(self, words: str) -> Any:
        """Wait for a notice with these words."""
        return self.wait(lambda line: line["event"] == "notice" and words in line["message"])

    def send(self, number: int) -> None:
        """Send it a signal."""
        self.process.send_signal(number)

    def end(self, number: int = signal.SIGTERM) -> int:
        """End it by a signal; return its exit code."""
        self.send(signal.SIGCONT)
        self.send(number)
        code = self.process.wait(HANG)
        self._told.join()
        return code

    def errors(self) -> str:
        """Return what it said on stderr, once it has ended."""
        assert self.process.stderr is not None
        return self.process.stderr.read() if self.process.poll() is not None else ""

    def _settle(self) -> None:
        if self.process.poll() is not None:
            self._told.join()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            document = json.loads(line)
            if document["schema"] != "doll.error/1":
                self.lines.append(document)


@contextmanager
def watching(
    root: Path, *options: str, limits: Sequence[str] = (), obeying: bool = False
) -> Iterator[Watcher]:
    """Have a vault watched; the first look is over when the body begins."""
    watcher = Watcher(root, *options, limits=limits, obeying=obeying)
    try:
        watcher.first()
        yield watcher
    finally:
        if watcher.process.poll() is None:
            watcher.end(signal.SIGKILL)
        for stream in (watcher.process.stdout, watcher.process.stderr):
            if stream is not None:
                stream.close()


def until(done: Callable[[], bool]) -> None:
    """Wait until something is so; what takes long to look at is looked at less often."""
    begun = looked = time.monotonic()
    while not done():
        now = time.monotonic()
        assert now - begun < HANG, "it did not come"
        time.sleep(0.05 + 2 * (now - looked))
        looked = time.monotonic()


def need_namespaces() -> None:
    """Skip the test where limits cannot be set for one process."""
    place = "/proc/sys/user/max_inotify_watches"
    done = subprocess.run(
        [*_SPACE, f"echo 5 >{place}"], capture_output=True, check=False, env=os.environ
    )
    if done.returncode != 0:
        pytest.skip("this system has no user namespaces with limits of their own")
