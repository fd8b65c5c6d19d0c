"""The ranking algorithm `lexical/1`: BM25F over live documents, in whole numbers.

Scores depend on the live documents and the query alone: an index that grew by edits and one built
anew score alike. Source: Robertson, Zaragoza, "The Probabilistic Relevance Framework" (2009);
K1 and B were measured on questions about dialogues.
"""

from collections.abc import Mapping, Sequence
from math import log
from typing import NamedTuple, Protocol

NAME, VERSION = "lexical", 1
K1, B = 0.9, 0.4
# A score is the BM25F sum times this, rounded to a whole number.
SCALE = 1000


class Postings(Protocol):
    """Where postings come from: the Whoosh index, or a plain mapping in a test."""

    def postings(self, term: str) -> Sequence[tuple[int, float]]:
        """Return (serial, weight) of each document with `term`, dead ones included."""


class Statistics(NamedTuple):
    """What scores rest on: live documents, their average length in halves, df of each term."""

    documents: int
    average: float
    found: Mapping[str, int]


class Ranking(NamedTuple):
    """Scores by serial, documents without any term left out, and the statistics behind them."""

    scores: dict[int, int]
    statistics: Statistics


def rank(index: Postings, lengths: Mapping[int, int], terms: Sequence[str]) -> Ranking:
    """Score the documents that have any of `terms`.

    `lengths` maps the serial of each live document to its length in halves.
    """
    documents = len(lengths)
    average = sum(lengths.values()) / documents if documents else 0.0
    sums: dict[int, float] = {}
    found: dict[str, int] = {}
    for term in terms:
        live = [(serial, weight) for serial, weight in index.postings(term) if serial in lengths]
        found[term] = len(live)
        rarity = idf(documents, len(live))
        for serial, weight in live:
            part = rarity * saturation(weight, lengths[serial], average)
            sums[serial] = sums.get(serial, 0.0) + part
    scores = {serial: whole(value) for serial, value in sums.items()}
    return Ranking(scores, Statistics(documents, average, found))


def idf(documents: int, found: int) -> float:
    """Return the weight of a term that `found` of `documents` have: rare terms weigh more."""
    return log(1 + (documents - found + 0.5) / (found + 0.5))


def saturation(weight: float, length: int, average: float) -> float:
    """Return how much of a term's idf a document gets: more for more occurrences, up to K1 + 1."""
    norm = 1 - B + (B * length / average if average else 0.0)
    return weight * (K1 + 1) / (weight + K1 * norm)


def whole(value: float) -> int:
    """Return a sum as the whole number that is compared and shown."""
    return int(value * SCALE + 0.5)
