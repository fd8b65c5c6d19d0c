"""Functions run in forked children: to be killed, to race, or to be another user.

A child has all that the test has imported, so it starts at once and needs no file of its own.
"""

import os
import pickle
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import pytest

NOBODY = 65534


class Ended(NamedTuple):
    """How a child ended: what its function returned or raised, or the signal that killed it."""

    result: Any
    error: BaseException | None
    signal: int


def run(*functions: Callable[[], object]) -> list[Ended]:
    """Run each function in a child of its own, all at the same time."""
    go, start = os.pipe()
    children = [_started(function, go, start) for function in functions]
    os.close(go)
    os.close(start)  # every child begins now
    return [_ended(pid, reader) for pid, reader in children]


def refused(code: int) -> Callable[..., Any]:
    """Return a function of the system that fails with an error number."""

    def refuse(*_: Any, **__: Any) -> Any:
        raise OSError(code, os.strerror(code))

    return refuse


def as_nobody(function: Callable[[], object]) -> Ended:
    """Run a function as a user without rights; skipped where this process may not become one."""
    if os.geteuid() != 0:
        pytest.skip("only root can become another user")

    def other() -> object:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        return function()

    return run(other)[0]


def open_to_all(folder: Path) -> None:
    """Let every user reach a folder of a test."""
    for each in (folder, *folder.parents):
        if each.owner() == "root" and each != Path("/"):
            each.chmod(each.stat().st_mode | 0o011)


def _started(function: Callable[[], object], go: int, start: int) -> tuple[int, int]:
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(start)
        os.close(reader)
        os.read(go, 1)  # returns when the parent has started all children
        _child(function, writer)
    os.close(writer)
    return pid, reader


def _child(function: Callable[[], object], writer: int) -> NoReturn:
    outcome: tuple[object, BaseException | None]
    try:
        outcome = (function(), None)
    except BaseException as error:  # noqa: BLE001 - the parent judges it
        outcome = (None, error)
    with os.fdopen(writer, "wb") as file:
        file.write(pickle.dumps(outcome))
    os._exit(0)


def _ended(pid: int, reader: int) -> Ended:
    with os.fdopen(reader, "rb") as file:
        data = file.read()
    _, status = os.waitpid(pid, 0)
    result, error = pickle.loads(data) if data else (None, None)
    return Ended(result, error, os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0)


def settle(path: Path) -> None:
    """Wait until a file is older than what a cache takes for racy."""
    wait = 2.1 - (time.time() - max(path.stat().st_ctime, path.stat().st_mtime))
    if wait > 0:
        time.sleep(wait)
