"""The figures of doll on a generated vault, each beside its floor in the same run.

    python -m tests.benchmarks.figures [--records 10000] [--runs 9]

Every figure is a cold process, the median of the runs; memory is the largest single process.
Floors: a bare Python start, `git status`, and reading all bytes of the vault.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.generated_vault import write_pam, write_vault

DOLL = [sys.executable, "-m", "doll"]
READ_ALL = "import os,sys\nfor d,_,fs in os.walk('.'):\n [open(d+'/'+f,'rb').read() for f in fs]"


def main() -> None:
    """Generate, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=9)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        _measure(Path(folder), arguments.records, arguments.runs)


def _measure(folder: Path, records: int, runs: int) -> None:
    vault, code = folder / "vault", folder / "code"
    write_vault(vault, records)
    write_code(code)
    cache = vault / ".doll" / "cache"
    staged = [*DOLL, "preflight", "--vault", str(vault), "--project", "project-03", "--staged"]
    recall = [*DOLL, "recall", "--vault", str(vault), "which migration locked the orders table"]
    edited = vault / "confirmed" / "memory-000007.md"

    def forget() -> None:
        shutil.rmtree(cache, ignore_errors=True)

    def edit() -> None:
        edited.write_text(edited.read_text() + "One more line about harbour weather.\n")

    time.sleep(2.5)  # what was written just now counts as racy and is read again
    show("bare Python", [sys.executable, "-c", "pass"], vault, runs)
    show("git status", ["git", "status", "--porcelain"], vault, runs)
    show("reading all bytes", [sys.executable, "-c", READ_ALL], vault, runs)
    show("doll --version", [*DOLL, "--version"], vault, runs)
    show("preflight --staged, no cache", staged, code, runs, before=forget)
    show("preflight --staged, warm", staged, code, runs)
    show("validate, no cache", [*DOLL, "validate"], vault, min(runs, 3), before=forget)
    show("recall, full index", recall, vault, min(runs, 3), before=forget)
    show("recall, nothing changed", recall, vault, runs)
    show("recall, after one edit", recall, vault, runs, before=edit)
    _import(folder, records, min(runs, 3))


def _import(folder: Path, memories: int, runs: int) -> None:
    write_pam(folder / "export.json", memories)
    target = folder / "empty"

    def fresh() -> None:
        shutil.rmtree(target, ignore_errors=True)
        subprocess.run([*DOLL, "init", str(target)], check=True, capture_output=True)

    command = [*DOLL, "import", "pam", str(folder / "export.json"), "--vault", str(target)]
    show(f"import of {memories:,} PAM memories", command, folder, runs, before=fresh)


def write_code(code: Path) -> None:
    """Make a code repository with ten staged files and no commit."""
    (code / "migrations").mkdir(parents=True)
    for number in range(10):
        (code / "migrations" / f"{number:04}.sql").write_text("alter table orders;\n")
    for command in (["init", "-q", "-b", "main"], ["add", "-A"]):
        subprocess.run(["git", *command], cwd=code, check=True)


def show(
    name: str,
    command: list[str],
    cwd: Path,
    runs: int,
    before: Callable[[], None] | None = None,
) -> None:
    """Run a command as cold processes and print the median, the range, and the peak memory."""
    seconds, peak = [], 0
    for _ in range(runs + 1):
        if before:
            before()
        started = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds.append(time.perf_counter() - started)
        peak = max(peak, usage.ru_maxrss // (1024 if sys.platform != "darwin" else 1024 * 1024))
        if process.returncode not in (0, 1):
            sys.exit(f"{name}: exit {process.returncode}")
    counted = seconds[1:]  # the first run is the warm-up
    median = statistics.median(counted)
    spread = f"{min(counted):.3f} to {max(counted):.3f}"
    print(f"{name:36} {median:7.3f} s  ({spread})  peak {peak} MB", flush=True)


def alone() -> None:
    """Take away what the environment says to git and doll; name an author."""
    unwanted = ("GIT_", "DOLL_", "PYTHONDONTWRITEBYTECODE")
    for name in [name for name in os.environ if name.startswith(unwanted)]:
        del os.environ[name]
    identity = {"NAME": "Bench", "EMAIL": "bench@example.org"}
    for role in ("AUTHOR", "COMMITTER"):
        os.environ |= {f"GIT_{role}_{key}": value for key, value in identity.items()}


if __name__ == "__main__":
    alone()
    main()
