"""Moves of candidates that the user staged by hand: what went from staging, and where it came.

Every record that is staged as gone from `staging/`, and every one that is staged as new elsewhere,
is accounted for: in a move, in a fault, or in a note. Reads git alone.
"""

import shlex
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from doll.errors import ConflictError, Problem
from doll.records.model import Record
from doll.records.names import fold
from doll.services.checking.record_rules import origin_problems
from doll.services.checking.review_rules import before_review
from doll.services.opening import Vault
from doll.services.reviewing.candidates import at_head, fault
from doll.vault import layout
from doll.vault.entries import parse_file
from doll.vcs import plumbing

HOMES = ("confirmed/", "experience/")


class Pair(NamedTuple):
    """One staged move: both paths, and the bytes that moved."""

    source: str
    path: str
    data: bytes


class Moves(NamedTuple):
    """The staged moves by path; what cannot be one and looks like one; what is something else."""

    pairs: list[Pair]
    faults: list[Problem]
    notes: tuple[str, ...]


class _Side(NamedTuple):
    """A staged file on one side: its path, its blob, and whether HEAD has that path already."""

    path: str
    oid: str
    replaces: bool = False


def staged_moves(vault: Vault) -> Moves:
    """Return what is staged of moves out of staging."""
    gone, come = _sides(vault)
    blobs = plumbing.blobs(vault.repository, sorted({each.oid for each in [*gone, *come]}))
    exact, faults = _exact(gone, come)
    used = {side.path for pair in exact for side in pair} | {each.path for each in faults}
    rest = [side for side in gone if side.path not in used]
    notes = list[str]()
    for side in come:
        if side.path in used or side.replaces:
            continue
        found = _other(vault, side, rest, blobs)
        if isinstance(found, Problem):
            faults.append(found)
        elif found:
            notes.append(found)
    notes += [
        f"{side.path} is staged as deleted, and moved nowhere: left as it is" for side in rest
    ]
    pairs = [Pair(a.path, b.path, blobs[a.oid]) for a, b in exact]
    faults += [_replaced(b.path) for _, b in exact if b.replaces]
    return Moves(sorted(pairs), faults, tuple(notes))


def _sides(vault: Vault) -> tuple[list[_Side], list[_Side]]:
    """Return the records that go from staging, and those that come outside of it."""
    gone, come, within = [], [], set[str]()
    for change in plumbing.staged(vault.repository, plumbing.head(vault.repository)):
        path = vault.in_vault(change.path)
        if path is None or not layout.is_record(path):
            continue
        if path.startswith("staging/"):
            if change.status == "D":
                gone.append(_Side(path, change.old_oid))
            elif change.status == "A":
                within.add(change.oid)
        elif change.status in ("A", "M") and change.mode in ("100644", "100755"):
            come.append(_Side(path, change.oid, replaces=change.status == "M"))
    # What got another place or name in staging is a candidate still.
    moved = {side.oid for side in come}
    return [side for side in gone if side.oid in moved or side.oid not in within], come


def _exact(
    gone: Iterable[_Side], come: Iterable[_Side]
) -> tuple[list[tuple[_Side, _Side]], list[Problem]]:
    """Return the moves that kept the bytes, and those where it is not clear what moved where."""
    left, right = defaultdict[str, list[_Side]](list), defaultdict[str, list[_Side]](list)
    for side in gone:
        left[side.oid].append(side)
    for side in come:
        right[side.oid].append(side)
    pairs, faults = [], []
    for oid in sorted(left.keys() & right.keys()):
        matched = _matched(left[oid], right[oid])
        if matched is None:
            message = "which of several candidates with the same bytes moved here is not clear"
            faults += [fault(side.path, message, "keep its name") for side in right[oid]]
        else:
            pairs += matched
    return pairs, faults


def _matched(gone: Sequence[_Side], come: Sequence[_Side]) -> list[tuple[_Side, _Side]] | None:
    """Return which path moved where among files of the same bytes, None where that is a guess."""
    if len(gone) == len(come) == 1:
        return [(gone[0], come[0])]
    names = {_name(side.path): side for side in gone}
    wanted = [_name(side.path) for side in come]
    if len(names) != len(gone) or len(set(wanted)) != len(come) or not set(wanted) <= set(names):
        return None
    return [(names[name], side) for name, side in zip(wanted, come, strict=True)]


def _other(
    vault: Vault, side: _Side, rest: list[_Side], blobs: Mapping[str, bytes]
) -> Problem | str:
    """Return what a new record is that has the bytes of no candidate: a fault, or a note.

    Takes its candidate out of `rest`.
    """
    data = blobs[side.oid]
    record = parse_file(data, side.path)[0]
    before = _origin_of(side, record, rest, blobs)
    if before is not None:
        rest.remove(before)
        if _is_approved(data, blobs[before.oid]):
            return f"{side.path} is approved already, and staged"
        return _edited(vault, before.path, side)
    if record is not None and any(p.code == "review.missing" for p in origin_problems(record)):
        return _alone(vault, side, record)
    if side.path.startswith(HOMES):
        return f"{side.path} is staged, and no candidate that moved: left as it is"
    return ""


def _origin_of(
    side: _Side, record: Record | None, gone: Sequence[_Side], blobs: Mapping[str, bytes]
) -> _Side | None:
    """Return the candidate that a new record seems to come from: by its name, by its source."""
    for each in gone:
        if fold(_name(each.path)) == fold(_name(side.path)):
            return each
    wanted = _source(record)
    for each in gone if wanted else ():
        if _source(parse_file(blobs[each.oid], each.path)[0]) == wanted:
            return each
    return None


def _is_approved(data: bytes, candidate: bytes) -> bool:
    try:
        return data != candidate and before_review(data) == candidate
    except ConflictError:
        return False


def _source(record: Record | None) -> tuple[str | None, ...] | None:
    """Return what the source calls an entry, None for a record that came from none."""
    if record is None or record.fields.origin_id is None:
        return None
    fields = record.fields
    return fields.origin_adapter, fields.origin_source, fields.origin_id, fields.origin_sha256


def _edited(vault: Vault, source: str, side: _Side) -> Problem:
    blob, old = shlex.quote(f"HEAD:{vault.in_git(source)}"), shlex.quote(source)
    new = shlex.quote(side.path)
    message = f"it was edited on its way from {source}; what is reviewed are the bytes at HEAD"
    hint = (
        f"as it was: git cat-file blob {blob} > {new} && git add -- {new}\n"
        f"with the edit: git mv -- {new} {old} && git commit -m edit -- {old}    then move it again"
    )
    return fault(side.path, message, hint)


def _alone(vault: Vault, side: _Side, record: Record) -> Problem:
    message = f"origin {record.fields.origin}, and no candidate of its name or source went away"
    there = [path for path in at_head(vault) if fold(_name(path)) == fold(_name(side.path))]
    hint = "move a candidate that is committed: git mv staging/…/NAME.md confirmed/"
    if there:
        hint = f"take its candidate out of staging too: git rm -- {shlex.quote(there[0])}"
    return fault(side.path, message, hint)


def _replaced(path: str) -> Problem:
    message = "a candidate would replace a record that HEAD has"
    restore = f"git restore --source=HEAD --staged --worktree -- {shlex.quote(path)}"
    hint = (
        f"{restore}    drops what stands there now\nthen move it again, under a name that is free"
    )
    return fault(path, message, hint)


def _name(path: str) -> str:
    return path.rpartition("/")[2]
