"""What a watcher costs when nothing happens, and how soon a change is indexed. Linux.

    python -m tests.benchmarks.watch_figures [--records 10000] [--idle 30]

Idle: processor time (user and system) of the process over so many seconds. Seen: from the end of
a save to the line that tells of it, of which half a second is waiting for quiet.
"""

import argparse
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from tests.benchmarks.figures import DOLL
from tests.benchmarks.generated_vault import write_vault
from tests.recall_vault import memory

_TICKS = os.sysconf("SC_CLK_TCK")
_SAVES = 7
# A look without a hint comes once a minute: the idle time begins well before it.
_SETTLE = 3.0


def main() -> None:
    """Generate, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, action="append")
    parser.add_argument("--idle", type=float, default=30.0)
    arguments = parser.parse_args()
    for records in arguments.records or (100, 10_000):
        with tempfile.TemporaryDirectory() as folder:
            _measure(Path(folder) / "vault", records, arguments.idle)


def _measure(root: Path, records: int, idle: float) -> None:
    write_vault(root, records)
    subprocess.run([*DOLL, "index"], cwd=root, check=True, capture_output=True)
    watcher = subprocess.Popen(
        [*DOLL, "watch"], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert watcher.stdout is not None
    begun = time.monotonic()
    for _ in range(2):
        watcher.stdout.readline()
    print(f"{records:,} records: first look {time.monotonic() - begun:.2f} s")
    time.sleep(_SETTLE)
    before = _used(watcher.pid)
    time.sleep(idle)
    print(f"  idle for {idle:g} s: {_used(watcher.pid) - before:.2f} s of processor time")
    seen, used = [], []
    for number in range(_SAVES):
        before = _used(watcher.pid)
        (root / "confirmed" / "seen.md").write_text(memory("Seen", f"turn {number}"))
        begun = time.monotonic()
        for _ in range(2):
            watcher.stdout.readline()
        seen.append(time.monotonic() - begun)
        used.append(_used(watcher.pid) - before)
    print(f"  a save: seen after {statistics.median(seen):.2f} s", end=", ")
    print(f"{statistics.median(used):.2f} s of processor time; {_resident(watcher.pid)} MB")
    watcher.terminate()
    watcher.wait()


def _used(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _resident(process: int) -> int:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmRSS"))


if __name__ == "__main__":
    main()
