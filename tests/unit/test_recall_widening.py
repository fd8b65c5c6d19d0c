"""Words within words, and the nearest word: over vocabularies written as values."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doll.recall.widening import MOST_TERMS, Within, corrections, distance, within

WORDS = {"espresso": 3, "express": 1, "microservicecatalog": 1, "serviceable": 2, "dead": 0}


def _nearest(term: str, words: Mapping[str, int]) -> str | None:
    found = corrections([term], words, lambda word: words.get(word, 0))
    return found[0].nearest if found else None


def test_words_within_words() -> None:
    assert within(["servic"], WORDS, WORDS.__getitem__) == (
        Within("serviceable", "servic", 6 / 11),
        Within("microservicecatalog", "servic", 6 / 19),
    )


@pytest.mark.parametrize("word", ["se", "espresso", "dead", "ead", "", "\0servic"])
def test_what_is_within_nothing(word: str) -> None:
    assert within([word], WORDS, WORDS.__getitem__) == ()


def test_links_are_no_words() -> None:
    words = {"\0>microservice": 1, "\0w:service": 4}
    assert within(["service"], words, words.__getitem__) == ()
    assert corrections(["microservice"], {"\0>microservice": 1}, lambda _: 1) == ()


def test_the_longest_word_counts_and_what_was_asked_does_not() -> None:
    words = {"microservicecatalog": 1, "service": 1}
    found = within(["cat", "service"], words, words.__getitem__)
    assert [(one.term, one.word) for one in found] == [("microservicecatalog", "service")]


def test_the_closest_terms_in_no_other_order() -> None:
    words = {f"{'x' * n}word": n % 2 for n in range(1, 200)}
    found = within(["word"], list(words)[::-1], words.__getitem__)
    assert [one.term for one in found] == [f"{'x' * n}word" for n in range(1, 2 * MOST_TERMS, 2)]


def test_a_long_query_is_looked_for_in_part() -> None:
    words = {f"un{letters}": 1 for letters in _WORDS}
    assert {one.word for one in within(_WORDS, words, words.__getitem__)} == set(_WORDS[-32:])
    near = {f"{letters}y": 1 for letters in _WORDS}
    assert [one.term for one in corrections(_WORDS, near, near.__getitem__)] == _WORDS[2:34]


# Each longer than the one before, none within another.
_WORDS = [f"{chr(97 + n % 26) * (n + 1)}{chr(97 + (n + 1) % 26)}" for n in range(40)]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("expresso", "espresso"),  # by distance, although express is near too
        ("espreso", "espresso"),
        ("epsresso", "espresso"),
        ("espressso", "espresso"),
        ("ekspreso", "espresso"),  # two apart, and long
        ("ekzpreso", None),
        ("xspreso", None),  # two apart, and not long
        ("zzpresso", "espresso"),
        ("dead", None),
        ("deat", None),  # no live record has dead
    ],
)
def test_the_nearest_word(typed: str, meant: str | None) -> None:
    assert _nearest(typed, WORDS) == meant


def test_among_equals_the_more_frequent_then_the_first() -> None:
    assert _nearest("coffe", {"coffee": 1, "coffel": 5}) == "coffel"
    assert _nearest("coffe", {"coffel": 2, "coffee": 2}) == "coffee"
    assert _nearest("coffe", {"cofe": 9, "coffee": 0}) == "cofe"


@pytest.mark.parametrize("term", ["cat", "2026", "rev12345", "\u5496\u5561\u5496\u5561"])
def test_what_is_not_corrected(term: str) -> None:
    words = {"car": 1, "2025": 1, "rev12346": 1, "\u5496\u5561\u5496\u5562": 1}
    assert _nearest(term, words) is None


def test_each_term_has_its_own_correction() -> None:
    words = {"coffee": 1, "sugar": 1}
    found = corrections(["coffe", "nothing", "suggar"], words, words.__getitem__)
    assert found == (("coffe", "coffee"), ("suggar", "sugar"))


_SHORT = st.text("abc", max_size=6)


def _reachable(word: str) -> set[str]:
    """Return the words one edit away from `word`, over the letters a, b, c."""
    found = {word[:i] + word[i + 1 :] for i in range(len(word))}
    found |= {word[:i] + c + word[i:] for i in range(len(word) + 1) for c in "abc"}
    found |= {word[:i] + c + word[i + 1 :] for i in range(len(word)) for c in "abc"}
    swaps = range(len(word) - 1)
    return found | {word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in swaps}


@given(_SHORT, _SHORT)
def test_one_apart_is_one_edit(one: str, other: str) -> None:
    assert (distance(one, other, 1) == 1) == (other in _reachable(one) - {one})
    assert (distance(one, other, 2) == 0) == (one == other)


@given(_SHORT, _SHORT)
def test_distance_is_the_same_both_ways_and_limited(one: str, other: str) -> None:
    assert distance(one, other, 9) == distance(other, one, 9)
    assert distance(one, other, 2) == min(distance(one, other, 9), 3)
