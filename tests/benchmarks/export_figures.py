"""An export of many memories, beside the time in which the format's own package loads the file.

    python -m tests.benchmarks.export_figures [--memories 50000] [--runs 3]

The vault is one after an import and its approval: every memory has its origin, claims and review.
Every figure is a process of its own, the median of the runs, and the largest memory of one. Without
a cache every record is parsed; with it none is. Beside it a full export against itself as the base.
"""

import argparse
import hashlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.figures import DOLL, alone, show
from tests.benchmarks.generated_vault import WORDS, some_words

_LOAD = "import sys, portable_ai_memory; portable_ai_memory.load(sys.argv[1])"
_RECORD = """---
schema: doll/memory/1
summary: {summary}
created: 2026-01-05T10:00:00Z
tags:
  - {tag}
origin: import
origin_adapter: pam
origin_source: bench
origin_id: mem-{number:06}
origin_sha256: {digest}
claims:
  /status: '"active"'
  /content_hash: '"sha256:{digest}"'
  /confidence/initial: '0.9'
  /provenance/platform: '"bench"'
reviewed_by: Ada <ada@example.org>
reviewed_at: 2026-02-01T10:00:00Z
reviewed_sha256: {digest}
kind: fact
---
{body}"""


def write_reviewed(root: Path, memories: int) -> None:
    """Make a vault with that many imported and approved memories, committed."""
    dice = random.Random(3)  # the same vault each time
    subprocess.run([*DOLL, "init", str(root)], check=True, capture_output=True)
    for number in range(memories):
        body = f"{number} {' '.join(some_words(dice, 80))}"
        text = _RECORD.format(
            summary=" ".join(dice.choices(WORDS, k=6)),
            tag=dice.choice(WORDS),
            number=number,
            digest=hashlib.sha256(body.encode()).hexdigest(),
            body=body,
        )
        (root / "confirmed" / f"memory-{number:06}.md").write_text(text, encoding="utf-8")
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)
    subprocess.run(["git", "commit", "-qm", "approved"], cwd=root, check=True)


def main() -> None:
    """Generate, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=50_000)
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        _measure(Path(folder), arguments.memories, arguments.runs)


def _measure(folder: Path, memories: int, runs: int) -> None:
    vault, out = folder / "vault", folder / "memory-store.json"
    write_reviewed(vault, memories)
    time.sleep(2.5)  # what was written just now counts as racy and is read again
    export = [*DOLL, "export", "pam", "--all", "--owner", "bench", "--vault", str(vault)]

    def forget() -> None:
        shutil.rmtree(vault / ".doll" / "cache", ignore_errors=True)

    written = [*export, "--out", str(out)]
    show(f"export of {memories:,} memories, no cache", written, folder, runs, before=forget)
    show("export, warm", written, folder, runs)
    show("portable_ai_memory.load of it", [sys.executable, "-c", _LOAD, str(out)], folder, runs)
    against = [*export, "--base", str(out), "--out", str(folder / "since.json")]
    show("export against it, nothing changed", against, folder, runs)


if __name__ == "__main__":
    alone()
    main()
