"""Answers to real questions: a floor under the default algorithm, beside SQLite's search."""

from pathlib import Path

import pytest

from doll.recall.algorithms import algorithm
from tests.benchmarks.dialogues import Dialogue, dialogues
from tests.benchmarks.recall_quality import SEARCHES, figures, fts5, held_out, ranked


@pytest.fixture
def asked(foreign: Path) -> tuple[Dialogue, ...]:
    return tuple(dialogues(foreign / "recall" / "dialogue-dev.jsonl"))


def test_the_default_answers_questions_about_dialogues(asked: tuple[Dialogue, ...]) -> None:
    found = figures(ranked(algorithm()), asked)
    assert found.questions > 300
    assert found.five >= 0.60
    assert found.ten >= 0.68


def test_it_answers_better_than_full_text_search_where_nothing_was_tuned(
    asked: tuple[Dialogue, ...],
) -> None:
    ours = figures(ranked(algorithm()), asked, held_out)
    theirs = figures(fts5(stop=True), asked, held_out)
    assert ours.five >= theirs.five + 0.04
    assert ours.ten >= theirs.ten + 0.04


@pytest.mark.parametrize("without", ["lexical/1 and dates", "lexical/1 and links"])
def test_each_addition_earns_its_place(asked: tuple[Dialogue, ...], without: str) -> None:
    whole = figures(ranked(algorithm()), asked, held_out)
    less = figures(SEARCHES[without], asked, held_out)
    assert (whole.five + whole.ten) / 2 >= (less.five + less.ten) / 2 + 0.01


def test_the_halves_are_halves(asked: tuple[Dialogue, ...]) -> None:
    both = [held_out(one, question) for one in asked for question in one.questions]
    assert 0.4 < sum(both) / len(both) < 0.6


def test_full_text_search_is_what_it_is_known_to_be(asked: tuple[Dialogue, ...]) -> None:
    """A baseline that is made worse than it is would prove nothing."""
    assert figures(fts5(stop=False), asked).five == pytest.approx(0.489, abs=0.005)
    assert figures(fts5(stop=True), asked).five == pytest.approx(0.544, abs=0.005)
