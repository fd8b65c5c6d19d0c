"""Ranking with a second look where the words of a query answer too little.

Fewer than the limit: words that contain one of the query's come after. Nothing at all: the nearest
words that there are, which is said. The vocabulary is read only then.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from heapq import nsmallest
from typing import NamedTuple

from doll.recall.dates import named
from doll.recall.document import fields
from doll.recall.partial import Partial, rank_partial
from doll.recall.query import Asked, Query, unmatched
from doll.recall.ranking import Corpus, Ranking
from doll.recall.rows import Row
from doll.recall.spelling import as_written
from doll.recall.widening import Within, corrections, within
from doll.render.recall_values import Corrected
from doll.services.recalling.choosing import Chosen
from doll.services.recalling.using import Weighed

# So many records are tried to see how a corrected word is written.
_READ = 3


class Ranked(NamedTuple):
    """What matches, and how.

    `query` is the one that was answered: as typed, or as `corrected`. `used` is the ranking by its
    words, `partial` that of the records which match by words that contain one of them. `chosen` are
    those of both that may be shown.
    """

    query: Query
    used: Weighed
    chosen: Chosen
    partial: Partial | None = None
    corrected: tuple[Corrected, ...] = ()

    @property
    def partial_shown(self) -> int:
        """How many chosen records match only by words that contain one of the query."""
        return sum(map(self.is_partial, self.chosen.rows.serials)) if self.partial else 0

    def unmatched(self, as_of: datetime) -> tuple[str, ...]:
        """Return the words of the query that no record has, but for those found within others.

        Those of a date are no words that a record should have.
        """
        text = self.query.text
        for date in named(text, as_of):
            text = text.replace(date.levels[-1].said, " ")
        partly = {one.said for one in self.partial.query.asked} if self.partial else set()
        words = unmatched(self.query, text, self.used.ranking.statistics.found)
        return tuple(word for word in words if word not in partly)

    def is_partial(self, serial: int) -> bool:
        """Return whether a record matches only by words that contain one of the query."""
        return self.partial is not None and serial in self.partial.ranking.scores

    def score(self, serial: int) -> int:
        """Return the score of a chosen record."""
        if self.partial is not None and serial in self.partial.ranking.scores:
            return self.partial.ranking.scores[serial]
        return self.used.ranking.scores[serial]


class Ranker:
    """How one recall ranks: by `rank`, then `choose`, and what use adds by `weigh`.

    Its methods raise BrokenIndexError.
    """

    def __init__(
        self,
        corpus: Corpus,
        vocabulary: Callable[[], Collection[str]],
        rank: Callable[[Query], Ranking],
        choose: Callable[[Collection[int]], Chosen],
        weigh: Callable[[Ranking, Sequence[Row]], Weighed],
    ) -> None:
        self._corpus = corpus
        self._vocabulary = vocabulary
        self._rank = rank
        self._choose = choose
        self._weigh = weigh

    def ranked(self, query: Query, enough: int) -> Ranked:
        """Rank what matches; look again where fewer than `enough` may be shown."""
        words = self._rank(query)
        found = self._weighed(query, words)
        if not query.terms or len(found.chosen.rows) >= enough:
            return found
        terms = self._vocabulary()
        if holding := within(query.terms, terms, self._live):
            found = self._with_partial(found, words.scores, holding)
        if words.scores or found.partial is not None:
            return found
        nearest = dict(corrections(query.terms, terms, self._live))
        return self._corrected(query, nearest) if nearest else found

    def _weighed(self, query: Query, words: Ranking) -> Ranked:
        chosen = self._choose(words.scores.keys())
        return Ranked(query, self._weigh(words, chosen.rows), chosen)

    def _with_partial(
        self, found: Ranked, words: Mapping[int, int], holding: Sequence[Within]
    ) -> Ranked:
        scores = [*words.values(), *found.used.ranking.scores.values()]
        limit = min(scores) - 1 if scores else None
        partial = rank_partial(self._corpus, found.query, holding, words, limit)
        if not partial.ranking.scores:
            return found
        chosen = self._choose(words.keys() | partial.ranking.scores.keys())
        return found._replace(chosen=chosen, partial=partial)

    def _corrected(self, query: Query, nearest: Mapping[str, str]) -> Ranked:
        changes = {
            one: Asked(nearest[one.term], _written(self._corpus, nearest[one.term]))
            for one in query.asked
            if one.term in nearest
        }
        asked = {new.term: new for new in (changes.get(one, one) for one in query.asked)}
        text = query.text
        for old, new in changes.items():
            text = text.replace(old.said, new.said)
        mended = query._replace(asked=tuple(asked.values()), text=text)
        said = tuple(Corrected(old.said, new.said) for old, new in changes.items())
        return self._weighed(mended, self._rank(mended))._replace(corrected=said)

    def _live(self, term: str) -> int:
        lengths = self._corpus.lengths
        return sum(serial in lengths for serial, _ in self._corpus.index.postings(term))


def _written(corpus: Corpus, term: str) -> str:
    """Return how a record writes a term: the first by path of those that can be read."""
    rows = [
        corpus.rows[serial] for serial, _ in corpus.index.postings(term) if serial in corpus.rows
    ]
    for row in nsmallest(_READ, rows, key=lambda row: row.path):
        read = corpus.read(row.serial)
        texts = (field.text for field in fields(*read)) if read else ()
        if written := as_written(texts, {term}):
            return written[term]
    return term
