"""The figures of `doll verify` on a generated history, beside git's own walk of it.

    python -m tests.benchmarks.verify_figures [--commits 10000] [--runs 9]

Cold processes, medians of the runs after a warm-up, as in `figures`.
"""

import argparse
import shutil
import subprocess
import tempfile
from pathlib import Path

from tests.benchmarks.figures import DOLL, alone, show
from tests.benchmarks.generated_history import write_history

WALK = ["git", "log", "-m", "--full-history", "--raw", "-z", "--no-renames"]


def main() -> None:
    """Generate, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commits", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=9)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for projects in (20, 1):
            vault = Path(folder) / f"vault-{projects}"
            write_history(vault, arguments.commits, projects)
            _measure(vault, arguments.commits, arguments.runs, f"{projects} folders")


def _measure(vault: Path, commits: int, runs: int, name: str) -> None:
    verify = [*DOLL, "verify"]

    def forget() -> None:
        shutil.rmtree(vault / ".doll" / "cache", ignore_errors=True)

    def more() -> None:
        subprocess.run(["git", "commit", "-q", "--allow-empty", "-m", "x"], cwd=vault, check=True)

    show(f"git log -m --raw, {name}", WALK, vault, runs)
    show(f"verify {commits:,} commits, {name}", verify, vault, runs, before=forget)
    show("verify after one more commit", verify, vault, runs, before=more)
    show("verify, nothing new", verify, vault, runs)


if __name__ == "__main__":
    alone()
    main()
