"""The estimate of tokens: sums over lines, never less for more text, its documented numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doll.render.tokens import tokens

TEXT = st.text(st.characters(codec=None), max_size=60)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("", 0),
        ("the", 1),
        ("the order", 3),
        ("migration", 3),
        ("migrations", 5),
        ("totalCost", 5),
        ("GIT", 2),
        ("A", 1),
        ("2026", 4),
        ("a, b", 3),
        ("a\n", 2),
        ("a  b", 3),
        (" " * 8, 2),
        ("咖啡", 4),
        ("é", 2),
        ("да", 2),
        ("የ", 3),
        ("😀", 4),
        ("\ud800", 3),
    ],
)
def test_what_counts_how_much(text: str, number: int) -> None:
    assert tokens(text) == number


@given(st.lists(TEXT.map(lambda text: text.replace("\n", "")), max_size=6))
def test_the_number_of_a_text_is_the_sum_of_those_of_its_lines(lines: list[str]) -> None:
    text = "".join(f"{line}\n" for line in lines)
    assert tokens(text) == sum(tokens(line) + 1 for line in lines)


@given(TEXT)
def test_it_is_never_more_than_the_bytes_nor_less_than_a_third_of_the_letters(text: str) -> None:
    size = len(text.encode("utf-8", "surrogatepass"))
    spaces = text.count(" ")
    assert (len(text) - spaces) / 3 <= tokens(text) <= size
