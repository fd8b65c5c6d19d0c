"""Confirmed memory that the task recalls: reviewed, committed, signed where that is asked."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, cast

from doll.recall.rows import row
from doll.recall.standing import Standing
from doll.records.codec import parse
from doll.records.digest import blob_id, sha256
from doll.records.model import Memory, Record
from doll.render.context_values import Reason
from doll.render.recall_values import Hit
from doll.services.packing.asked import Asked, Tally, shows
from doll.services.packing.candidates import Bounds, Candidate, candidate, moment, recalled
from doll.services.packing.ground import Ground, committed
from doll.services.signing.effect import unsigned_reviews
from doll.vault.layout import record_id
from doll.vcs import plumbing

SUPERSEDED = "superseded"
_NOT_CURRENT = (SUPERSEDED, "archived", "retracted", "expired", "not_yet_valid", "not_reviewed")


def memories(
    ground: Ground, hits: Sequence[Hit], asked: Asked, bounds: Bounds, tally: Tally
) -> Iterator[Candidate]:
    """Yield the recalled memories that may be shown, best first.

    GitError where it cannot be looked at which are signed: then none is taken for signed.
    """
    if not hits:
        return
    oids = committed(ground.vault, ground.commit, [hit.path for hit in hits])
    unsigned = unsigned_paths(ground)
    replaced = _replaced(ground, unsigned) if any(SUPERSEDED in h.marks for h in hits) else None
    reads = {hit.path: read for hit in hits if (read := _read(ground, hit)) is not None}
    other = {p: oids[p] for p, read in reads.items() if oids.get(p, read.oid) != read.oid}
    changed = _as_committed(ground, other)
    for hit in hits:
        if hit.path not in reads:
            tally.count("changed")
            continue
        record, body, oid = reads[hit.path]
        # What an edit that is not accepted says of the label counts for nothing either.
        versions = (record, *changed.get(hit.path, ()))
        if not all(shows(asked, each, tally) for each in versions):
            continue
        if oids.get(record.path) != oid:
            tally.add("not_committed", record.id)
        elif record.path in unsigned or ground.is_unproven:
            tally.add("not_signed", record.id)
        elif reason := _not_current(hit, replaced):
            tally.add(reason, record.id)
        else:
            why = [recalled(hit)]
            yield candidate("memory", record, body, bounds, _facts(record), why, score=hit.score)


def unsigned_paths(ground: Ground) -> frozenset[str]:
    """Return the paths of memories whose committed version is not signed as the vault asks."""
    changes = unsigned_reviews(ground.vault, ground.commit).changes
    return frozenset(change.path for change in changes)


def _not_current(hit: Hit, replaced: frozenset[str] | None) -> Reason | None:
    """Return why an accepted memory is not current, None where it is.

    What only an unaccepted record supersedes still holds.
    """
    for mark in hit.marks:
        if mark in _NOT_CURRENT and (mark != SUPERSEDED or hit.path in (replaced or ())):
            return cast("Reason", mark)
    return None


def _replaced(ground: Ground, unsigned: frozenset[str]) -> frozenset[str]:
    """Return the paths of the memories that accepted ones supersede, or that say so themselves."""
    vault = ground.vault
    oids = committed(vault, ground.commit, ["confirmed"])
    rows = [
        found
        for entry in vault.load(["confirmed"]).entries
        if entry.record is not None
        and oids.get(entry.path) == entry.oid
        and entry.path not in unsigned
        and (found := row(entry.record, 0, 0)) is not None
    ]
    standing = Standing(rows, ground.report.as_of)
    return frozenset(each.path for each in rows if standing.of(each) == SUPERSEDED)


class _Read(NamedTuple):
    """A memory as it is on disk: the record, its body, its blob id."""

    record: Record
    body: str
    oid: str


def _read(ground: Ground, hit: Hit) -> _Read | None:
    """Return the memory that was found, None for another by now."""
    try:
        data = ground.vault.read(hit.path)
    except OSError:
        return None
    if sha256(data) != hit.digest:
        return None
    record, _, body = parse(data, hit.path, hit.id, "memory")
    oid = blob_id(data, ground.vault.repository.algorithm)
    return None if record is None else _Read(record, body, oid)


def _as_committed(ground: Ground, oids: Mapping[str, str]) -> Mapping[str, Sequence[Record]]:
    """Return the readable ones of these blobs as records, by path."""
    blobs = plumbing.blobs(ground.vault.repository, oids.values())
    parsed = {p: parse(blobs[oid], p, record_id(p), "memory").record for p, oid in oids.items()}
    return {path: [record] for path, record in parsed.items() if record is not None}


def _facts(record: Record) -> dict[str, str]:
    said = cast("Memory", record.fields)
    return {
        "kind": said.kind or "",
        "origin": "" if said.origin == "user" else said.origin,
        "valid until": moment(said.valid_until),
    }
