"""What a sweep of faults does at one point: a world, a command with a fault, and how things stand.

The command runs in a forked child, which has all that it needs imported; its clock stands still
and its random numbers are a sequence, so that two runs make the same bytes.
"""

import contextlib
import importlib
import os
import pkgutil
import random
import shutil
import signal
import subprocess
import sys
import time
import types
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from tests import children
from tests.faults import Fault, Step, watched
from tests.flows import FLOWS, READS, Flow, make_world
from tests.gitbox import CLOCK, git

NOW = datetime(2026, 8, 21, 9, 30, tzinfo=UTC)
EVERY = {**FLOWS, **READS}


class Ran(NamedTuple):
    """How a command ended: its exit code (None: killed), what it printed, and its steps."""

    code: int | None
    out: str
    err: str
    steps: list[Step]


class State(NamedTuple):
    """How a world stands.

    `files` are all but the caches, temporary files and what is inside of `.git`, by path; `commits`
    HEAD of each repository, `indexes` its index, `settings` its settings and its hooks.
    """

    files: dict[str, bytes]
    commits: dict[str, str]
    indexes: dict[str, frozenset[str]]
    settings: dict[str, bytes]


class World:
    """A world that can be made anew, at the same place, as often as wanted."""

    def __init__(self, folder: Path) -> None:
        """Make it in an empty folder."""
        import_all()
        self.root = folder / "world"
        self._kept = folder / "kept"
        self.root.mkdir()
        self.values = make_world(self.root)
        for sample in self.root.glob("*/.git/hooks/*.sample"):
            sample.unlink()
        self.root.rename(self._kept)

    def renew(self, flow: Flow) -> None:
        """Put everything back to how it was, ready for a flow."""
        shutil.rmtree(self.root, ignore_errors=True)
        self.root.mkdir()
        wanted = {flow.folder, flow.vault, *(("remote.git",) if flow.vault == "laptop" else ())}
        for place in self._kept.iterdir():
            if not place.is_dir():
                shutil.copy2(place, self.root)
            elif place.name in wanted:
                shutil.copytree(place, self.root / place.name, symlinks=True)
        if flow.before:
            subprocess.run(["sh", "-c", flow.before], cwd=self.root / flow.folder, check=True)
        if flow.first:
            assert self.type(flow, flow.first).code == 0

    def type(self, flow: Flow, line: str = "", *, fault: Fault | None = None, seed: int = 1) -> Ran:
        """Run the command of a flow, or another one in its place."""
        words = flow.words(self.values, line)
        variables = {k: v.format_map(self.values) for k, v in flow.variables.items()}
        place = self.root / flow.folder
        streams = [self.root.parent / name for name in ("stdin", "out", "err", "steps")]
        streams[0].write_bytes(flow.stdin)
        (ended,) = children.run(
            lambda: _typed(place, words, variables, streams, fault, seed, flow.stop)
        )
        assert ended.error is None, ended.error
        out, err = (each.read_text(encoding="utf-8") for each in streams[1:3])
        steps: list[Step] = []
        if ended.result is not None:
            steps = ended.result[1]
        return Ran(None if ended.signal else ended.result[0], out, err, steps)

    def state(self, flow: Flow) -> State:
        """Look at everything that is not doll's own, and at git where a flow has to do with it."""
        found = {path: _read(self.root, path) for path in _kept_files(self.root)}
        tops = [self.root / name for name in sorted({flow.folder, flow.vault, "fresh"})]
        tops = [top for top in tops if (top / ".git/HEAD").exists()]
        return State(
            {path: data for path, data in found.items() if not _is_setting(path)},
            {top.name: _head(top) for top in tops},
            {top.name: frozenset(git(top, "ls-files", "-s").splitlines()) for top in tops},
            {path: data for path, data in found.items() if _is_setting(path)},
        )

    def temporaries(self) -> list[str]:
        """Return the paths of what doll made on the way, files and folders."""
        found = (path.relative_to(self.root).as_posix() for path in self.root.rglob(".doll-new-*"))
        return sorted(path for path in found if path.count(".doll-new-") == 1)


