"""Confirmed memory that the task recalls: reviewed, committed, signed where that is asked."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, cast

from doll.recall.rows import row
from doll.recall.standing import Standing
from doll.records.codec import parse
from doll.records.digest import blob_id
from doll.records.model import Memory, Record
from doll.render.context_values import Reason
from doll.render.recall_values import Hit
from doll.services.accepted import entries_at
from doll.services.packing.asked import Asked, Tally, shows
from doll.services.packing.candidates import Bounds, Candidate, candidate, moment, recalled
from doll.services.packing.ground import Ground, committed
from doll.services.signing.effect import unsigned_reviews
from doll.vault import files
from doll.vcs.plumbing.index import differs

_NOT_CURRENT = ("superseded", "archived", "retracted", "expired", "not_yet_valid", "not_reviewed")


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
    accepted = _accepted(ground, unsigned)
    for hit in hits:
        read = _read(ground, hit)
        if read is None:
            tally.count("changed")
            continue
        is_same = oids.get(hit.path) == read.oid
        held = _Held(read.record, _marked(hit)) if is_same else None
        held = held if accepted is None else accepted.get(hit.path)
        # An edit that is not accepted lowers no label, and may raise it.
        versions = (read.record, held.record) if held else (read.record,)
        if not all(shows(asked, each, tally) for each in versions):
            continue
        if not is_same:
            tally.add("not_committed", read.record.id)
        if held is None:
            continue
        record, reason = held
        if record.path in unsigned or ground.is_unproven:
            tally.add("not_signed", record.id)
        elif reason is not None:
            tally.add(reason, record.id)
        else:
            body = read.body if is_same else ground.bodies([record])[record.path]
            why = [recalled(hit)]
            yield candidate("memory", record, body, bounds, _facts(record), why, score=hit.score)


def unsigned_paths(ground: Ground) -> frozenset[str]:
    """Return the paths of memories whose committed version is not signed as the vault asks."""
    changes = unsigned_reviews(ground.vault, ground.commit).changes
    return frozenset(change.path for change in changes)


class _Held(NamedTuple):
    """An accepted memory, and why it is not current, if it is not."""

    record: Record
    reason: Reason | None


def _marked(hit: Hit) -> Reason | None:
    """Return why a memory is not current in the work tree, None where it is."""
    return next((cast("Reason", mark) for mark in hit.marks if mark in _NOT_CURRENT), None)


def _accepted(ground: Ground, unsigned: frozenset[str]) -> Mapping[str, _Held] | None:
    """Return all committed memories, by path; None where the work tree has just these, all signed.

    What is not accepted supersedes nothing, and what it removes or changes supersedes still.
    """
    vault = ground.vault
    if not unsigned and not differs(vault.repository, ground.commit, vault.in_git("confirmed")):
        return None
    on_disk = vault.load(["confirmed"]).entries
    entries = entries_at(vault, ground.commit, ["confirmed"], on_disk)
    records = {each.path: each.record for each in entries if each.record is not None}
    rows = [row(record, 0, 0) for path, record in records.items() if path not in unsigned]
    known = [each for each in rows if each is not None]
    standing = Standing(known, ground.report.as_of)
    reasons = {each.path: standing.of(each) for each in known}
    return {path: _Held(record, _reason(reasons.get(path))) for path, record in records.items()}


def _reason(reason: str | None) -> Reason | None:
    return None if reason in (None, "current") else cast("Reason", reason)


class _Read(NamedTuple):
    """A memory as it is on disk: the record, its body, its blob id."""

    record: Record
    body: str
    oid: str


def _read(ground: Ground, hit: Hit) -> _Read | None:
    """Return the memory that was found, None for another by now."""
    data = files.read_as(ground.vault.root, hit.path, hit.digest)
    if data is None:
        return None
    record, _, body = parse(data, hit.path, hit.id, "memory")
    oid = blob_id(data, ground.vault.repository.algorithm)
    return None if record is None else _Read(record, body, oid)


def _facts(record: Record) -> dict[str, str]:
    said = cast("Memory", record.fields)
    return {
        "kind": said.kind or "",
        "origin": "" if said.origin == "user" else said.origin,
        "valid until": moment(said.valid_until),
    }
