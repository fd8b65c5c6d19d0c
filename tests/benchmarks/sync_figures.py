"""What a sync costs, beside plain git that does the same, in the same run.

    python -m tests.benchmarks.sync_figures [--records 10000] [--runs 9]

A vault of so many records, and a bare repository on the same disk as its remote. Every figure is
the median over cold processes, the first run left out.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.figures import DOLL, alone, show
from tests.benchmarks.generated_vault import write_vault

_PULL_PUSH = "git pull -q --no-rebase --no-edit && git push -q"


def main() -> None:
    """Generate, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=9)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        _measure(Path(folder), arguments.records, arguments.runs)


def _measure(folder: Path, records: int, runs: int) -> None:
    vault, other = folder / "vault", folder / "other"
    write_vault(vault, records)
    _git(folder, "clone", "-q", "--bare", "vault", "hub.git")
    _git(vault, "remote", "add", "origin", str(folder / "hub.git"))
    _git(vault, "fetch", "-q", "origin")
    branch = _git(vault, "symbolic-ref", "--short", "HEAD")
    _git(vault, "branch", "-q", "-u", f"origin/{branch}")
    _git(folder, "clone", "-q", "hub.git", "other")
    subprocess.run([*DOLL, "sync"], cwd=vault, check=True, capture_output=True)
    time.sleep(2.5)  # what was written just now counts as racy and is read again
    pull_push = ["sh", "-c", _PULL_PUSH]
    commit_too = ["sh", "-c", f"git commit -qam 'one change' && {_PULL_PUSH}"]
    sync = [*DOLL, "sync"]
    show("git pull && git push, nothing to do", pull_push, vault, runs)
    show("doll sync, nothing to do", sync, vault, runs)
    show("git, one change", commit_too, vault, runs, before=_edits(vault))
    show("doll sync, one change", sync, vault, runs, before=_edits(vault))
    show("git, a change on either side", commit_too, vault, runs, before=_both(vault, other))
    show("doll sync, a change on either side", sync, vault, runs, before=_both(vault, other))


def _edits(vault: Path, number: int = 7) -> Callable[[], None]:
    """Return what changes one memory of a vault."""
    place = vault / "confirmed" / f"memory-{number:06}.md"

    def edit() -> None:
        with place.open("a", encoding="utf-8") as opened:
            opened.write("One more line about harbour weather.\n")

    return edit


def _both(vault: Path, other: Path) -> Callable[[], None]:
    """Return what changes one memory here and another one at the remote."""
    here, there = _edits(vault), _edits(other, 8)

    def edit() -> None:
        _git(other, "pull", "-q", "--no-rebase", "--no-edit")
        there()
        _git(other, "commit", "-qam", "theirs")
        _git(other, "push", "-q")
        here()

    return edit


def _git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, check=False)
    if done.returncode:
        sys.exit(done.stderr.decode())
    return done.stdout.decode().strip()


if __name__ == "__main__":
    alone()
    main()
