"""Queries: question words go, names in capitals stay, any text is a query."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doll.recall.query import Asked, ask


def test_question_words_are_dropped() -> None:
    asked = ask("Which languages do I speak?")
    assert asked.terms == ("languag", "speak")
    assert asked.dropped == ("Which", "do", "I")
    assert asked.asked[0] == Asked("languag", "languages")


def test_a_query_of_question_words_alone_is_kept() -> None:
    assert ask("who am I").terms == ("who", "am", "i")
    assert ask("谁").terms == ("谁",)
    assert ask("who am I").dropped == ()


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("US visa", ("us", "visa")),
        ("WHAT IS IT", ("what", "is", "it")),
        ("help IT please", ("help", "it", "pleas")),
        ("foo AND bar OR baz", ("foo", "bar", "baz")),
        ("don't panic", ("panic",)),
        ("don\u2019t panic", ("panic",)),
        ("how-to guide", ("howto", "guid")),
    ],
)
def test_capitals_and_compounds(text: str, terms: tuple[str, ...]) -> None:
    assert ask(text).terms == terms


@pytest.mark.parametrize(
    ("text", "kept", "dropped"),
    [
        ("我最喜欢的咖啡是什么？", "咖啡", "什么"),
        ("珈琲はどこで買いますか", "珈琲", "どこ"),
        ("회의는 언제 있나요", "회의", "언제"),
        ("ประชุมเมื่อไหร่", "ปร", "เมื่อไหร่"),
    ],
)
def test_question_phrases_of_unspaced_scripts(text: str, kept: str, dropped: str) -> None:
    asked = ask(text)
    assert kept in asked.terms
    assert dropped in asked.dropped


def test_a_han_character_among_kana_is_a_word_of_its_own() -> None:
    assert "猫" in ask("猫が好き").terms
    assert ask("咖啡").terms == ("咖啡",)


@pytest.mark.parametrize("text", ["", " ", "*", "(", '"', "?!", "->", "\u200b", "🙂"])
def test_no_word_no_terms(text: str) -> None:
    assert ask(text).terms == ()


@pytest.mark.parametrize(
    "text", ["a" * 10_000, "(" * 10_000, "foo AND " * 1_250, "\udcff x", "東" * 10_000]
)
def test_hostile_queries(text: str) -> None:
    assert len(ask(text).terms) <= 2


@given(st.text(alphabet=st.characters(), max_size=200))
def test_each_term_once(text: str) -> None:
    terms = ask(text).terms
    assert len(set(terms)) == len(terms)
    assert ask(text) == ask(text)
