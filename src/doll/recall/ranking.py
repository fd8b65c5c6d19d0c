"""Ranking: what every algorithm is given, and what it gives.

An algorithm orders what matches, and changes no record. Its scores depend on the live documents,
the query, the moment asked for and, where it says so, the usage log: on nothing else.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple, Protocol

from doll.recall.by_serial import Rows
from doll.recall.query import Query
from doll.records.model import Record


class Postings(Protocol):
    """Where postings come from: the Whoosh index, or a plain mapping in a test."""

    def postings(self, term: str) -> Sequence[tuple[int, float]]:
        """Return (serial, weight) of each document with `term`, dead ones included."""


class Text(NamedTuple):
    """A record as it is read again from the vault: what was indexed, and no other version."""

    record: Record
    body: str


@dataclass(frozen=True, slots=True)
class Corpus:
    """What is ranked.

    `rows` are those of the live documents by serial, `lengths` their lengths in halves. `read`
    returns the record of a serial, None where its file is no longer the one that was indexed; it
    costs a file, so an algorithm reads its best matches only.
    """

    index: Postings
    rows: Rows
    lengths: Mapping[int, int]
    read: Callable[[int], Text | None]


class Statistics(NamedTuple):
    """What scores rest on: live documents, their average length in halves, df of each term."""

    documents: int
    average: float
    found: Mapping[str, int]


class Addition(NamedTuple):
    """What a score gets beside its words: whole `points`, below zero where it loses.

    `said` names the reason to a person: the record linked, the phrase, the date.
    """

    kind: Literal["link", "phrase", "date", "use", "feedback"]
    said: str
    points: int


class Ranking(NamedTuple):
    """Scores by serial, documents that do not match left out, and the statistics behind them.

    A score is what its words give and the points of its `additions`, which few documents have.
    """

    scores: Mapping[int, int]
    statistics: Statistics
    additions: Mapping[int, tuple[Addition, ...]] = {}


class Algorithm(Protocol):
    """One way to rank. The same name and version give the same scores for ever."""

    @property
    def name(self) -> str:
        """The name without the version."""

    @property
    def version(self) -> int:
        """Raised whenever any score changes."""

    @property
    def constants(self) -> Mapping[str, float | int]:
        """The constants by name, as the answer names them."""

    def rank(self, corpus: Corpus, query: Query, as_of: datetime) -> Ranking:
        """Score the documents that match."""
