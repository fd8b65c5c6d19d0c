"""Confirmed memory that the task recalls: reviewed, committed, signed where that is asked."""

from collections.abc import Iterator, Sequence
from typing import cast

from doll.records.codec import parse
from doll.records.digest import blob_id, sha256
from doll.records.model import Memory, Record
from doll.render.recall_values import Hit
from doll.services.packing.asked import Asked, Tally, shows
from doll.services.packing.candidates import Bounds, Candidate, candidate, moment, recalled
from doll.services.packing.ground import Ground, committed
from doll.services.signing.effect import unsigned_reviews


def memories(
    ground: Ground, hits: Sequence[Hit], asked: Asked, bounds: Bounds, tally: Tally
) -> Iterator[Candidate]:
    """Yield the recalled memories that may be shown, best first.

    GitError where it cannot be looked at which are signed: then none is taken for signed.
    """
    hits = [hit for hit in hits if hit.type == "memory"]
    if not hits:
        return
    vault = ground.vault
    oids = committed(vault, ground.commit, [hit.path for hit in hits])
    unsigned = {change.path for change in unsigned_reviews(vault, ground.commit).changes}
    for hit in hits:
        found = _read(ground, hit)
        if found is None:
            tally.count("changed")
            continue
        record, body, oid = found
        if not shows(asked, record, tally):
            continue
        if oids.get(record.path) != oid:
            tally.add("not_committed", record.id)
        elif record.path in unsigned:
            tally.add("not_signed", record.id)
        else:
            why = [recalled(hit)]
            yield candidate("memory", record, body, bounds, _facts(record), why, score=hit.score)


def _read(ground: Ground, hit: Hit) -> tuple[Record, str, str] | None:
    """Return the record that was found, its body and its blob id; None for another by now."""
    try:
        data = ground.vault.read(hit.path)
    except OSError:
        return None
    if sha256(data) != hit.digest:
        return None
    record, _, body = parse(data, hit.path, hit.id, "memory")
    oid = blob_id(data, ground.vault.repository.algorithm)
    return None if record is None else (record, body, oid)


def _facts(record: Record) -> dict[str, str]:
    said = cast("Memory", record.fields)
    return {
        "kind": said.kind or "",
        "origin": "" if said.origin == "user" else said.origin,
        "valid until": moment(said.valid_until),
    }
