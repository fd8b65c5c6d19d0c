"""A context pack as values: what its two views show, filled by `doll.services.packing`.

Secrets are masked before a text comes here; invisible characters are escaped when it is shown.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal, NamedTuple

from doll.records.model import RecordType

Section = Literal["work", "decisions", "failures", "memory"]
Reason = Literal[
    "over_budget",
    "sensitivity",
    "not_committed",
    "not_signed",
    "unsettled",
    "unreadable",
    "superseded",
    "expired",
    "not_yet_valid",
    "archived",
    "retracted",
    "not_reviewed",
    "changed",
    "other_project",
    "weaker_match",
]

# In the order in which they are shown: what holds, what happened, what is remembered.
TITLES: Mapping[Section, str] = {
    "work": "Open work",
    "decisions": "Decisions",
    "failures": "What failed before",
    "memory": "Confirmed memory",
}
# In the order in which they are said.
REASONS: Mapping[Reason, str] = {
    "over_budget": "over the budget",
    "sensitivity": "above the sensitivity asked for",
    "not_committed": "not committed on the vault's branch",
    "not_signed": "not signed as the vault asks",
    "unsettled": "in several signed versions",
    "unreadable": "cannot be read: `doll validate`",
    "superseded": "superseded",
    "expired": "expired",
    "not_yet_valid": "not valid yet",
    "archived": "archived",
    "retracted": "retracted",
    "not_reviewed": "not reviewed",
    "changed": "changed while being read",
    "other_project": "failures of other projects",
    "weaker_match": "weaker matches",
}


class Source(NamedTuple):
    """Where a text is from: `digest` is the SHA-256 of the whole file's bytes."""

    id: str
    path: str
    type: RecordType
    digest: str


class Quote(NamedTuple):
    """Lines of a record; None stands where lines were left out. `cut`: the record says more."""

    lines: tuple[str | None, ...]
    cut: bool = False


class Settling(NamedTuple):
    """An entry that resolves a failure.

    `source` is None where its label keeps it out, `quote` also where there was no room for it.
    """

    source: Source | None
    assertion: str
    quote: Quote | None


class Item(NamedTuple):
    """One record of the pack.

    `facts` are what tells its weight, in the order shown, `why` the reasons for which it was
    chosen. `score` is that of recall, 0 where the search did not bring it.
    """

    section: Section
    source: Source
    facts: tuple[tuple[str, str], ...]
    why: tuple[str, ...]
    quote: Quote
    settled: tuple[Settling, ...] = ()
    score: int = 0


class LeftOut(NamedTuple):
    """What is not in the pack for one reason; `ids` are those that may be named, perhaps none."""

    reason: Reason
    number: int
    ids: tuple[str, ...] = ()


class Head(NamedTuple):
    """What was asked for.

    `project` is the project's id, None for none. `commit` is the accepted commit, `budget` the
    most tokens that the pack may take, `sensitivity` the highest label that it may show. `complete`
    is False where authority, history or a file could not be looked at or read.
    """

    task: str
    project: str | None
    actions: tuple[str, ...]
    paths: tuple[str, ...]
    sensitivity: str
    as_of: datetime
    commit: str
    budget: int
    complete: bool = True


class Pack(NamedTuple):
    """A context pack. `found` counts the records that could be chosen, by section.

    `text` is the pack in Markdown, `tokens` its estimate, which is never above the budget.
    """

    head: Head
    items: tuple[Item, ...]
    found: Mapping[Section, int]
    left_out: tuple[LeftOut, ...]
    text: str
    tokens: int
    algorithm: Mapping[str, object]
    index_digest: str
