"""Pairs planted in a generated vault are found, each as what it is, and nothing else is.

The large figures: 50,000 equal texts, 10,000 that are all near, 10,000 that share half of a form.
"""

import json
import random
import resource
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.benchmarks.generated_vault import write_vault
from tests.desk import Desk, make_vault
from tests.recall_vault import memory
from tests.system.test_duplicates import AS_OF

RECORDS = 1_000
EACH = 30
LATER = ("--as-of", "2026-08-20T12:00:00Z")


def body_of(text: str) -> str:
    return text.partition("\n---\n")[2]


def changed(body: str, share: float, dice: random.Random) -> str:
    """Return a text with a share of its words replaced by new ones."""
    words = body.split()
    for place in dice.sample(range(len(words)), round(share * len(words))):
        words[place] = f"new{dice.randrange(10**9)}"
    return " ".join(words)


@pytest.fixture
def planted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[Desk, dict[str, str]]:
    """A generated vault, and the kind of each planted record by its id ("": not alike)."""
    root = tmp_path / "notes"
    write_vault(root, RECORDS)
    desk = Desk(root, capsys)
    dice = random.Random(11)
    kinds: dict[str, str] = {}
    paths = sorted((root / "confirmed").iterdir())
    for place, source in enumerate(dice.sample(paths, 4 * EACH)):
        text = source.read_text()
        front, body = text.partition("\n---\n")[0], body_of(text)
        kind, body = (
            ("exact", body.upper().replace(" ", "  ")),
            ("near", changed(body, 0.2, dice)),
            ("extending", body + changed(body_of(paths[place].read_text()), 0.5, dice)),
            ("", changed(body, 0.6, dice)),
        )[place % 4]
        name = f"{source.stem}-planted"
        # Not of the same subject: that would be a finding of its own.
        title = "title: " if kind else "title: of another subject "
        desk.put(f"confirmed/{name}.md", f"{front.replace('title: ', title)}\n---\n{body}")
        kinds[name] = kind
    return desk, kinds


def test_what_was_planted_is_found_and_nothing_else(planted: tuple[Desk, dict[str, str]]) -> None:
    desk, kinds = planted
    report = desk.ok("duplicates", "--json", "--limit", "1000", *LATER).json
    seen: Counter[str] = Counter()
    for finding in report["findings"]:
        one, other = sorted(Path(path).stem for path in finding["paths"])
        assert other == f"{one}-planted"
        assert kinds[other] == finding["kind"]
        seen[finding["kind"]] += 1
    assert seen == {"exact": EACH, "near": EACH, "extending": EACH}
    assert report["cut"] == 0


def texts_of_a_hostile_vault() -> Iterator[tuple[str, str]]:
    """Yield the names and texts of 70,000 memories."""
    for number in range(50_000):
        yield f"same-{number:05}", memory("Order", "A double espresso, no sugar, after lunch.")
    frame = " ".join(f"frame{number}" for number in range(60))
    for number in range(10_000):
        yield f"near-{number:05}", memory("Form", f"{frame} own{number}")
    half = " ".join(f"half{number}" for number in range(40))
    for number in range(10_000):
        own = " ".join(f"o{number}x{word}" for word in range(15))
        yield f"half-{number:05}", memory(f"Half {number}", f"{half} {own}")


@pytest.mark.soak
def test_a_hostile_vault(tmp_path: Path) -> None:
    """Groups are groups, in bounded memory; it takes under a minute, which is not asserted."""
    root = make_vault(tmp_path / "notes")
    (root / "confirmed").mkdir()
    for name, text in texts_of_a_hostile_vault():
        (root / "confirmed" / f"{name}.md").write_text(text)
    command = [sys.executable, "-m", "doll", "duplicates", "--json", *AS_OF]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    report = json.loads(done.stdout)
    shape = [(each["kind"], len(each["paths"])) for each in report["findings"]]
    assert shape == [("exact", 50_000), ("near", 10_000)]
    assert report["compared"] == 70_000
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 700 * 1024
    shutil.rmtree(root)
