"""How well recall answers questions about dialogues, beside SQLite's full-text search.

    python -m tests.benchmarks.recall_quality ../shared/fixtures/recall/dialogue-dev.jsonl

Each dialogue is a vault of its own. Recall at k is the mean over questions of the share of the
memories that answer one which are among the first k. The questions are split in two halves, the
same ones always; constants were chosen on the first; the second says what an addition gains.
"""

import hashlib
import re
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from doll.recall import stopwords
from doll.recall.associative import Associative
from doll.recall.lexical import Lexical, idf
from doll.recall.ranking import Algorithm
from doll.recall.tokens import words
from tests.benchmarks.dialogues import Dialogue, Question, dialogues
from tests.recall_corpus import Records

Search = Callable[[str], Sequence[str]]
DEPTH = 10


class Figures(NamedTuple):
    """Recall at 5 and at 10, each from 0 to 1, over so many questions."""

    five: float
    ten: float
    questions: int


def held_out(dialogue: Dialogue, question: Question) -> bool:
    """Return whether a question is of the half that no constant was chosen by."""
    key = f"{dialogue.name}:{question.number}".encode()
    return hashlib.sha256(key).digest()[0] % 2 == 1


def ranked(algorithm: Algorithm) -> Callable[[Dialogue], Search]:
    """Return the search of one of doll's algorithms."""

    def of(dialogue: Dialogue) -> Search:
        records = Records(dialogue.files)
        return lambda question: list(records.scored(algorithm, question))[:DEPTH]

    return of


def fts5(*, stop: bool) -> Callable[[Dialogue], Search]:
    """Return SQLite's search: porter, any of the words, bm25; with `stop`, doll's stop words."""

    def of(dialogue: Dialogue) -> Search:
        held = sqlite3.connect(":memory:")
        held.execute("CREATE VIRTUAL TABLE turns USING fts5(id UNINDEXED, said, tokenize=porter)")
        held.executemany("INSERT INTO turns VALUES (?, ?)", dialogue.said.items())
        select = "SELECT id FROM turns WHERE turns MATCH ? ORDER BY bm25(turns), rowid LIMIT ?"

        def search(question: str) -> list[str]:
            asked = [word for word in _words(question) if not (stop and word in stopwords.ENGLISH)]
            query = " OR ".join(f'"{word}"' for word in asked)
            return [found for (found,) in held.execute(select, (query, DEPTH))] if asked else []

        return search

    return of


def bm25(k1: float = 1.2, b: float = 0.75) -> Callable[[Dialogue], Search]:
    """Return textbook BM25 over doll's terms; no word is dropped."""

    def of(dialogue: Dialogue) -> Search:
        terms = {name: Counter(words(said)) for name, said in dialogue.said.items()}
        lengths = {name: sum(held.values()) for name, held in terms.items()}
        average = sum(lengths.values()) / len(lengths)
        found = Counter(term for held in terms.values() for term in held)

        def score(name: str, asked: set[str]) -> float:
            norm = k1 * (1 - b + b * lengths[name] / average)
            counts = ((term, terms[name][term]) for term in sorted(asked & terms[name].keys()))
            return sum(idf(len(terms), found[t]) * n * (k1 + 1) / (n + norm) for t, n in counts)

        def search(question: str) -> list[str]:
            asked = set(words(question))
            scores = {name: score(name, asked) for name in terms}
            return sorted(filter(scores.get, scores), key=lambda n: (-scores[n], n))[:DEPTH]

        return search

    return of


SEARCHES: dict[str, Callable[[Dialogue], Search]] = {
    "SQLite FTS5": fts5(stop=False),
    "SQLite FTS5, stop words": fts5(stop=True),
    "plain BM25": bm25(),
    "lexical/1": ranked(Lexical()),
    "lexical/1 and dates": ranked(Associative(["date"])),
    "lexical/1 and phrases": ranked(Associative(["phrase"])),
    "lexical/1 and links": ranked(Associative(["link"])),
    "associative/1": ranked(Associative()),
}


def figures(
    search: Callable[[Dialogue], Search],
    asked: Sequence[Dialogue],
    which: Callable[[Dialogue, Question], bool] = lambda *_: True,
) -> Figures:
    """Return recall at 5 and at 10 over the questions of the dialogues that `which` takes."""
    five = ten = number = 0.0
    for dialogue in asked:
        find = search(dialogue)
        for question in dialogue.questions:
            if which(dialogue, question):
                found = find(question.text)
                five += len(question.answers.intersection(found[:5])) / len(question.answers)
                ten += len(question.answers.intersection(found[:10])) / len(question.answers)
                number += 1
    return Figures(five / number, ten / number, int(number))


def table(asked: Sequence[Dialogue]) -> Iterator[str]:
    """Yield the lines of the table: all questions, the two halves, each dialogue."""
    columns: dict[str, tuple[Sequence[Dialogue], Callable[[Dialogue, Question], bool]]] = {
        "all": (asked, lambda *_: True),
        "chosen by": (asked, lambda *one: not held_out(*one)),
        "held out": (asked, held_out),
        **{f"dialogue {one.name}": ([one], lambda *_: True) for one in asked},
    }
    yield f"{'recall@5 recall@10':24}" + "".join(f"{name:>15}" for name in columns)
    for name, search in SEARCHES.items():
        cells = (figures(search, *column) for column in columns.values())
        yield f"{name:24}" + "".join(f"{cell.five:9.3f} {cell.ten:.3f}" for cell in cells)
    numbers = (figures(lambda _: lambda _: [], *column) for column in columns.values())
    yield f"{'questions':24}" + "".join(f"{cell.questions:15}" for cell in numbers)


def _words(text: str) -> list[str]:
    return re.findall(r"[\w']+", text.lower())


def main() -> None:
    """Print the table for the file of dialogues named on the command line."""
    for line in table(tuple(dialogues(Path(sys.argv[1])))):
        print(line, flush=True)


if __name__ == "__main__":
    main()
