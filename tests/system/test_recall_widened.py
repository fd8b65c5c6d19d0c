"""`doll recall` where the words of a query answer too little: parts of words, and typing errors."""

import os
import subprocess
import sys

import pytest

from tests.desk import Desk
from tests.recall_vault import memory

pytestmark = pytest.mark.sampled(4)

AT = ("--as-of", "2026-08-20T12:00:00Z")


@pytest.fixture
def notes(desk: Desk) -> Desk:
    desk.put("confirmed/list.md", memory("The microservicecatalog", "A list."))
    desk.put("confirmed/order.md", memory("Espresso order", "A double, no sugar, from the café."))
    desk.put("confirmed/plain.md", memory("The service desk", "Ask there."))
    desk.put("confirmed/languages.md", memory("What I speak", "Spanish, and 日本語 to order tea."))
    desk.git("add", "-A")
    desk.git("commit", "-qm", "notes")
    return desk


def test_parts_of_words_come_after_words(notes: Desk) -> None:
    notes.put("confirmed/many.md", memory("microservices " * 9, "selfservice " * 50))
    document = notes.ok("recall", "service", "--json", "--explain", *AT).json
    hits = document["hits"]
    assert [(hit["id"], hit["partial"]) for hit in hits] == [
        ("plain", False),
        ("many", True),
        ("list", True),
    ]
    assert (document["matches"], document["partial"], document["corrected"]) == (3, 2, [])
    assert hits[0]["score"] > hits[1]["score"] > hits[2]["score"] > 0
    assert "service within microservices in title" in hits[1]["why"]
    assert "service within selfservice in body" in hits[1]["why"]
    for hit in hits[1:]:
        parts = hit["explain"]["parts"]
        assert all(0 < part["share"] < 1 for part in parts)
        assert abs(sum(part["points"] for part in parts) - hit["score"]) <= 1


def test_a_part_of_a_word_alone(notes: Desk) -> None:
    out = notes.ok("recall", "catal", "--explain", *AT).out
    assert out.startswith("1. The microservicecatalog\n")
    assert ": catal within microservicecatalog in title\n" in out
    assert " as a part, " in out
    assert "did you mean" not in out


def test_no_part_is_looked_for_where_words_are_enough(notes: Desk) -> None:
    document = notes.ok("recall", "service", "--limit", "1", "--json", *AT).json
    assert (document["matches"], document["partial"]) == (1, 0)
    assert notes.ok("recall", "se", "--json", *AT).json["hits"] == []


def test_a_typing_error_is_corrected_and_said(notes: Desk) -> None:
    result = notes.ok("recall", "my expresso", *AT)
    first, second = result.out.splitlines()[:2]
    assert first == 'nothing matches "expresso"; showing Espresso'
    assert second == "1. Espresso order"
    document = notes.ok("recall", "my expresso", "--json", *AT).json
    assert document["corrected"] == [{"said": "expresso", "meant": "Espresso"}]
    assert document["terms"] == ["espresso"]
    assert document["query"] == "my expresso"
    assert [hit["id"] for hit in document["hits"]] == ["order"]
    assert document["hits"][0]["why"].startswith("Espresso in title")


def test_a_word_is_said_as_the_record_writes_it(notes: Desk) -> None:
    document = notes.ok("recall", "caff xylophones", "--json", *AT).json
    assert document["corrected"] == [{"said": "caff", "meant": "café"}]
    assert [hit["id"] for hit in document["hits"]] == ["order"]


def test_nothing_is_corrected_where_anything_matches(notes: Desk) -> None:
    document = notes.ok("recall", "expresso spanish", "--json", *AT).json
    assert [hit["id"] for hit in document["hits"]] == ["languages"]
    assert document["corrected"] == []


@pytest.mark.parametrize("filters", [("--type", "experience"), ("--since", "2026")])
def test_what_matches_outside_the_filters_is_not_corrected(
    notes: Desk, filters: tuple[str, ...]
) -> None:
    notes.put("confirmed/expresso.md", memory("Expresso is how some write it"))
    document = notes.ok("recall", "expresso", "--json", *filters, *AT).json
    assert (document["hits"], document["corrected"]) == ([], [])
    assert document["filtered_out"] == 1


