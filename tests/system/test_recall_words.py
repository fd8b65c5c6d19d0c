"""The words of an index, kept beside it: a list that is never believed more than the index is."""

from collections.abc import Collection
from pathlib import Path

import pytest

from doll.reconcile.refreshing import clean, refresh
from doll.reconcile.words import forget, words
from tests.desk import Desk
from tests.recall_vault import memory, site

AT = ("--json", "--as-of", "2026-08-20T12:00:00Z")


@pytest.fixture
def notes(desk: Desk) -> Desk:
    desk.put("confirmed/one.md", memory("Espresso order", "see [[two]]"))
    desk.put("confirmed/two.md", memory("Filter coffee"))
    return desk


def _words(root: Path) -> Collection[str]:
    where = site(root)
    return words(where, refresh(where).index)


def test_every_word_and_no_link(notes: Desk) -> None:
    found = _words(notes.root)
    assert {"espresso", "order", "coffe", "filter"} <= set(found)
    assert all("\0" not in word for word in found)
    assert len(found) == len(set(found))


def test_new_segments_are_listed_and_old_ones_are_not_again(notes: Desk) -> None:
    before = set(_words(notes.root))
    notes.put("confirmed/three.md", memory("Quokka", "espresso"))
    after = _words(notes.root)
    assert set(after) - before >= {"quokka", "three"}
    assert before <= set(after)
    assert len(after) == len(set(after))
    place = notes.root / ".doll/cache/recall/words"
    kept = place.read_bytes()
    assert set(_words(notes.root)) == set(after)
    assert place.read_bytes() == kept


def test_words_of_a_merged_index_are_those_of_its_records(notes: Desk) -> None:
    _words(notes.root)
    notes.put("confirmed/two.md", memory("Quokka"))
    notes.ok("index", "--rebuild")
    assert "filter" not in _words(notes.root)
    assert "quokka" in _words(notes.root)


@pytest.mark.parametrize("data", [b"", b"forged", None])
def test_what_is_lost_or_damaged_changes_no_answer(notes: Desk, data: bytes | None) -> None:
    expected = notes.ok("recall", "expresso", *AT).out
    assert '"meant": "Espresso"' in expected
    place = notes.root / ".doll/cache/recall/words"
    place.unlink()
    if data is not None:
        place.write_bytes(data)
    for _ in range(2):
        result = notes.ok("recall", "expresso", *AT)
        assert (result.out, result.err) == (expected, "")
    assert data is None or place.read_bytes() == data
    notes.ok("index", "--rebuild")
    assert notes.ok("recall", "expresso", *AT).out == expected
    assert data is None or place.read_bytes() != data


def test_words_of_other_segments_are_not_believed(notes: Desk) -> None:
    where = site(notes.root)
    assert where.cache.store("recall/words", b"\x92\x01\x81\xa1x\xa1y")  # of no segment here
    assert "espresso" in _words(notes.root)
    assert where.cache.store("recall/words", b"\x00")
    assert "espresso" in _words(notes.root)
    forget(where)
    assert "espresso" in _words(notes.root)


def test_nothing_is_kept_beside_an_index_that_is_not(notes: Desk) -> None:
    where = site(notes.root)
    assert "espresso" in words(where, clean(where).index)
    assert not (notes.root / ".doll/cache/recall").exists()
