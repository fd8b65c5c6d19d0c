"""The ranking algorithm `associative/1`, the default: words, dates, phrases, and one hop of links.

On top of `lexical/1`: a date that the question names counts as one more term; a phrase gives a
record half of its words' points again; the best matches pass half of their points on to the
records linked to them. A record takes the most that any one passes on, never a sum, so that none
comes first for being linked a lot. What waits for a review passes nothing on: it moves no record
of the user's. Figures: docs/decisions/0010-associative-recall.md.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from heapq import nlargest, nsmallest
from math import inf
from typing import NamedTuple

from doll.recall import lexical
from doll.recall.by_serial import Rows
from doll.recall.dates import Level, Named, named
from doll.recall.document import fields
from doll.recall.lexical import idf, whole
from doll.recall.links import names, ways
from doll.recall.phrases import has, phrases
from doll.recall.query import Query
from doll.recall.ranking import Addition, Corpus, Ranking, Text
from doll.recall.rows import Row

NAME, VERSION = "associative", 1
# So many of the best matches are read again: they have phrases and pass points on.
SEEDS = 20
# A phrase gives, and a link passes on, points divided by this.
PART = 2
# A link to more records than FAN is weaker by as much; one to more than CROWD says nothing.
FAN, CROWD = 5, 100


class Associative:
    """Words, and what is added to them: dates, phrases, links; fewer of these for a comparison."""

    name, version = NAME, VERSION
    constants: Mapping[str, float | int] = {
        **lexical.Lexical.constants,
        "seeds": SEEDS,
        "part": 1 / PART,
        "fan": FAN,
        "crowd": CROWD,
    }

    def __init__(self, additions: Collection[str] = ("date", "phrase", "link")) -> None:
        self._additions = additions

    def rank(self, corpus: Corpus, query: Query, as_of: datetime) -> Ranking:
        """Score the documents that have any of the terms or dates, or a link to the best."""
        ranking = lexical.rank(corpus.index, corpus.lengths, query.terms)
        sums = _Sums(ranking)
        if "date" in self._additions:
            for date in named(query.text, as_of):
                sums.add(_dated(corpus.rows, date, sums.scores))
        best = _best(sums.scores, corpus.rows, SEEDS)
        linking = _seeds(corpus, _linking(sums.scores, corpus.rows))
        if "phrase" in self._additions:
            sums.add(_phrased(_seeds(corpus, best), query, ranking.scores))
        if "link" in self._additions:
            sums.add(_linked(linking, corpus, sums.scores))
        return Ranking(sums.scores, ranking.statistics, sums.additions)


class _Seed(NamedTuple):
    serial: int
    text: Text


class _Sums:
    """Scores as they grow, and what they grew by."""

    def __init__(self, ranking: Ranking) -> None:
        self.scores = dict(ranking.scores)
        self.additions: dict[int, tuple[Addition, ...]] = {}

    def add(self, added: Iterable[tuple[int, Addition]]) -> None:
        """Add to the scores; all that is added at once was computed from the scores before."""
        for serial, addition in list(added):
            self.scores[serial] = self.scores.get(serial, 0) + addition.points
            self.additions[serial] = (*self.additions.get(serial, ()), addition)


def _best(scores: Mapping[int, int], rows: Mapping[int, Row], limit: int) -> list[int]:
    """Return the serials of the best matches, best first; equal ones by id, then path."""
    least = min(nlargest(limit, scores.values()), default=0)
    found = ((-score, rows[serial], serial) for serial, score in scores.items() if score >= least)
    return [n for *_, n in nsmallest(limit, ((s, row.id, row.path, n) for s, row, n in found))]


def _linking(scores: Mapping[int, int], rows: Mapping[int, Row]) -> list[int]:
    """Return the serials of the best matches that may pass points on, best first."""
    limit = SEEDS
    while True:
        best = _best(scores, rows, limit)
        found = [serial for serial in best if _may_pass_on(rows[serial])]
        if len(found) >= SEEDS or len(best) < limit:
            return found[:SEEDS]
        limit *= 4


def _may_pass_on(row: Row) -> bool:
    """Return whether the user stands behind a record, as its writer or by a review of it."""
    return row.reviewed and not row.is_candidate


def _seeds(corpus: Corpus, serials: Iterable[int]) -> list[_Seed]:
    read = ((serial, corpus.read(serial)) for serial in serials)
    return [_Seed(serial, text) for serial, text in read if text is not None]


def _dated(rows: Rows, date: Named, scores: Mapping[int, int]) -> Iterator[tuple[int, Addition]]:
    """Yield what a date gives: each of its levels counts as a term that a document has once."""
    gained: dict[int, Addition] = {}
    within: list[int] = []
    for level in date.levels:
        within = _within(rows, level)
        points = whole(idf(len(rows), len(within)))
        # A level lies within the one before, so that all of it has gained the same until now.
        before = gained[within[0]].points if within and within[0] in gained else 0
        addition = Addition("date", level.said, before + points)
        gained.update(dict.fromkeys(within, addition) if points else {})
    answers = frozenset(within) if date.narrow else frozenset()
    return ((n, one) for n, one in gained.items() if n in scores or n in answers)


def _within(rows: Rows, level: Level) -> list[int]:
    dated = rows.moments()
    if len(level.spans) == 1:
        ((begin, end),) = level.spans
        return [serial for serial, moment in dated if begin <= moment < end]
    begins = [begin for begin, _ in level.spans]
    ends = [-inf, *(end for _, end in level.spans)]
    return [serial for serial, moment in dated if moment < ends[bisect_right(begins, moment)]]


def _phrased(
    seeds: Sequence[_Seed], query: Query, words: Mapping[int, int]
) -> Iterator[tuple[int, Addition]]:
    for phrase, said in phrases(query).items():
        for serial, (record, body) in seeds:
            if has((field.text for field in fields(record, body)), phrase):
                yield serial, Addition("phrase", said, words.get(serial, 0) // PART)


def _linked(
    seeds: Sequence[_Seed], corpus: Corpus, scores: Mapping[int, int]
) -> Iterator[tuple[int, Addition]]:
    """Yield for each record that seeds are linked to the most that one of them passes on."""
    taken: dict[int, Addition] = {}
    reached = _Reached(corpus, seeds)
    for seed in seeds:
        for said, others in reached.from_(seed):
            passed = scores[seed.serial] * FAN // (PART * max(FAN, len(others)))
            for serial in others:
                if passed > (taken[serial].points if serial in taken else 0):
                    told = f"{seed.text.record.id} ({said})"
                    taken[serial] = Addition("link", told, passed)
    return iter(taken.items())


class _Reached:
    """Which live documents the links of the seeds lead to."""

    def __init__(self, corpus: Corpus, seeds: Sequence[_Seed]) -> None:
        self._corpus = corpus
        self._named = {seed.serial: names(*seed.text) for seed in seeds}
        self._bearers = corpus.rows.bearing(
            {name for names in self._named.values() for name in names}
        )
        self._found: dict[str, list[int]] = {}

    def from_(self, seed: _Seed) -> Iterator[tuple[str, list[int]]]:
        """Yield each way from a seed and where it leads, but for ways into a crowd."""
        named = [self._bearers[name] for name in self._named[seed.serial]]
        found = [("named by it", named)]
        found += [(way.said, list(map(self._having, way.terms))) for way in ways(seed.text.record)]
        for said, lists in found:
            if sum(map(len, lists)) > CROWD + 1:
                continue  # tens of thousands are not gone through for each seed
            others = dict.fromkeys(serial for held in lists for serial in held)
            others.pop(seed.serial, None)
            if len(others) <= CROWD:
                yield said, list(others)

    def _having(self, term: str) -> list[int]:
        if term not in self._found:
            rows = self._corpus.rows
            postings = self._corpus.index.postings(term)
            self._found[term] = [serial for serial, _ in postings if serial in rows]
        return self._found[term]
