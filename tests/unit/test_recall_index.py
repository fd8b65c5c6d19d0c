"""The Whoosh index in memory: what goes in comes out, bytes are enough, failures have one name."""

import random
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doll.recall.index import MAX_SEGMENTS, BrokenIndexError, Index
from doll.recall.pool import Pool

Documents = dict[int, dict[str, float]]


def _add(index: Index, documents: Documents) -> None:
    writer = index.writer()
    for serial, terms in documents.items():
        writer.add(serial, terms)
    writer.commit()


def _content(index: Index) -> Documents:
    content: Documents = {serial: {} for serial in index.serials()}
    for term in index.terms():
        for serial, weight in index.postings(term):
            content[serial][term] = weight
    return content


def test_a_new_index_is_empty() -> None:
    index = Index()
    assert index.postings("a") == []
    assert index.serials() == []
    assert index.terms() == []


def test_documents_and_weights_come_back() -> None:
    documents: Documents = {1: {"a": 1.5, "咖啡": 2.0}, 2: {"a": 1.0}, 7: {"c++": 0.5, "a/b": 3.0}}
    index = Index()
    _add(index, documents)
    assert _content(index) == documents
    assert index.postings("a") == [(1, 1.5), (2, 1.0)]
    assert _content(Index(index.files)) == documents


def test_many_segments_stay_few_and_lose_nothing() -> None:
    index = Index()
    _add(index, {n: {"x": 1.0, f"t{n}": 2.0} for n in range(1, 101)})
    for n in range(101, 151):
        _add(index, {n: {"x": 1.0, f"t{n}": 2.0}})
        assert len(index.files) <= MAX_SEGMENTS + 1
    assert _content(index) == {n: {"x": 1.0, f"t{n}": 2.0} for n in range(1, 151)}


def test_a_merge_of_the_whole_drops_the_dead() -> None:
    index = Index()
    _add(index, {1: {"a": 1.0}, 2: {"a": 2.0, "b": 1.0}})
    _add(index, {3: {"b": 1.0}})
    writer = index.writer()
    writer.add(4, {"c": 1.0})
    writer.commit(dead={2, 3})
    assert _content(index) == {1: {"a": 1.0}, 4: {"c": 1.0}}
    assert len(index.files) == 2
    writer = index.writer()
    writer.commit(dead={1, 4})
    assert _content(Index(index.files)) == {}


@settings(max_examples=20, deadline=None)
@given(st.randoms(use_true_random=False))
def test_any_history_of_commits(dice: random.Random) -> None:
    index, serial = Index(), 0
    live: Documents = {}
    for _ in range(dice.randint(1, 12)):
        added: Documents = {}
        for _ in range(dice.randint(0, 4)):
            serial += 1
            added[serial] = {dice.choice("abcdefg"): dice.randint(1, 9) / 2 for _ in range(3)}
        writer = index.writer()
        for number, terms in added.items():
            writer.add(number, terms)
        live |= added
        gone = {n for n in live if dice.random() < 0.2}
        whole = dice.random() < 0.3
        writer.commit(dead=gone if whole else None)
        if whole:
            live = {n: t for n, t in live.items() if n not in gone or n in added}
        index = Index(index.files)
        assert _content(index) == live


@pytest.mark.parametrize("cut", [0, 1, 10, 100, 500])
def test_damaged_files_raise_one_error(cut: int) -> None:
    index = Index()
    _add(index, {n: {"x": 1.0, f"t{n}": 2.0} for n in range(1, 50)})
    for name, held in index.files.items():
        data = bytes(held)
        for damaged in (data[:cut], data[:cut] + b"\xff" * 40 + data[cut + 40 :], b""):
            # Some damage does no harm, and none raises anything else.
            with suppress(BrokenIndexError):
                _use(Index({**index.files, name: damaged}))


def _use(index: Index) -> None:
    for term in ("x", *index.terms()):
        index.postings(term)
    _add(index, {99: {"x": 1.0}})


def test_the_pool_yields_terms_in_order() -> None:
    pool = Pool()
    for item in [("f", b"b", 0, 1.0, b""), ("f", b"a", 0, 2.5, b""), ("f", b"b", 3, 1.0, b"")]:
        pool.add(item)
    assert [posting[1:4] for posting in pool.iter_postings()] == [
        (b"a", 0, 2.5),
        (b"b", 0, 1.0),
        (b"b", 3, 1.0),
    ]
    pool.cleanup()
    assert list(pool.iter_postings()) == []


def test_blocks_of_postings_are_what_whoosh_steps_through() -> None:
    index = Index()
    _add(index, {n: {"x": n % 7 / 2 + 0.5, "one": 1.0, f"t{n}": 1.0} for n in range(1, 5000)})
    ((leaf, _),) = index._leaves()
    for term in ("x", "one", "t7"):
        matcher = leaf.postings("terms", term)
        stepped = []
        while matcher.is_active():
            stepped.append((matcher.id() + 1, matcher.weight()))
            matcher.next()
        assert index.postings(term) == stepped


def test_an_index_takes_over_another_and_keeps_large_segments() -> None:
    index = Index()
    content: Documents = {}
    for first in range(1, 3000, 500):
        other = Index()
        documents: Documents = {n: {"x": 1.0, f"t{n}": 2.0} for n in range(first, first + 500)}
        _add(other, documents)
        index.adopt(other.files, other.packed_serials())
        content |= documents
    large = set(index.files)
    for n in range(5000, 5100):
        _add(index, {n: {"x": 1.5}})
        content[n] = {"x": 1.5}
        assert len(index.files) <= MAX_SEGMENTS + 1
        assert len(large - set(index.files)) <= 1  # the TOC
    assert _content(Index(index.files)) == content
