"""Imports of many PAM memories, beside the time in which the format's own package loads the file.

    python -m tests.benchmarks.interchange_figures [--memories 50000] [--runs 3]

Every figure is a cold process into an empty vault, the median of the runs, and the largest memory
of one. Two stores: one with short memories, and one that has every field of the format, relations,
a checksum, and text that is not ASCII. Exports have figures of their own: `export_figures`.
"""

import argparse
import json
import multiprocessing
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.figures import DOLL, alone, show
from tests.benchmarks.generated_vault import write_pam
from tests.pam_documents import full_memory, relation, store

_LOAD = "import sys, portable_ai_memory; portable_ai_memory.load(sys.argv[1])"
_TEXT = "The user prefers tea, walks to work, and reads about databases \u2014 \u4e2d\u6587. " * 4


def main() -> None:
    """Generate, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=50_000)
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        plain, whole = Path(folder) / "plain.json", Path(folder) / "whole.json"
        for write, place in ((write_pam, plain), (write_whole, whole)):
            # In a process of its own: what a parent holds counts in the peak of its children.
            writer = multiprocessing.Process(target=write, args=(place, arguments.memories))
            writer.start()
            writer.join()
        for place in (plain, whole):
            _measure(place, arguments.runs)


def write_whole(place: Path, memories: int) -> None:
    """Write a store whose memories have every field; each third one supersedes the first."""
    made = [full_memory(id=f"mem-{n:06}", content=f"{n}: {_TEXT}") for n in range(memories)]
    edges = [relation(f"mem-{n:06}", "mem-000000", id=f"rel-{n:06}") for n in range(0, memories, 3)]
    place.write_text(json.dumps(store(*made, relations=edges), ensure_ascii=False), "utf-8")


def _measure(place: Path, runs: int) -> None:
    folder, name = place.parent, place.stem
    target = folder / "vault"

    def fresh() -> None:
        shutil.rmtree(target, ignore_errors=True)
        subprocess.run([*DOLL, "init", str(target)], check=True, capture_output=True)

    size = place.stat().st_size // (1024 * 1024)
    command = [*DOLL, "import", "pam", str(place), "--vault", str(target)]
    show(f"import of the {name} store, {size} MB", command, folder, runs, before=fresh)
    show("the same again, nothing new", command, folder, runs)
    load = [sys.executable, "-c", _LOAD, str(place)]
    show("portable_ai_memory.load of it", load, folder, runs)


if __name__ == "__main__":
    alone()
    main()
