"""Law 1: which algorithm ranks changes the order of an answer, and no byte of any record.

The words' part of a score is the same in each of them, what they show of a record is the same, and
the state of the cache decides nothing.
"""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from doll.recall.algorithms import NAMES
from tests.desk import Desk
from tests.footprint import OWN, footprint
from tests.recall_vault import entry, memory

pytestmark = pytest.mark.sampled(4)

QUERIES = (
    "zebra",
    '"quiet harbor" zebra',
    "quiet harbor",
    "what did I do in May 2023",
    "zebra yesterday",
    "2023年5月の記録",
    "migrate commit:1f2e3d4",
)
AT = ("--as-of", "2026-08-20T12:00:00Z", "--limit", "100", "--json", "--explain")


@pytest.fixture
def linked(desk: Desk) -> Desk:
    for n in range(12):
        text = f"Zebra {n}, see [[note-{(n + 5) % 12}]]. {'Quiet harbor.' if n % 3 else 'Harbor.'}"
        related = f"[note-{(n + 1) % 12}]"
        moment = f"2023-0{4 + n % 3}-0{1 + n % 9}T10:00:00Z"
        title = f"Quiet {n}" if n % 2 else f"Note {n}"
        desk.put(f"confirmed/note-{n}.md", memory(title, text, related=related, created=moment))
    for n in range(4):
        said = {"work_item": "migrate", "evidence": "['commit:1f2e3d4']"}
        desk.put(f"experience/atlas/entry-{n}.md", entry(f"Tried {n}", "Zebra " * (n % 2), **said))
    desk.git("add", "-A")
    desk.git("commit", "-qm", "notes")
    return desk


def _asked(desk: Desk, query: str, algorithm: str) -> Any:
    return desk.ok("recall", query, *AT, "--algorithm", algorithm).json


def test_no_algorithm_changes_a_byte(linked: Desk) -> None:
    linked.ok("index")  # makes `.doll`, which a vault without schemas has not
    before, head = footprint(linked.root, OWN), linked.git("rev-parse", "HEAD")
    for query in QUERIES:
        for name in NAMES:
            linked.ok("recall", query, "--algorithm", name)
            linked.ok("recall", query, *AT, "--algorithm", name)
        assert _asked(linked, query, "associative/1")["hits"]
    assert footprint(linked.root, OWN) == before
    assert linked.git("rev-parse", "HEAD") == head
    assert linked.git("status", "--porcelain") == ""


def test_each_shows_the_same_of_a_record_and_every_part_adds_up(linked: Desk) -> None:
    orders = set()
    for query in QUERIES:
        shown: dict[str, Any] = {}
        for name in NAMES:
            hits = _asked(linked, query, name)["hits"]
            orders.add((query, tuple(hit["id"] for hit in hits)))
            for hit in hits:
                said = hit["explain"]
                assert hit["score"] == said["words"] + sum(a["points"] for a in said["additions"])
                assert said["words"] == int(sum(part["points"] for part in said["parts"]) + 0.5)
                facts = (hit["digest"], hit["path"], hit["snippet"], said["words"], said["parts"])
                assert shown.setdefault(hit["id"], facts) == facts
            # What has any of the words is found by every algorithm, and what others add is more.
            by_words = {hit["id"] for hit in hits if hit["explain"]["words"]}
            assert by_words == {hit["id"] for hit in _asked(linked, query, "lexical/1")["hits"]}
    assert len(orders) > len(QUERIES)


def test_the_cache_decides_nothing(linked: Desk) -> None:
    def answers() -> list[Any]:
        return [_asked(linked, query, name) for query in QUERIES for name in NAMES]

    first = answers()
    assert answers() == first
    shutil.rmtree(linked.root / ".doll/cache")
    assert answers() == first


def test_links_follow_edits_as_if_made_anew(linked: Desk) -> None:
    """Links come and go, records are renamed and deleted; the index grows by each of it."""
    steps: list[Callable[[], object]] = [
        lambda: linked.put("confirmed/far.md", memory("Far", "x", related="[note-3]")),
        lambda: linked.put("confirmed/far.md", memory("Far", "x")),
        lambda: linked.put("confirmed/far.md", memory("Far", "[[Old]]")),
        lambda: linked.put("confirmed/note-4.md", memory("Zebra", "y", aliases="[old]")),
        lambda: Path(linked.root, "confirmed/note-4.md").rename(linked.root / "confirmed/new.md"),
        lambda: Path(linked.root, "confirmed/new.md").unlink(),
    ]
    few = QUERIES[:2]
    for step in steps:
        step()
        kept = [_asked(linked, query, "associative/1")["hits"] for query in few]
        linked.ok("index", "--check")
        linked.ok("index", "--rebuild")
        assert [_asked(linked, query, "associative/1")["hits"] for query in few] == kept
