"""Law 1: use does not make a memory truer, and neglect does not make it less true.

No recall, no feedback and no number of signals changes a record, what stands where, or what a check
says; they change the order of one algorithm's answers. Losing them, the cache or the algorithm
loses order only.
"""

import random
import shutil
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any, get_args

import pytest

from doll.recall.algorithms import NAMES
from doll.vault.signals import Feedback, Recall, Signal, Verdict, encode
from tests.desk import Desk
from tests.footprint import OWN, footprint

pytestmark = pytest.mark.sampled(4)

AS_OF = ("--as-of", "2026-09-20T12:00:00Z")
QUERY = ("recall", "orders migration espresso table", "--limit", "100", "--explain", "--json")
FACTS = (
    ("list", "--json", "--staging"),
    ("validate", "--json"),
    ("verify", "--json"),
    ("status", "--json"),
    ("preflight", "--json", *AS_OF, "--project", "atlas", "--action", "db.migrate.online"),
    ("preflight", "--json", *AS_OF, "--project", "atlas", "--path", "migrations/1.sql"),
)
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


@pytest.fixture
def used(example: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    shutil.copytree(example, tmp_path / "notes")
    return Desk(tmp_path / "notes", capsys)


def facts(desk: Desk) -> list[str]:
    """Return all that doll says of the vault without searching it, and HEAD."""
    return [desk.git("rev-parse", "HEAD"), *(desk.doll(*command).out for command in FACTS)]


def asked(desk: Desk, algorithm: str) -> Any:
    return desk.ok(*QUERY, *AS_OF, "--algorithm", algorithm).json


def flood(desk: Desk, number: int) -> None:
    """Write a log of many signals of every kind about every record, candidates and nobody."""
    chance = random.Random(1)
    ids = [record["id"] for record in desk.ok("list", "--json", "--staging").json["records"]]
    ids += ["nobody", "mine/tea-01234567"]
    for day in range(30):
        signals = [_signal(chance, ids, date(2026, 9, 20) - timedelta(day)) for _ in range(number)]
        name = f"{date(2026, 9, 20) - timedelta(day)}-0000000{day % 3}"
        desk.put(f".doll/usage/{name}.jsonl", b"".join(map(encode, signals)).decode())


def _signal(chance: random.Random, ids: list[str], day: date) -> Signal:
    at = f"{day}T{chance.randrange(12):02}:{chance.randrange(60):02}:00Z"
    some = tuple(chance.sample(ids, 3))
    if chance.random() < 0.3:
        return Recall(at, some)
    by = chance.choice(["user", "model:a", "model:b"])
    return Feedback(at, some, chance.choice(VERDICTS), by)


def without_order(document: Any) -> tuple[Any, ...]:
    """Return what an answer says of its records, whatever their order."""
    hits = [
        (
            hit["id"],
            hit["path"],
            hit["digest"],
            hit["snippet"],
            str(hit["facts"]),
            str(hit["marks"]),
        )
        for hit in document["hits"]
    ]
    return sorted(hits), document["matches"], document["left_out"], document["index_digest"]


def test_thousands_of_signals_change_no_record_and_no_fact(used: Desk) -> None:
    said, before = facts(used), footprint(used.root, OWN)
    answers = {name: asked(used, name) for name in NAMES}
    flood(used, 200)
    assert footprint(used.root, OWN) == before
    assert facts(used) == said
    for name in NAMES:
        if name != "activation/1":
            assert asked(used, name) == answers[name]
    now = asked(used, "activation/1")
    assert now["usage"]["signals"] == 30 * 200
    assert [hit["score"] for hit in now["hits"]] != [
        hit["score"] for hit in answers["activation/1"]["hits"]
    ]
    assert without_order(now) == without_order(answers["activation/1"])
    assert footprint(used.root, OWN) == before


def _commands(records: list[str]) -> Iterator[tuple[str, ...]]:
    for verdict in VERDICTS:
        yield ("feedback", *records, verdict)
        yield ("feedback", *records, verdict, "--by", "model:m", "--json")
        yield ("feedback", "nobody", verdict)
    for name in NAMES:
        yield ("recall", "orders espresso", "--algorithm", name)
        yield ("recall", "zzzqqq", "--algorithm", name, "--all", "--include-staging")


def test_no_recall_and_no_feedback_changes_anything_else(used: Desk) -> None:
    used.git("config", "doll.logRecalls", "true")
    said = facts(used)
    records = [
        record["id"]
        for record in used.ok("list", "--json").json["records"]
        if record["type"] in ("memory", "experience") and record["sensitivity"] != "secret"
    ]
    before = footprint(used.root.parent, [f"notes/{path}" for path in OWN])
    for words in _commands(records):
        assert used.doll(*words).code == (2 if "nobody" in words else 0), words
        assert footprint(used.root.parent, [f"notes/{path}" for path in OWN]) == before, words
    assert facts(used) == said
    logs = (used.root / ".doll/usage").iterdir()
    assert sum(log.read_bytes().count(b"\n") for log in logs) == 6 + len(NAMES)


def test_another_algorithm_changes_order_only(used: Desk) -> None:
    flood(used, 20)
    before = footprint(used.root, OWN)
    found = [without_order(asked(used, name)) for name in ("lexical/1", "activation/1")]
    assert found[0][0]
    for each in found[1:]:
        assert set(found[0][0]) <= set(each[0])
    assert footprint(used.root, OWN) == before


def test_losing_the_log_loses_order_only(used: Desk) -> None:
    never = asked(used, "activation/1")
    flood(used, 20)
    full = asked(used, "activation/1")
    assert full != never
    shutil.rmtree(used.root / ".doll/usage")
    assert asked(used, "activation/1") == never
    assert without_order(full) == without_order(never)


def test_without_the_cache_and_made_anew_the_answer_is_the_same(used: Desk) -> None:
    flood(used, 20)
    answers = [asked(used, name) for name in NAMES]
    for again in (
        lambda: shutil.rmtree(used.root / ".doll/cache"),
        lambda: used.ok("index", "--rebuild"),
        lambda: shutil.rmtree(used.root / ".git/doll"),
    ):
        again()
        assert [asked(used, name) for name in NAMES] == answers


@pytest.mark.parametrize("damage", ["truncated", "garbage", "doubled", "a foreign file"])
def test_a_damaged_log_fails_nothing(used: Desk, damage: str) -> None:
    flood(used, 20)
    said, before = facts(used), footprint(used.root, OWN)
    full = asked(used, "activation/1")
    for file in sorted((used.root / ".doll/usage").iterdir()):
        data = file.read_bytes()
        if damage == "truncated":
            file.write_bytes(data[: len(data) // 2])
        elif damage == "garbage":
            file.write_bytes(bytes(255 - byte for byte in data))
        elif damage == "doubled":
            file.write_bytes(data + data)
        else:
            (file.parent / "notes.txt").write_bytes(data)
    found = asked(used, "activation/1")
    assert without_order(found) == without_order(full)
    if damage in ("doubled", "a foreign file"):
        assert [hit["score"] for hit in found["hits"]] == [hit["score"] for hit in full["hits"]]
    assert facts(used) == said
    assert footprint(used.root, OWN) == before
