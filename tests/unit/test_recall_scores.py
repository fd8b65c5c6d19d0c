"""Documents and scores: weights, whole numbers, an explanation that adds up."""

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doll.recall.document import MAX_TEXT, document, fields
from doll.recall.explaining import explain
from doll.recall.lexical import K1, SCALE, B, idf, rank, saturation, whole
from doll.recall.query import ask
from doll.recall.rows import is_searchable
from doll.records.codec import Parsed, parse

NOTE = """---
title: Espresso order
summary: How I take espresso
tags: [coffee, everyday]
---
A double espresso, no sugar.
"""
ENTRY = """---
project: atlas
kind: attempt
assertion: user_recorded
at: 2026-08-20T14:32:05Z
summary: Online migration locked the table
outcome: failed
actions: [db.migrate]
paths: ["migrations/**"]
evidence: ["commit:1f2e3d4"]
---
"""


class Plain:
    """Postings from a mapping of serial to terms."""

    def __init__(self, documents: Mapping[int, Mapping[str, float]]) -> None:
        self._documents = documents

    def postings(self, term: str) -> Sequence[tuple[int, float]]:
        return [(n, terms[term]) for n, terms in self._documents.items() if term in terms]


def _memory(text: str, record_id: str = "espresso-order") -> Parsed:
    return parse(text.encode(), f"confirmed/{record_id}.md", record_id, "memory")


def _document(parsed: Parsed) -> tuple[dict[str, float], int]:
    assert parsed.record is not None
    terms, length = document(parsed.record, parsed.body)
    return terms, length


def test_fields_and_weights() -> None:
    terms, length = _document(_memory(NOTE))
    assert terms["espresso"] == 3.0 + 2.0 + 1.0 + 1.0  # title, summary, body, id
    assert terms["coffe"] == 1.5
    assert length == 2 * (2 * 3 + 4 * 2 + 2 * 1.5 + 5 * 1 + 2 * 1)


def test_a_heading_is_the_title_of_a_record_without_one() -> None:
    headed = _memory("---\nkind: fact\n---\n# Raised beds\n\nThree.\n", "beds")
    assert headed.record is not None
    assert fields(headed.record, headed.body)[0][:2] == ("title", 3.0)
    bare = _memory("---\nkind: fact\n---\nThree.\n", "raised-beds")
    assert bare.record is not None
    assert [field.name for field in fields(bare.record, bare.body)] == ["body", "id"]
    assert _document(bare)[0]["rais"] == 1.0


def test_experience_is_found_by_what_it_is_about() -> None:
    name = "20260820T143205Z-attempt-online-k3v9q2xw7d"
    parsed = parse(ENTRY.encode(), f"experience/atlas/{name}.md", name, "experience")
    terms, _ = _document(parsed)
    assert {"db.migrate", "migrat", "1f2e3d4", "atlas", "k3v9q2xw7d"} <= set(terms)


def test_the_source_of_an_import_is_searched() -> None:
    parsed = _memory("---\norigin: import\norigin_source: ledger-proof-token\n---\nX\n")
    assert _document(parsed)[0]["ledgerprooftoken"] == 1.0


@pytest.mark.sampled(6)
@pytest.mark.parametrize("before", [1, 20, 39])
def test_a_secret_at_the_end_of_what_is_searched_is_covered_whole(before: int) -> None:
    key = "ghp_" + "a8Kd02LmQ5xPz7RtY3wVb6NcJ4hG1fSe9uTi"
    filler = "sugar " * (MAX_TEXT // 6)
    parsed = _memory(
        f"---\ntitle: Keys\n---\n{filler[: MAX_TEXT - before - 1]} {key}{' tail' * 9}\n"
    )
    assert parsed.record is not None
    found = {field.name: field.text for field in fields(parsed.record, parsed.body)}
    assert len(found["body"]) == MAX_TEXT
    terms, _ = _document(parsed)
    assert not [term for term in terms if len(term) > 2 and term[:3] in key.lower()]


def test_secret_records_and_other_types_are_not_searchable() -> None:
    secret = _memory("---\nsensitivity: secret\n---\nX\n").record
    policy = parse(b"---\neffect: deny\n---\n", "authority/policies/p.md", "p", "policy").record
    assert secret is not None
    assert policy is not None
    assert not is_searchable(secret)
    assert not is_searchable(policy)


def test_the_formula() -> None:
    index = Plain({1: {"a": 1.0}, 2: {"a": 3.0, "b": 1.0}, 3: {}})
    found = rank(index, {1: 8, 2: 20, 3: 2}, ["a", "b", "c"])
    average = (8 + 20 + 2) / 3
    expected = {}
    for serial, terms in {1: {"a": 1.0}, 2: {"a": 3.0, "b": 1.0}}.items():
        total = 0.0
        for term, weight in terms.items():
            norm = 1 - B + B * {1: 8, 2: 20}[serial] / average
            total += idf(3, {"a": 2, "b": 1}[term]) * weight * (K1 + 1) / (weight + K1 * norm)
        expected[serial] = whole(total)
    assert found.scores == expected
    assert found.statistics == (3, average, {"a": 2, "b": 1, "c": 0})


def test_dead_documents_count_nowhere() -> None:
    documents = {1: {"a": 1.0}, 2: {"a": 2.0, "b": 1.0}, 3: {"a": 9.0}}
    live = {1: 4, 2: 6}
    del_by_caller = rank(Plain(documents), live, ["a", "b"])
    never_there = rank(Plain({1: documents[1], 2: documents[2]}), live, ["a", "b"])
    assert del_by_caller == never_there


def test_no_documents_no_scores() -> None:
    assert rank(Plain({}), {}, ["a"]).scores == {}
    assert rank(Plain({1: {"a": 1.0}}), {1: 0}, ["a"]).scores == {1: whole(idf(1, 1) * 1.9 / 1.54)}


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_rarity_is_positive_and_falls(documents: int, found: int) -> None:
    found = min(found, documents)
    assert idf(documents, found) > 0
    if found:
        assert idf(documents, found - 1) > idf(documents, found)


@given(st.integers(1, 2000), st.integers(1, 10**5), st.floats(1, 10**5))
def test_saturation_is_bounded(halves: int, length: int, average: float) -> None:
    assert 0 < saturation(halves / 2, length, average) < K1 + 1


def test_an_explanation_adds_up_to_the_score() -> None:
    parsed = _memory(NOTE)
    assert parsed.record is not None
    terms, length = _document(parsed)
    other = {"espresso": 1.0}
    query = ask("the espresso order of everyday")
    ranking = rank(Plain({1: terms, 2: other}), {1: length, 2: 30}, query.terms)
    told = explain(parsed.record, parsed.body, query, ranking.statistics)
    assert told.score == ranking.scores[1]
    assert whole(sum(part.points for part in told.parts) / SCALE) == ranking.scores[1]
    assert [(p.field, p.occurrences, p.weight) for p in told.parts[0].places] == [
        ("title", 1, 3.0),
        ("summary", 1, 2.0),
        ("body", 1, 1.0),
        ("id", 1, 1.0),
    ]
    assert told.length == length / 2


@pytest.mark.parametrize("weight", [0.5, 1.5, 4096.5, 2.0**22 + 0.5])
def test_weights_are_exact_in_32_bits(weight: float) -> None:
    from array import array

    assert array("f", [weight])[0] == weight