def test_a_correction_that_the_filters_leave_out_is_said(notes: Desk) -> None:
    out = notes.ok("recall", "expresso", "--type", "experience", *AT).out
    assert 'nothing matches "expresso"; did you mean Espresso?' in out
    assert "left out by the filters: 1 match" in out


def test_words_of_deleted_records_do_not_count(notes: Desk) -> None:
    notes.ok("recall", "espresso")
    (notes.root / "confirmed/order.md").unlink()
    (notes.root / "confirmed/list.md").unlink()
    document = notes.ok("recall", "expresso", "--json", *AT).json
    assert (document["hits"], document["corrected"]) == ([], [])
    assert notes.ok("recall", "catal", "--json", *AT).json["hits"] == []


def test_secret_records_and_secrets_lend_no_word(notes: Desk) -> None:
    key = "ghp_" + "a8Kd02LmQ5xPz7RtY3wVb6NcJ4hG1fSe9uTi"
    notes.put("confirmed/sheet.md", memory("Quokkasheet", "zanzibar", sensitivity="secret"))
    notes.put("confirmed/leak.md", memory("A leak", f"the token is {key}"))
    for query in ("quokka", "zanzibars", "quokkasheets", key[4:14], key[4:-1], f"{key}x"):
        document = notes.ok("recall", query, "--json", *AT).json
        assert (document["hits"], document["corrected"]) == ([], []), query


def test_the_same_whatever_the_hash_seed(notes: Desk) -> None:
    """Sets of words are gone through on the way, and their order is another in each process."""
    notes.put("confirmed/more.md", memory("selfservices preservice expressed", "microservices"))
    for query in ("expresse", "service", "catlog servces"):
        command = [sys.executable, "-m", "doll", "recall", query, "--json", "--explain", *AT]
        found = {
            subprocess.run(
                command,
                cwd=notes.root,
                env={**os.environ, "PYTHONHASHSEED": seed},
                capture_output=True,
                check=True,
            ).stdout
            for seed in ("1", "2", "3")
        }
        assert len(found) == 1


def test_the_same_with_and_without_the_index(notes: Desk) -> None:
    asked = [("recall", query, "--json", "--explain", *AT) for query in ("expresso", "catal")]
    before = [notes.ok(*each).out for each in asked]
    notes.ok("index", "--rebuild")
    assert [notes.ok(*each).out for each in asked] == before


def test_words_that_no_record_has_are_named(desk: Desk) -> None:
    desk.put("confirmed/a.md", memory("Coffee", "no milk, the totalCost, 意式咖啡"))
    desk.put("confirmed/b.md", memory("Old", "zebra", status="archived"))
    for query, said in {
        "coffee sugr": ["sugr"],
        "coffee zebra milk": [],
        "coffee totalPrice grandPrice": ["grandPrice"],
        "coffee 红茶": ["红茶"],
        "coffee in june 2026": [],
        "coffee quagga sugr quagga": ["quagga", "sugr"],
        "coffee mil": ["mil"],
        "quagga mil": ["quagga"],
    }.items():
        assert desk.ok("recall", query, "--json").json["unmatched"] == said, query
        line = f"no record has: {', '.join(said)}\n"
        assert (line in desk.ok("recall", query).out) == bool(said)
    assert "no record has:" not in desk.ok("recall", "quagga").out
    assert desk.ok("recall", "quagga", "--json").json["unmatched"] == ["quagga"]


def test_an_explanation_says_words_and_no_stems(desk: Desk) -> None:
    desk.put("confirmed/a.md", memory("Coffee", "studies"))
    out = desk.ok("recall", "coffee studies", "--explain").out
    assert "searched for coffee studies with" in out
    assert "     coffee: title 1 x 3" in out
    assert "     studies: body 1 x 1" in out
