"""Explaining a score: its parts, computed again from the record itself and not from the index.

Pure. The parts add up to the score before rounding, so an index that disagrees with its record
shows.
"""

from typing import NamedTuple

from doll.recall.document import fields
from doll.recall.lexical import SCALE, idf, saturation, whole
from doll.recall.query import Query
from doll.recall.ranking import Statistics
from doll.recall.tokens import count
from doll.records.model import Record


class Place(NamedTuple):
    """How often a term occurs in one field, and the field's weight."""

    field: str
    occurrences: int
    weight: float


class Part(NamedTuple):
    """What one term of the query gives to the score.

    `said` is the query's word for the term, `weighted` the sum of occurrences times weights, `idf`
    the term's rarity, `points` the part in score units, not rounded.
    """

    term: str
    said: str
    places: tuple[Place, ...]
    weighted: float
    idf: float
    points: float


class Explanation(NamedTuple):
    """The parts of a score; `length` and `average` are weighted lengths in words."""

    parts: tuple[Part, ...]
    length: float
    average: float
    score: int


def explain(record: Record, body: str, query: Query, statistics: Statistics) -> Explanation:
    """Return how `record` comes by its score for `query`."""
    places: dict[str, list[Place]] = {asked.term: [] for asked in query.asked}
    halves = 0
    for name, weight, text in fields(record, body):
        found: dict[str, float] = {}
        halves += count(text, 1.0, found) * int(2 * weight)
        for term, held in places.items():
            if term in found:
                held.append(Place(name, int(found[term]), weight))
    parts = []
    total = 0.0
    for term, said in query.asked:
        if not places[term]:
            continue
        weighted = sum(place.occurrences * place.weight for place in places[term])
        rarity = idf(statistics.documents, statistics.found.get(term, 0))
        value = rarity * saturation(weighted, halves, statistics.average)
        total += value
        parts.append(Part(term, said, tuple(places[term]), weighted, rarity, value * SCALE))
    return Explanation(tuple(parts), halves / 2, statistics.average / 2, whole(total))
