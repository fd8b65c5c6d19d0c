"""The figures of recall, beside grep, SQLite's FTS5 and `oldhand` on the same records, in one run.

    python -m tests.benchmarks.recall_figures [--records 10000] [--oldhand PATH/bin/oldhand]

Every figure is a cold process, the median of the runs, taken by turns with the others. Memory is
the most that all processes of a build have together (Linux). oldhand is no dependency: install
0.6.0b1 from PyPI into an environment of its own and name its program; without, it is left out.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.figures import DOLL, alone
from tests.benchmarks.generated_vault import write_vault
from tests.benchmarks.recall_rivals import by_fts5, by_grep, by_oldhand

QUERY = "which migration locked the orders table"
WORDS = ("migration", "locked", "orders", "table")
_SETTLE = 2.5  # what was written just now counts as racy and is read again


class Run(NamedTuple):
    """One process: seconds, and MB of it and all its children together at the most."""

    seconds: float
    peak: int


class Measured(NamedTuple):
    """A command, what comes before each run, and what one run may use."""

    command: Sequence[str]
    before: Callable[[], None] | None = None
    processors: int = 0  # 0: all


def main() -> None:
    """Generate, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, action="append")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--builds", type=int, default=3)
    parser.add_argument("--oldhand", type=Path)
    arguments = parser.parse_args()
    if arguments.oldhand is None:
        print("oldhand is left out: name its program with --oldhand")
    for records in arguments.records or (10_000, 100_000):
        with tempfile.TemporaryDirectory() as folder:
            _measure(Path(folder), records, arguments)


def _measure(folder: Path, records: int, arguments: argparse.Namespace) -> None:
    vault = folder / "vault"
    write_vault(vault, records)
    time.sleep(_SETTLE)
    print(f"\n{records:,} records, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    _show(_by_turns(_builds(vault), arguments.builds))
    _show(_by_turns(_searches(vault, folder, arguments.oldhand), arguments.runs))


def _builds(vault: Path) -> Mapping[str, Measured]:
    index = [*DOLL, "index", "--vault", str(vault)]

    def forget() -> None:
        shutil.rmtree(vault / ".doll" / "cache", ignore_errors=True)

    return {
        "full index, all processors": Measured(index, forget),
        "full index, one process": Measured(index, forget, processors=1),
    }


def _searches(vault: Path, folder: Path, oldhand: Path | None) -> Mapping[str, Measured]:
    grep, grepping = by_grep(vault, WORDS)
    recall = [*DOLL, "recall", "--vault", str(vault), QUERY]
    edited = vault / "confirmed" / "memory-000007.md"
    found = {
        "bare Python": Measured([sys.executable, "-c", "pass"]),
        grep: Measured(grepping),
        "SQLite FTS5": Measured(by_fts5(vault, folder, WORDS)),
        "recall": Measured(recall),
        "recall after one edit": Measured(recall, _edit(edited)),
    }
    if oldhand is not None:
        search, record = by_oldhand(oldhand, vault, folder, QUERY)
        found["oldhand"] = Measured(search)
        found["oldhand after one edit"] = Measured(search, _edit(record))
    return found


def _edit(place: Path) -> Callable[[], None]:
    def edit() -> None:
        place.write_text(place.read_text() + "One more line about harbour weather.\n")

    return edit


def _by_turns(measured: Mapping[str, Measured], runs: int) -> dict[str, list[Run]]:
    """Run all by turns, so that all see the same machine; the first turn warms up."""
    found: dict[str, list[Run]] = {name: [] for name in measured}
    for turn in range(runs + 1):
        for name, one in measured.items():
            if one.before is not None:
                one.before()
            run = _run(one)
            if turn or runs == 1:
                found[name].append(run)
            if one.before is not None:
                # What was edited is racy no more in the next run.
                time.sleep(_SETTLE)
                subprocess.run(one.command, check=False, capture_output=True)
    return found


def _run(one: Measured) -> Run:
    allowed = _bound(one.processors)
    started = time.perf_counter()
    process = subprocess.Popen(one.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if allowed:
        os.sched_setaffinity(0, allowed)
    peak = _Peak(process.pid)
    code = process.wait()
    seconds = time.perf_counter() - started
    if code not in (0, 1):
        sys.exit(f"{one.command[0]}: exit {code}")
    return Run(seconds, peak.end())


def _bound(processors: int) -> set[int]:
    """Let what is started from now on use so many processors; return those allowed before."""
    if not processors or not hasattr(os, "sched_setaffinity"):
        return set()
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(allowed)[:processors])
    return allowed


class _Peak(threading.Thread):
    """Looks at the memory of a process and its children until it is ended."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._pid, self._most, self._over = pid, 0, threading.Event()
        self.start()

    def run(self) -> None:
        while not self._over.wait(0.02):
            self._most = max(self._most, sum(map(_memory, _family(self._pid))))

    def end(self) -> int:
        self._over.set()
        self.join()
        return self._most // 1024


def _family(pid: int) -> list[int]:
    try:
        threads = list(Path(f"/proc/{pid}/task").iterdir())
        children = [int(one) for t in threads for one in (t / "children").read_text().split()]
    except OSError:
        return [pid]
    return [pid, *(each for child in children for each in _family(child))]


def _memory(pid: int) -> int:
    """Return the resident memory of a process in KB, 0 where it cannot be seen."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS:")), 0)


def _show(found: Mapping[str, list[Run]]) -> None:
    for name, runs in found.items():
        seconds = [run.seconds for run in runs]
        spread = f"{min(seconds):.3f} to {max(seconds):.3f}"
        peak = f"peak {max(run.peak for run in runs)} MB" if any(r.peak for r in runs) else ""
        print(f"{name:28} {statistics.median(seconds):8.3f} s  ({spread})  {peak}", flush=True)


if __name__ == "__main__":
    alone()
    main()
