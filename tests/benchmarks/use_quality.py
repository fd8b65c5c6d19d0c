"""What use and feedback do to answers about dialogues: to questions asked again, and to others.

    python -m tests.benchmarks.use_quality ../shared/fixtures/recall/dialogue-dev.jsonl

One half of the questions of a dialogue was asked before, and each of these had its answer called
helpful, its other hits irrelevant, or its recall logged. Printed is recall at 5 and 10 of that half
and of the other one, which nobody asked before and which use should not harm.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from doll.recall.activation import reinforced
from doll.recall.associative import Associative
from doll.recall.query import ask
from doll.recall.ranking import Ranking
from doll.vault.signals import Use
from tests.benchmarks.dialogues import Dialogue, Question, dialogues
from tests.benchmarks.recall_quality import held_out
from tests.recall_corpus import NOW, Records

TODAY = NOW.toordinal()
Asked = Sequence[tuple[Question, Ranking]]


def first_ten(records: Records, ranking: Ranking) -> list[str]:
    """Return the ids of the ten best, equal ones by id."""
    found = [(-score, records.rows[serial].id) for serial, score in ranking.scores.items()]
    return [name for _, name in sorted(found)[:10]]


def uses(records: Records, asked: Asked) -> dict[str, Mapping[str, Use]]:
    """Return what is known after the questions of one half, by what was said and logged."""
    days: dict[str, set[int]] = {}
    for number, (_, ranking) in enumerate(asked):
        for name in first_ten(records, ranking):
            days.setdefault(name, set()).add(TODAY - number % 30)
    recalled = {name: Use(tuple(sorted(found))) for name, found in days.items()}
    answers = {name for question, _ in asked for name in question.answers}
    helpful = {name: Use(user=((TODAY - 7, "helpful"),)) for name in answers}
    beside = {name: Use(model=((TODAY - 7, "irrelevant"),)) for name in days.keys() - answers}
    return {
        "nothing": {},
        "recalls logged": recalled,
        "answers called helpful by the user": helpful,
        "and other hits irrelevant by a model": {**helpful, **beside},
    }


def measured(dialogue: Dialogue) -> Iterator[tuple[str, bool, float, float]]:
    """Yield (what is known, whether of the other half, recall at 5, at 10) of each question."""
    records, algorithm = Records(dialogue.files), Associative()
    ranked = [
        (question, algorithm.rank(records.corpus, ask(question.text), NOW))
        for question in dialogue.questions
    ]
    known = uses(records, [each for each in ranked if not held_out(dialogue, each[0])])
    for said, use in known.items():
        for question, ranking in ranked:
            shown = [records.rows[serial] for serial in ranking.scores]
            best = first_ten(records, reinforced(ranking, shown, use, NOW))
            five, ten = (len(question.answers & {*best[:k]}) for k in (5, 10))
            of = len(question.answers)
            yield said, held_out(dialogue, question), five / of, ten / of


def main(path: Path) -> None:
    """Print a line for each kind of use and each half."""
    sums: dict[tuple[str, bool], list[tuple[float, float]]] = {}
    for dialogue in dialogues(path):
        for said, other, five, ten in measured(dialogue):
            sums.setdefault((said, other), []).append((five, ten))
    for (said, other), found in sums.items():
        five, ten = (sum(each) / len(found) for each in zip(*found, strict=True))
        half = "never asked before" if other else "asked again"
        print(f"{said:40} {half:20} {five:.3f} {ten:.3f}  ({len(found)})")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
