"""What the hooks cost: a commit and a push with them, beside the same without, in the same run.

    python -m tests.benchmarks.hook_figures [--records 10000] [--runs 9]

Every figure is made of cold processes, the median of the runs. `over` is what the hooks add to the
bare command: the median of a run with them less that of the run without them.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.figures import DOLL, alone
from tests.benchmarks.generated_vault import write_vault

PROJECT = "project-03"
TRAILER = "change\n\nDoll-Action: db.migrate\n"


def main() -> None:
    """Generate, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=9)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        _measure(Path(folder), arguments.records, arguments.runs)


def _measure(folder: Path, records: int, runs: int) -> None:
    vault = folder / "vault"
    write_vault(vault, records)
    bare, hooked = folder / "bare", folder / "hooked"
    for code in (bare, hooked):
        _repository(folder, code)
    line = [*DOLL, "hooks", "install", "--vault", str(vault), "--project", PROJECT]
    subprocess.run(line, cwd=hooked, check=True, capture_output=True)
    os.sync()  # else the first figures are those of a disk at work
    time.sleep(2.5)  # what was written just now counts as racy and is read again
    print(f"{records:,} records, medians of {runs}", flush=True)
    status = [_timed(hooked, ["git", "status", "--porcelain"]) for _ in range(runs + 1)][1:]
    print(f"{'git status':44} {statistics.median(status):7.3f} s", flush=True)
    for number in (20, 5_000):
        _beside(f"git commit of {number:,} files", bare, hooked, runs, number, ["-m", "change"])
    _beside("git commit of 20, a message with a trailer", bare, hooked, runs, 20, ["-m", TRAILER])
    _pushes(bare, hooked, runs)
    for only in ("pre-commit", "commit-msg"):
        _only(hooked, vault, only)
        _beside(f"git commit of 20, {only} alone", bare, hooked, runs, 20, ["-m", "change"])


def _only(code: Path, vault: Path, kind: str) -> None:
    subprocess.run([*DOLL, "hooks", "uninstall"], cwd=code, check=True, capture_output=True)
    line = [*DOLL, "hooks", "install", "--vault", str(vault), "--project", PROJECT, "--only", kind]
    subprocess.run(line, cwd=code, check=True, capture_output=True)


def _beside(
    name: str, bare: Path, hooked: Path, runs: int, files: int, arguments: Sequence[str]
) -> None:
    seconds: dict[Path, list[float]] = {bare: [], hooked: []}
    for number in range(runs + 1):
        for code in (bare, hooked):
            _change(code, files, f"{name} {number}")
            seconds[code].append(_timed(code, ["git", "commit", "-q", *arguments]))
    _show(name, seconds[bare], seconds[hooked])


def _pushes(bare: Path, hooked: Path, runs: int) -> None:
    seconds: dict[Path, list[float]] = {bare: [], hooked: []}
    for number in range(runs + 1):
        for code in (bare, hooked):
            _change(code, 20, f"push {number}")
            commit = ["git", "commit", "-q", "--no-verify", "-m", "change"]
            subprocess.run(commit, cwd=code, check=True)
            seconds[code].append(_timed(code, ["git", "push", "-q", "origin", "main"]))
    _show("git push of a commit of 20 files", seconds[bare], seconds[hooked])


def _show(name: str, without: list[float], with_hooks: list[float]) -> None:
    # The first of each is the warm-up.
    before, after = statistics.median(without[1:]), statistics.median(with_hooks[1:])
    print(
        f"{name:44} {after:7.3f} s  bare {before:.3f} s  over {after - before:+.3f} s", flush=True
    )


def _timed(code: Path, command: Sequence[str]) -> float:
    started = time.perf_counter()
    done = subprocess.run(command, cwd=code, capture_output=True, check=False)
    seconds = time.perf_counter() - started
    if done.returncode or b"NOT CHECKED" in done.stderr:
        sys.exit(f"{' '.join(command)}: exit {done.returncode}: {done.stderr.decode()}")
    return seconds


def _change(code: Path, files: int, text: str) -> None:
    for number in range(files):
        (code / "src" / f"{number:05}.txt").write_text(f"{text}\n")
    subprocess.run(["git", "add", "-A"], cwd=code, check=True)


def _repository(folder: Path, code: Path) -> None:
    remote = folder / f"{code.name}-remote.git"
    (code / "src").mkdir(parents=True)
    _init = ["git", "init", "-q", "-b", "main"]
    subprocess.run([*_init, "--bare", str(remote)], check=True)
    subprocess.run([*_init], cwd=code, check=True)
    _change(code, 5_000, "start")
    subprocess.run(["git", "commit", "-qm", "start"], cwd=code, check=True)
    subprocess.run(["git", "remote", "add", "origin", str(remote)], cwd=code, check=True)
    subprocess.run(["git", "push", "-q", "origin", "main"], cwd=code, check=True)


if __name__ == "__main__":
    alone()
    main()
