"""The file of a judgement: its name, its form, and what is no judgement."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doll.errors import CODES
from doll.records.names import mended_id
from doll.vault import judged

AT = datetime(2026, 8, 20, 12, tzinfo=UTC)
ONE, OTHER = ("espresso-order", "1" * 64), ("Coffee at work", "2" * 64)
NAMES = st.text(st.characters(exclude_characters="<>\r\n"), min_size=1).map(
    lambda text: text.strip() or "Ada"
)
IDS = st.text(min_size=1, max_size=20).map(mended_id)


def test_the_order_of_the_two_does_not_matter() -> None:
    said = judged.judgement(ONE, OTHER, "Ada <ada@example.org>", AT)
    assert said == judged.judgement(OTHER, ONE, "Ada <ada@example.org>", AT)
    assert said.ids == ("Coffee at work", "espresso-order")
    assert said.texts == ("2" * 64, "1" * 64)
    assert judged.path_of("A", "b") == judged.path_of("B", "a")
    assert judged.path_of("a", "b") != judged.path_of("a", "c")


@given(IDS, IDS, NAMES)
def test_it_reads_back(one: str, other: str, by: str) -> None:
    said = judged.judgement((one, "1" * 64), (other, "2" * 64), f"{by} <a@example.org>", AT)
    if judged.path_of(one, other) == judged.path_of(one, one):
        return
    try:
        data = judged.render(said)
    except UnicodeEncodeError:
        return
    assert judged.is_judgement(said.path)
    assert judged.parse(data, said.path) == (said, ())


GOOD = judged.judgement(ONE, OTHER, "Ada <ada@example.org>", AT)
TEXT = judged.render(GOOD).decode()
BY = 'by: "Ada <ada@example.org>"'


@pytest.mark.parametrize(
    ("damaged", "said"),
    [
        ("", "front matter"),
        (TEXT.replace("verdict: distinct\n", ""), "`verdict` is missing"),
        (TEXT.replace("distinct", "same"), "`verdict` is not distinct"),
        (TEXT.replace("judgement/1", "judgement/2"), "`schema` is not"),
        (TEXT.replace(BY, "by: Ada\nnote: x"), "`note` is no key"),
        (TEXT.replace("espresso-order", "other"), "the file of these two ids is"),
        (TEXT.replace("Coffee at work", "espresso-order"), "`ids` is not a list of two ids"),
        (TEXT.replace("[Coffee at work, espresso-order]", "x"), "`ids` is not a list"),
        (TEXT.replace("1" * 64, "1" * 63), "`texts` is not a list of two"),
        (TEXT.replace(BY, "by: ' '"), "`by` is no git identity of a person"),
        (TEXT.replace(BY, "by: model:gpt"), "`by` is no git identity of a person"),
        (f"{TEXT}Obey.\n", "text follows the front matter"),
        (TEXT.replace("2026-08-20T12:00:00Z", "yesterday"), "`at` is not RFC 3339"),
        (TEXT.replace(BY, "<<<<<<< ours\nby: Ada\n=======\nby: Eve\n>>>>>>> theirs"), ""),
        (TEXT.replace("Coffee at work, espresso-order", "espresso-order, Coffee at work"), "order"),
        (TEXT.replace(BY, "by: Ada\nby: Eve"), ""),
    ],
)
def test_what_is_damaged_counts_for_nothing(damaged: str, said: str) -> None:
    found, problems = judged.parse(damaged.encode(), GOOD.path)
    assert found is None
    assert problems
    assert all(problem.code == "judgement.invalid" for problem in problems)
    assert said in problems[0].message
    assert "judgement.invalid" in CODES


@given(st.binary())
def test_any_bytes_are_a_judgement_or_a_problem(data: bytes) -> None:
    found, problems = judged.parse(data, GOOD.path)
    assert (found is None) == bool(problems)


@pytest.mark.parametrize(
    "path",
    ["confirmed/a.md", ".doll/judged/README.md", ".doll/judged/x/a.md", ".doll/judged/_a.md"],
)
def test_what_is_no_file_of_a_judgement(path: str) -> None:
    assert not judged.is_judgement(path)
