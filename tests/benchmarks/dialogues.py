"""Dialogues as vaults: each turn a memory with its date, neighbours linked; questions beside."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple


class Question(NamedTuple):
    """A question, its number in its dialogue, and the ids of the memories that answer it."""

    number: int
    text: str
    answers: frozenset[str]


class Dialogue(NamedTuple):
    """One dialogue: the texts of its memories by path, what is said in each by id, questions."""

    name: str
    files: dict[str, str]
    said: dict[str, str]
    questions: tuple[Question, ...]


def dialogues(path: Path) -> Iterator[Dialogue]:
    """Yield the dialogues of a file with one JSON object a line."""
    for line in path.read_text(encoding="utf-8").splitlines():
        yield _dialogue(json.loads(line))


def _dialogue(found: dict[str, Any]) -> Dialogue:
    turns = found["turns"]
    said = {_name(turn["id"]): turn["text"] for turn in turns}
    files = {f"confirmed/{_name(turn['id'])}.md": _memory(turns, n) for n, turn in enumerate(turns)}
    questions = []
    for number, question in enumerate(found["questions"]):
        answers = frozenset(map(_name, question["evidence"])) & said.keys()
        if answers:
            questions.append(Question(number, question["question"], frozenset(answers)))
    return Dialogue(found["conversation"], files, said, tuple(questions))


def _memory(turns: list[dict[str, str]], at: int) -> str:
    turn = turns[at]
    near = [turns[n] for n in (at - 1, at + 1) if 0 <= n < len(turns)]
    linked = [_name(one["id"]) for one in near if one["session"] == turn["session"]]
    moment = datetime.strptime(turn["at"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    related = f"related: [{', '.join(linked)}]\n" if linked else ""
    return f"---\ncreated: {moment:%Y-%m-%dT%H:%M:%SZ}\n{related}---\n{turn['text']}\n"


def _name(turn: str) -> str:
    """Return the id of the memory of a turn: `D12:3` is `turn-d12-3`."""
    return f"turn-{turn.lower().replace(':', '-')}"
