"""The ranking algorithm `lexical/1`: BM25F over live documents, in whole numbers.

Scores depend on the live documents and the query alone: an index that grew by edits and one built
anew score alike. Source: Robertson, Zaragoza, "The Probabilistic Relevance Framework" (2009);
K1 and B were measured on questions about dialogues.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from math import log

from doll.recall.query import Query
from doll.recall.ranking import Corpus, Postings, Ranking, Statistics

NAME, VERSION = "lexical", 1
K1, B = 0.9, 0.4
# A score is the BM25F sum times this, rounded to a whole number.
SCALE = 1000


class Lexical:
    """The words of the query and nothing else."""

    name, version = NAME, VERSION
    constants: Mapping[str, float | int] = {"k1": K1, "b": B, "scale": SCALE}

    def rank(self, corpus: Corpus, query: Query, as_of: datetime) -> Ranking:  # noqa: ARG002
        """Score the documents that have any of the query's terms."""
        return rank(corpus.index, corpus.lengths, query.terms)


def rank(index: Postings, lengths: Mapping[int, int], terms: Sequence[str]) -> Ranking:
    """Score the documents that have any of `terms`.

    `lengths` maps the serial of each live document to its length in halves.
    """
    documents = len(lengths)
    average = sum(lengths.values()) / documents if documents else 0.0
    sums: dict[int, float] = {}
    found: dict[str, int] = {}
    norms: dict[int, float] = {}
    for term in terms:
        live = [(serial, weight) for serial, weight in index.postings(term) if serial in lengths]
        found[term] = len(live)
        rarity = idf(documents, len(live))
        for serial, weight in live:
            # What `saturation` does, without its calls: there may be very many postings.
            length = lengths[serial]
            if length not in norms:
                norms[length] = _norm(length, average)
            part = rarity * (weight * (K1 + 1) / (weight + K1 * norms[length]))
            sums[serial] = sums.get(serial, 0.0) + part
    scores = {serial: whole(value) for serial, value in sums.items()}
    return Ranking(scores, Statistics(documents, average, found))


def idf(documents: int, found: int) -> float:
    """Return the weight of a term that `found` of `documents` have: rare terms weigh more."""
    return log(1 + (documents - found + 0.5) / (found + 0.5))


def saturation(weight: float, length: int, average: float) -> float:
    """Return how much of a term's idf a document gets: more for more occurrences, up to K1 + 1."""
    return weight * (K1 + 1) / (weight + K1 * _norm(length, average))


def _norm(length: int, average: float) -> float:
    return 1 - B + (B * length / average if average else 0.0)


def whole(value: float) -> int:
    """Return a sum as the whole number that is compared and shown."""
    return int(value * SCALE + 0.5)
