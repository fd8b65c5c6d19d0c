"""Findings as they are shown: records read again, what they share and what each has alone.

Secrets are covered before a word is taken from a text. Reads only.
"""

from collections.abc import Mapping
from datetime import datetime
from itertools import islice

from doll.recall.scripts import normal
from doll.recall.similarity import MAX_TEXT
from doll.recall.tokens import spans
from doll.records import times
from doll.records.model import Experience, Memory, Record
from doll.render.duplicates_values import Finding, Kind, Member, Side
from doll.render.listing_text import shown_name
from doll.secrets import mask
from doll.services.consolidating.finding import Raw
from doll.services.consolidating.gathering import read_text
from doll.services.consolidating.judgements import Settled
from doll.services.opening import Vault

# So many members of a finding are described, and so many words of what differs are shown.
MOST_MEMBERS = 10
MOST_WORDS = 12

_WHY: dict[Kind, str] = {
    "contradiction": "one says that it contradicts the other, and both are current",
    "exact": "the same text",
    "extending": "nearly all of the first stands in the other, which says more",
    "near": "nearly the same words",
    "overlap": "the same kind and title, and both are valid now",
}


def describe(vault: Vault, raw: Raw, settled: Settled) -> Finding | None:
    """Return what to show of a finding, None when one of its records changed since it was read."""
    records = raw.pool.records
    leader = records[raw.group.leader]
    first = _words(vault, leader)
    if first is None:
        return None
    members = []
    for number, likeness in raw.group.members[:MOST_MEMBERS]:
        record = records[number]
        other = _words(vault, record)
        if other is None:
            return None
        member = compare(record, likeness, first, other)
        members.append(_judged(member, raw, number, settled))
    return Finding(
        kind=raw.kind,
        leader=side(leader),
        members=tuple(members),
        paths=raw.paths,
        more=raw.group.more,
        why=_WHY[raw.kind],
    )


def side(record: Record) -> Side:
    """Return a record as a side of a pair."""
    return Side(record.id, record.path, shown_name(record), record.digest, _facts(record))


# The terms of a text, and the words in it that stand for them.
Words = Mapping[str, str]


def _words(vault: Vault, record: Record) -> Words | None:
    text = read_text(vault, record)
    return None if text is None else words_of(text)


def words_of(text: str) -> Words:
    """Return the words of a text that is compared, its secrets covered."""
    said: dict[str, str] = {}
    whole = normal(mask(text)[:MAX_TEXT])
    for span in spans(whole):
        single = len(span.piece.words) == 1
        for term in span.piece.words:
            said.setdefault(term, whole[span.start : span.end] if single else term)
    return said


def _judged(member: Member, raw: Raw, number: int, settled: Settled) -> Member:
    """Return a member with what a person said of it and the leader, of these texts or of earlier
    ones.
    """
    digests, leader = raw.pool.digests, raw.group.leader
    paths = raw.pool.records[leader].path, raw.pool.records[number].path
    now = settled.now(paths[0], digests[leader], paths[1], digests[number])
    return member._replace(judged=now, judged_before="" if now else settled.before(*paths))


def compare(record: Record, likeness: int, first: Words, other: Words) -> Member:
    """Return a record, whose words are `other`, beside one whose words are `first`."""
    added = [word for term, word in other.items() if term not in first]
    lacking = [word for term, word in first.items() if term not in other]
    shared = len(first) - len(lacking)
    return Member(
        side=side(record),
        likeness=likeness,
        shared=shared,
        both=shared + len(added) + len(lacking),
        added=tuple(islice(added, MOST_WORDS)),
        lacking=tuple(islice(lacking, MOST_WORDS)),
        added_more=max(0, len(added) - MOST_WORDS),
        lacking_more=max(0, len(lacking) - MOST_WORDS),
    )


def _facts(record: Record) -> dict[str, str]:
    fields = record.fields
    found: dict[str, str | None] = {}
    if isinstance(fields, Memory):
        found = {
            "kind": fields.kind,
            "origin": None if fields.origin == "user" else fields.origin,
            "valid_from": _time(fields.valid_from),
            "valid_until": _time(fields.valid_until),
        }
    elif isinstance(fields, Experience):
        found = {
            "kind": fields.kind,
            "outcome": fields.outcome,
            "assertion": fields.assertion,
            "at": times.render(fields.at),
        }
    found["changed"] = _time(fields.updated or fields.created)
    return {name: mask(value) for name, value in found.items() if value}


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else times.render(moment)