def _read(root: Path, path: str) -> bytes:
    data = (root / path).read_bytes()
    # A line of the log of use that was torn is passed over, and the next one begins anew.
    return data[: data.rfind(b"\n") + 1] if "/.doll/usage/" in path else data


def _head(top: Path) -> str:
    place = top / ".git/refs/heads/main"
    return place.read_text().strip() if place.exists() else ""


def is_temporary(path: str) -> bool:
    """Return whether a path is that of something made on the way, or lies in it."""
    return any(part.startswith(".doll-new-") for part in path.split("/"))


def _kept_files(root: Path) -> Iterator[str]:
    """Yield the paths of files, without temporary ones, caches, and most of what is git's."""
    for folder, inner, names in os.walk(root):
        here = Path(folder).relative_to(root).as_posix()
        inner[:] = [each for each in inner if not is_temporary(each)]
        if here.endswith(".doll") or here == ".":
            inner[:] = [each for each in inner if each not in ("cache", "state")]
        if here.endswith(".git"):
            inner[:] = ["refs"] if here == "remote.git" else ["hooks"]
            names[:] = ["config"]
        paths = (f"{here}/{name}".removeprefix("./") for name in names if not is_temporary(name))
        # A log of use without a line says nothing.
        yield from (p for p in paths if "/.doll/usage/" not in p or _read(root, p))


def _is_setting(path: str) -> bool:
    return path.endswith("/.git/config") or "/.git/hooks/" in path


def _typed(
    place: Path,
    words: list[str],
    variables: dict[str, str],
    streams: list[Path],
    fault: Fault | None,
    seed: int,
    stop: float,
) -> tuple[int, list[Step]]:
    """Run `doll` in this process, which ends after it."""
    from doll.cli import prepare
    from doll.cli import run as doll

    os.chdir(place)
    os.environ.update(CLOCK | variables | {"XDG_STATE_HOME": str(place.parent / "state")})
    for number, stream in enumerate(streams[:3]):
        flags = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        descriptor = os.open(stream, flags, 0o600)
        os.dup2(descriptor, number)
        os.close(descriptor)
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
        for number, mode in enumerate("rww")
    )
    steps: list[Step] = []
    with _standing_still(seed), watched(steps.append, fault):
        prepare()
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.setitimer(signal.ITIMER_REAL, stop)
        try:
            code = doll(words)
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
    return code, steps


@contextlib.contextmanager
def _standing_still(seed: int) -> Iterator[None]:
    """Stop the clock, and take random numbers from a sequence."""
    from doll.cli import clock
    from doll.vault import entries

    class Stopped(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> datetime:  # type: ignore[override]
            return datetime.fromtimestamp(NOW.timestamp() + seed, tz)

    numbers = random.Random(seed)
    clock.datetime = Stopped  # type: ignore[attr-defined]
    os.urandom = numbers.randbytes
    # Caches keep nothing of a file that changed just now: here every file is old.
    real = time.time_ns
    entries.time = types.SimpleNamespace(  # type: ignore[assignment, attr-defined]
        time_ns=lambda: real() + 10**10
    )
    random._urandom = numbers.randbytes  # type: ignore[attr-defined]
    yield


def import_all() -> None:
    """Import whatever a command may need, so that no child has to."""
    import doll

    for found in pkgutil.walk_packages(doll.__path__, "doll."):
        if found.name != "doll.__main__":
            importlib.import_module(found.name)
    for name in ("git", "jsonschema", "whoosh.index", "frontmatter", "detect_secrets.core.scan"):
        importlib.import_module(name)


def points(steps: list[Step]) -> list[Fault]:
    """Return every place to kill at: before each step, in the middle of some, after the last."""
    found = [Fault(number, "before") for number in range(len(steps))]
    found += [Fault(number, "half") for number, step in enumerate(steps) if step.halves]
    return sorted([*found, Fault(len(steps) - 1, "after")]) if steps else []


def refusals(steps: list[Step], kinds: tuple[str, ...]) -> list[Fault]:
    """Return every step with every kind of error; git is no step that a disk refuses."""
    own = [number for number, step in enumerate(steps) if not step.name.startswith("git ")]
    return [Fault(number, kind) for number in own for kind in kinds]
