"""Questions in Chinese, in Japanese, and in several scripts at once, each with its own memories.

The memories of a set are about the same few themes, so that each question has near ones beside
the one that answers it; no question repeats a memory's wording.
"""

import json
from pathlib import Path
from typing import NamedTuple

import pytest

from doll.recall.algorithms import NAMES, algorithm
from tests.recall_corpus import Records

SETS = Path(__file__).resolve().parents[1] / "questions"


class Asked(NamedTuple):
    """A memory, and the question that it answers."""

    name: str
    text: str
    question: str


def _set(name: str) -> list[Asked]:
    lines = (SETS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [Asked(one["id"], one["text"], one["ask"]) for one in map(json.loads, lines)]


@pytest.mark.parametrize("algorithm_name", [name for name in NAMES if name != "activation/1"])
@pytest.mark.parametrize("name", ["chinese", "japanese", "mixed"])
def test_questions_are_answered(name: str, algorithm_name: str) -> None:
    asked = _set(name)
    assert len(asked) >= 30
    # Named by number: the ids of the set are English, and would answer for the text.
    records = Records(
        {
            f"confirmed/m{n:02}.md": f"---\nkind: fact\n---\n{one.text}\n"
            for n, one in enumerate(asked)
        }
    )
    missed = []
    for n, one in enumerate(asked):
        found = list(records.scored(algorithm(algorithm_name), one.question))
        if f"m{n:02}" not in found[:5]:
            missed.append((one.name, [asked[int(name[1:])].name for name in found[:5]]))
    assert 1 - len(missed) / len(asked) >= 0.9, missed


@pytest.mark.parametrize("name", ["chinese", "japanese", "mixed"])
def test_no_question_copies_its_memory(name: str) -> None:
    for one in _set(name):
        assert one.question.rstrip("？?") not in one.text
        assert len(one.question) >= 8
    assert len({one.name for one in _set(name)}) == len(_set(name))
