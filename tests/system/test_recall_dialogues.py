"""What is measured in memory is what a vault answers: one dialogue through the real index."""

from pathlib import Path

import pytest

from doll.recall.algorithms import NAMES, algorithm
from doll.services.recalling.searching import recall
from tests.benchmarks.dialogues import dialogues
from tests.desk import Desk
from tests.recall_corpus import NOW, Records
from tests.recall_vault import opened


@pytest.mark.parametrize("name", [name for name in NAMES if name != "activation/1"])
def test_a_vault_answers_as_measured(desk: Desk, foreign: Path, name: str) -> None:
    dialogue = min(
        dialogues(foreign / "recall" / "dialogue-dev.jsonl"), key=lambda one: len(one.files)
    )
    for path, text in dialogue.files.items():
        desk.put(path, text)
    vault, records = opened(desk.root), Records(dialogue.files)
    compared = 0
    for question in dialogue.questions[::4]:
        expected = list(records.scored(algorithm(name), question.text).items())[:20]
        answer = recall(vault, question.text, NOW, limit=20, name=name).answer
        assert [(hit.id, hit.score) for hit in answer.hits] == expected
        for hit in answer.hits:
            assert hit.score == hit.words + sum(added.points for added in hit.additions)
        compared += len(expected)
    assert compared > 200
