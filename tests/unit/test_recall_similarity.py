"""How alike two texts are, and that all that are alike are found without comparing all with all."""

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doll.recall import pairing
from doll.recall.pairing import Group
from doll.recall.similarity import (
    FEWEST,
    FEWEST_PART,
    NEAR,
    Texts,
    compared,
    contained,
    jaccard,
    normal_form,
    terms,
    text_digest,
)

WORDS = [f"w{number}x" for number in range(24)]
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=14), max_size=14)


def nothing(_one: int, _other: int) -> bool:
    """Say of no pair that it is settled."""
    return False


def made(*texts: str) -> Texts:
    return Texts(map(terms, texts))


def together(groups: tuple[Group, ...]) -> set[tuple[int, int]]:
    """Return the pairs that share a group."""
    held = [sorted([g.leader, *(number for number, _ in g.members)]) for g in groups]
    return {pair for each in held for pair in itertools.combinations(each, 2)}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A double  espresso.\n", "a DOUBLE\tespresso."),
        ("\uff21\uff22", "ab"),  # full width
        ("Stra\u00dfe", "STRASSE"),
        ("e\u0301t\u00e9", "\u00e9te\u0301"),
        ("  x\r\ny ", "x y"),
    ],
)
def test_what_counts_as_equal(one: str, other: str) -> None:
    assert text_digest(one) == text_digest(other)


@pytest.mark.parametrize(("one", "other"), [("C++", "C"), ("+5", "-5"), ("ab", "a b"), ("", "x")])
def test_what_does_not(one: str, other: str) -> None:
    assert text_digest(one) != text_digest(other)


@given(st.text())
def test_the_normal_form_is_its_own(text: str) -> None:
    assert normal_form(normal_form(text)) == normal_form(text)


def test_a_part_that_repeats_another_says_nothing() -> None:
    assert compared(["Tea", "", " TEA ", "Green tea."]) == "Tea\nGreen tea."


@given(TEXTS)
def test_likeness_is_symmetric_and_whole(texts: list[list[str]]) -> None:
    found = Texts(texts)
    for one, other in itertools.combinations(range(len(texts)), 2):
        assert found.near(one, other) == found.near(other, one)
        assert 0 <= found.near(one, other) <= 1000
        if set(texts[one]) == set(texts[other]) and len(set(texts[one])) >= FEWEST:
            assert found.near(one, other) == 1000


@settings(max_examples=100)
@given(TEXTS)
def test_every_near_pair_is_found(texts: list[list[str]]) -> None:
    found = Texts(texts)
    numbers = range(len(texts))
    paired = pairing.near(found, numbers, nothing)
    shared = together(paired.groups)
    for one, other in itertools.combinations(numbers, 2):
        mine, others = set(texts[one]), set(texts[other])
        common = len(mine & others)
        is_near = common >= FEWEST and jaccard(common, len(mine), len(others)) >= NEAR
        if is_near:
            assert (one, other) in shared
    for group in paired.groups:
        for number, likeness in group.members:
            assert likeness == found.near(group.leader, number) >= NEAR
    assert not paired.cut


@settings(max_examples=100)
@given(TEXTS)
def test_every_extension_is_found(texts: list[list[str]]) -> None:
    found = Texts(texts)
    numbers = range(len(texts))
    paired = pairing.extending(found, numbers, nothing)
    told = {(g.leader, number): share for g in paired.groups for number, share in g.members}
    for part, longer in itertools.permutations(numbers, 2):
        share = contained(found.sequences[part], found.sequences[longer])
        asked = len(set(texts[part])) >= FEWEST_PART
        assert told.get((part, longer), 0) == (share if asked else 0)


@given(TEXTS, st.randoms())
def test_the_order_of_the_texts_changes_no_pair(
    texts: list[list[str]], dice: random.Random
) -> None:
    order = list(range(len(texts)))
    dice.shuffle(order)
    mixed = pairing.extending(Texts([texts[n] for n in order]), order_of(order), nothing)
    plain = pairing.extending(Texts(texts), order_of(order), nothing)
    assert {(order[a], order[b]) for a, b in pairs(mixed.groups)} == pairs(plain.groups)


def order_of(numbers: list[int]) -> range:
    return range(len(numbers))


def pairs(groups: tuple[Group, ...]) -> set[tuple[int, int]]:
    return {(group.leader, number) for group in groups for number, _ in group.members}


@given(st.lists(st.sampled_from("abc")), st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5))))
def test_every_equal_pair_is_told_unless_it_is_settled(
    digests: list[str], settled: set[tuple[int, int]]
) -> None:
    def is_settled(one: int, other: int) -> bool:
        return (one, other) in settled or (other, one) in settled

    groups = pairing.equal(digests, is_settled).groups
    for group in groups:
        assert not any(is_settled(group.leader, number) for number, _ in group.members)
    shared = together(groups)
    for one, other in itertools.combinations(range(len(digests)), 2):
        alike = digests[one] == digests[other]
        assert alike or (one, other) not in shared
        if alike and not is_settled(one, other):
            assert (one, other) in shared


def test_a_settled_pair_is_not_near() -> None:
    texts = made("a double espresso please", "one double espresso please")
    assert pairing.near(texts, (0, 1), nothing).groups
    assert pairing.near(texts, (0, 1), lambda _one, _other: True) == ((), 0)


def test_chinese_texts_with_one_other_character_are_near() -> None:
    texts = made("我每天早上喝一杯加牛奶的咖啡。", "我每天早上喝两杯加牛奶的咖啡。", "今天下雨了。")
    (group,) = pairing.near(texts, range(3), nothing).groups
    assert [group.leader, group.members[0][0]] == [0, 1]


def test_a_long_text_that_has_the_words_in_another_order_extends_nothing() -> None:
    texts = made(
        "the flat is in hamburg near the harbour",
        "near hamburg there is the old harbour; in it a flat boat lies since may and waits",
        "since may the flat is in hamburg near the harbour, on the third floor, with a balcony",
    )
    assert pairs(pairing.extending(texts, range(3), nothing).groups) == {(0, 2)}


def test_many_equal_texts_are_one_group() -> None:
    (group,) = pairing.equal(["same"] * 50_000, nothing).groups
    assert len(group.members) == 49_999


def test_many_near_texts_are_one_group() -> None:
    frame = [f"frame{number}" for number in range(30)]
    texts = Texts([*frame, f"own{number}"] for number in range(3_000))
    paired = pairing.near(texts, range(3_000), nothing)
    (group,) = paired.groups
    assert len(group.members) == 2_999


def test_texts_that_share_half_of_their_words_are_not_all_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As forms do: what they share is not enough, and makes them all look alike."""
    number_of = 1_500
    frame = [f"frame{number}" for number in range(24)]
    own = [[f"own{number}x{word}" for word in range(10)] for number in range(number_of)]
    texts = Texts([*frame, *each] for each in own)
    calls = 0
    plain = Texts.near

    def counted(self: Texts, one: int, other: int) -> int:
        nonlocal calls
        calls += 1
        return plain(self, one, other)

    monkeypatch.setattr(Texts, "near", counted)
    paired = pairing.near(texts, range(number_of), nothing)
    assert not paired.groups
    assert calls <= number_of * (pairing.MOST_COMPARED + 1)
