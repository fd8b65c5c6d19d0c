"""Reading commands run on a vault that chance made: no traceback, no hang, no byte changed."""

import contextlib
import io
import json
import os
import signal
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import NamedTuple, TypeVar

import pytest

from doll.cli import run
from tests.footprint import OWN, footprint, stamps

AS_OF = ("--as-of", "2026-09-20T12:00:00Z")
READS: tuple[tuple[str, ...], ...] = (
    ("validate",),
    ("validate", "--json"),
    ("status", "--json"),
    ("status",),
    ("list", "--json"),
    ("list", "--staging"),
    ("show", "espresso"),
    ("show", "atlas", "--json"),
    ("recall", "espresso orders", *AS_OF, "--json"),
    ("recall", "migration", "--include-staging", "--explain", *AS_OF),
    ("preflight", "--project", "atlas", "--path", "drops/a.sql", *AS_OF, "--json"),
    ("preflight", "--project", "atlas", "--action", "db.drop", "--draft", *AS_OF),
    ("context", "espresso orders", *AS_OF, "--json"),
    ("duplicates", "--json", *AS_OF),
    ("index", "--check"),
    ("review", "--json"),
    ("imports", "--json"),
    ("verify", "--json"),
    ("where", "--json"),
    ("doctor",),
    ("doctor", "--json"),
    ("hooks", "run", "pre-commit"),
)
# The same processor time, on however slow a machine: the promise is one second.
HANG = 1.0
# A read that waits for what never comes, such as the other end of a pipe, uses none.
_WAITING = 60.0
_BUG = 70


T = TypeVar("T")


class Taken(NamedTuple):
    """A command and the seconds of processor time that it took, those of its children too."""

    command: tuple[str, ...]
    seconds: float


def read_all(root: Path, reads: Sequence[tuple[str, ...]], name: str) -> list[Taken]:
    """Run commands in a vault and hold them to what every read promises; `name` is told."""
    before, stamped, taken = _without_folder(footprint(root, OWN), root), _stamps(root), []
    for command in reads:
        begin = _spent()
        code, out, err = _run(root, command)
        seconds = _spent() - begin
        said = (name, command, code, err[-2000:])
        assert code in (0, 1, 2, 3, 4, 5, 7, 74), said
        assert code != _BUG, said
        assert "Traceback" not in err + out, said
        assert seconds < HANG, (*said, seconds)
        document = json.loads(out) if "--json" in command else {}
        if command[0] == "doctor":
            assert all(problem["hint"] for problem in document.get("problems", ())), (*said, out)
        taken.append(Taken(command, seconds))
        assert _stamps(root) == stamped, said
    assert _without_folder(footprint(root, OWN), root) == before, (name, reads)
    return taken


def _stamps(root: Path) -> dict[str, tuple[int, ...]]:
    return _without_folder(stamps(root, OWN), root)


def _without_folder(marks: dict[str, T], root: Path) -> dict[str, T]:
    """Leave out `.doll`, which is made with the cache, where it is a folder."""
    if (root / ".doll").is_dir() and not (root / ".doll").is_symlink():
        marks.pop(".doll", None)
    return marks


def _run(root: Path, command: tuple[str, ...]) -> tuple[int, str, str]:
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with pytest.MonkeyPatch.context() as patch, _alarm(f"{root} {command}"):
        patch.chdir(root)
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO()))
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(command)
    texts = []
    for stream in (out, err):
        stream.seek(0)
        texts.append(stream.read())
    return code, texts[0], texts[1]


@contextlib.contextmanager
def _alarm(name: str) -> Iterator[None]:
    def rung(_number: int, _frame: FrameType | None) -> None:
        raise AssertionError(f"waits for ever: {name}")

    before = signal.signal(signal.SIGALRM, rung)
    signal.setitimer(signal.ITIMER_REAL, _WAITING)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _spent() -> float:
    times = os.times()
    return time.process_time() + times.children_user + times.children_system
