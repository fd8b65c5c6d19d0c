"""Answers to real questions: a floor under the tokenizer, the dropped words and the constants."""

import json
from pathlib import Path
from typing import Any

from doll.recall.lexical import rank
from doll.recall.query import ask
from doll.recall.tokens import count

Fields = list[tuple[str, float]]


class Plain:
    """An index in plain lists."""

    def __init__(self, documents: list[Fields]) -> None:
        self.lengths: dict[int, int] = {}
        self._postings: dict[str, list[tuple[int, float]]] = {}
        for serial, fields in enumerate(documents, 1):
            terms: dict[str, float] = {}
            halves = sum(count(text, weight, terms) * int(2 * weight) for text, weight in fields)
            self.lengths[serial] = halves
            for term, weighted in terms.items():
                self._postings.setdefault(term, []).append((serial, weighted))

    def postings(self, term: str) -> list[tuple[int, float]]:
        return self._postings.get(term, [])

    def best(self, query: str, limit: int) -> list[int]:
        scores = rank(self, self.lengths, ask(query).terms).scores
        ordered = sorted(scores, key=lambda serial: (-scores[serial], serial))
        return [serial - 1 for serial in ordered[:limit]]


def test_lexical_cases_come_first(foreign: Path) -> None:
    cases = json.loads((foreign / "recall" / "upstream-recall-cases.json").read_text())
    held = [
        memory
        for memory in cases["memories"]
        if not memory.get("archived") and memory.get("sensitivity") != "secret"
    ]
    index = Plain([_case(memory) for memory in held])
    for case in cases["cases"]:
        found = [held[at]["label"] for at in index.best(case["query"], 1)]
        if case["classification"] == "exclusion":
            assert found == []
        elif case["classification"] == "lexical" and case["index_compatible"]:
            assert found == [case["expected_label"]], case["case_id"]


def _case(memory: dict[str, Any]) -> Fields:
    source = memory.get("source_reference", "")
    return [(memory["subject"], 3.0), (memory["content"], 1.0), (source, 1.0)]


def test_questions_about_dialogues(foreign: Path) -> None:
    five = ten = questions = 0.0
    for line in (foreign / "recall" / "dialogue-dev.jsonl").read_text().splitlines():
        dialogue = json.loads(line)
        turns = [turn["id"] for turn in dialogue["turns"]]
        index = Plain([[(turn["text"], 1.0)] for turn in dialogue["turns"]])
        for question in dialogue["questions"]:
            wanted = set(question["evidence"]) & set(turns)
            if wanted:
                found = [turns[at] for at in index.best(question["question"], 10)]
                five += len(wanted & set(found[:5])) / len(wanted)
                ten += len(wanted & set(found)) / len(wanted)
                questions += 1
    assert five / questions >= 0.56
    assert ten / questions >= 0.64
