"""What a recall answers: the values that its views show, filled by `doll.services`.

Secrets are masked before a text comes here; invisible characters are escaped when it is shown.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from doll.errors import Problem

# Marks of hits beside the reasons why a record is not current.
CANDIDATE = "candidate"
NOT_COMMITTED = "not_committed"
NOT_SIGNED = "not_signed"


def field_words(field: str) -> str:
    """Return a searched field as a person would say it."""
    return "project, work item, actions or paths" if field == "about" else field


class Place(NamedTuple):
    """How often a term occurs in one field of a record, and the field's weight."""

    field: str
    occurrences: int
    weight: float


class Part(NamedTuple):
    """What one term gives to a score.

    `said` is the query's word for the term, `weighted` the sum of occurrences times weights, `idf`
    the rarity of the term, `points` the part of the score, not rounded. `share` is what they were
    multiplied by where the term only contains the word.
    """

    term: str
    said: str
    places: tuple[Place, ...]
    weighted: float
    idf: float
    points: float
    share: float = 1.0


class Added(NamedTuple):
    """What a score gets beside its words: the kind of reason, the reason, whole points."""

    kind: str
    said: str
    points: int


class Hit(NamedTuple):
    """One record that answers.

    `facts` are what tells its weight, such as kind, outcome and assertion, in the order shown.
    `digest` is the SHA-256 of the bytes shown. `length` and `average` are weighted lengths in
    words, of this record and of all searched ones. `score` is `words`, the rounded sum of `parts`,
    and the points of `additions`. `marks` say why it may not count: `candidate`, why it is not
    current, `not_signed`, `not_committed`. `partial`: none of its words matches, only words that
    contain one.
    """

    id: str
    path: str
    type: str
    name: str
    snippet: str
    digest: str
    score: int
    facts: Mapping[str, str]
    why: str
    words: int
    parts: tuple[Part, ...]
    additions: tuple[Added, ...]
    length: float
    average: float
    marks: tuple[str, ...] = ()
    partial: bool = False


class Corrected(NamedTuple):
    """A word of the query that nothing matches, and the nearest one, which was searched for."""

    said: str
    meant: str


class UnknownTag(NamedTuple):
    """A tag asked for that no searched record has, and the nearest one that some has, or ""."""

    tag: str
    nearest: str


class UsageRead(NamedTuple):
    """The part of the usage log that scores rest on.

    `signals` lines counted, `digest` is the SHA-256 over them, `skipped` lines are no signals.
    """

    signals: int
    digest: str
    skipped: int


class Answer(NamedTuple):
    """What a recall found.

    `words` are the query's words for the `terms`, `unmatched` those that no searched record has.
    `matches` counts the records that match, are current, and pass the filters; `left_out` those
    that match, pass, and are not current, by reason; `filtered_out` those that match, are current,
    and do not pass. Where `filters` have `everything`, it is as if all were current. `indexed` is
    the number of searched records, `index_digest` the SHA-256 over their digests and paths.
    `changed` counts matches that changed while they were read. `unreadable` has one problem for
    each file that could not be searched. `usage` is None where the algorithm knows none.
    """

    query: str
    terms: tuple[str, ...]
    words: tuple[str, ...]
    unmatched: tuple[str, ...]
    dropped: tuple[str, ...]
    algorithm: Mapping[str, object]
    as_of: datetime
    hits: tuple[Hit, ...]
    matches: int
    left_out: Mapping[str, int]
    changed: int
    indexed: int
    index_digest: str
    unreadable: tuple[Problem, ...]
    filters: Mapping[str, object]
    filtered_out: int
    corrected: tuple[Corrected, ...]
    partial: int
    unknown_tags: tuple[UnknownTag, ...]
    usage: UsageRead | None = None
