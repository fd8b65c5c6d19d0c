"""Partial matches: records that have no word of a query, and words that contain one. Pure.

They come after all others: each is worth the part of the containing word that was asked for, and
where that is more than the least of the others, all are made smaller alike.
"""

from collections.abc import Container, Mapping, Sequence
from typing import NamedTuple

from doll.recall.lexical import idf, saturation, whole
from doll.recall.query import Asked, Query
from doll.recall.ranking import Corpus, Ranking, Statistics
from doll.recall.widening import Within


class Partial(NamedTuple):
    """The scores of partial matches.

    `query` asks for the containing terms, each said as the query says the word within it; `shares`
    are what the points of each are multiplied by, above 0 and below 1.
    """

    ranking: Ranking
    query: Query
    shares: Mapping[str, float]


def rank_partial(
    corpus: Corpus,
    query: Query,
    holding: Sequence[Within],
    others: Container[int],
    limit: int | None,
) -> Partial:
    """Score the documents with a term of `holding` that are not among the serials `others`.

    No score is above `limit`, None for no limit.
    """
    documents = len(corpus.lengths)
    average = sum(corpus.lengths.values()) / documents if documents else 0.0
    sums: dict[int, float] = {}
    found: dict[str, int] = {}
    for term, _, share in holding:
        live = [(s, weight) for s, weight in corpus.index.postings(term) if s in corpus.lengths]
        found[term] = len(live)
        rarity = idf(documents, len(live)) * share
        for serial, weight in live:
            if serial not in others:
                part = rarity * saturation(weight, corpus.lengths[serial], average)
                sums[serial] = sums.get(serial, 0.0) + part
    scale = _scale(max(sums.values(), default=0.0), limit)
    scores = {serial: _below(whole(value * scale), limit) for serial, value in sums.items()}
    said = {asked.term: asked.said for asked in query.asked}
    return Partial(
        Ranking(scores, Statistics(documents, average, found)),
        Query(tuple(Asked(term, said[word]) for term, word, _ in holding), query.dropped),
        {term: share * scale for term, _, share in holding},
    )


def _scale(most: float, limit: int | None) -> float:
    """Return what makes the best of the sums no more than `limit` points."""
    points = whole(most)
    if limit is None or points <= limit:
        return 1.0
    return max(limit, 0) / points


def _below(score: int, limit: int | None) -> int:
    # Rounding up, and records that others' words match for no points at all.
    return score if limit is None else min(score, limit)
