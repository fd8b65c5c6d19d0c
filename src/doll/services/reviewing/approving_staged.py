"""`approve --staged`: completes moves that the user made and staged by hand.

A move is a candidate at HEAD that is gone from the index, and a record there with the very same
bytes. Which digest was reviewed is then no question: the bytes are those at HEAD.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from doll.errors import ConflictError, Problem
from doll.records import times
from doll.records.digest import sha256
from doll.records.model import Record
from doll.render.review_values import Approved, Move
from doll.services.opening import Vault
from doll.services.reading import referring
from doll.services.reading.referring import Known
from doll.services.reviewing import approval_checks
from doll.services.reviewing.approving import (
    Reviewer,
    finish,
    mark,
    refusal,
    require_reviewer,
    whole,
)
from doll.vault import files, layout
from doll.vault.entries import parse_file
from doll.vault.lock import writing
from doll.vcs import plumbing

_HOMES = ("confirmed/", "experience/")


class _Pair(NamedTuple):
    """One staged move: both paths, and the bytes that moved."""

    source: str
    path: str
    data: bytes


def approve_staged(vault: Vault, reviewer: Reviewer) -> Approved:
    """Add the review to every staged move of a candidate, all or none, and stage it again.

    Raises ConflictError when nothing such is staged, or with every reason why not.
    """
    identity = require_reviewer(vault, reviewer)
    with writing(vault.state):
        pairs, faults = _pairs(vault)
        known = referring.load(vault)
        records = [_record(pair) for pair in pairs]
        for pair, record in zip(pairs, records, strict=True):
            faults += list(_faults(vault, known, pair, record))
        if faults:
            raise refusal(faults, len(pairs) or len(faults))
        if not pairs:
            raise ConflictError(
                "no move of a candidate is staged; nothing was changed",
                hint="git mv staging/…/NAME.md confirmed/NAME.md    keeps the bytes and stages it",
            )
        moment = whole(reviewer.now)
        marked = [mark(pair.data, sha256(pair.data), identity, moment) for pair in pairs]
        _replace(vault, pairs, marked)
        moves = tuple(_move(pair) for pair in pairs)
        return finish(
            vault, Approved(moves, identity, times.render(moment)), commit=reviewer.commit
        )


def _pairs(vault: Vault) -> tuple[list[_Pair], list[Problem]]:
    """Return the staged moves, and what is staged in a way that cannot be one."""
    gone: defaultdict[str, list[str]] = defaultdict(list)
    come: defaultdict[str, list[str]] = defaultdict(list)
    for change in plumbing.staged(vault.repository, plumbing.head(vault.repository)):
        path = vault.in_vault(change.path)
        if path is None or not layout.is_record(path):
            continue
        if change.status == "D" and path.startswith("staging/"):
            gone[change.old_oid].append(path)
        elif change.status == "A" and not path.startswith("staging/"):
            come[change.oid].append(path)
    moved = sorted(oid for oid in gone if oid in come)
    blobs = plumbing.blobs(vault.repository, moved)
    pairs, faults = [], []
    for oid in moved:
        matched = _matched(gone[oid], come[oid])
        if matched is None:
            message = "which of several candidates with the same bytes moved here is not clear"
            faults += [approval_checks.fault(path, message, "keep its name") for path in come[oid]]
        else:
            pairs += [_Pair(source, path, blobs[oid]) for source, path in matched]
    return sorted(pairs), faults


def _matched(gone: Sequence[str], come: Sequence[str]) -> list[tuple[str, str]] | None:
    """Return which path moved where among files of the same bytes, None where that is a guess."""
    if len(gone) == len(come) == 1:
        return [(gone[0], come[0])]
    names = {path.rpartition("/")[2]: path for path in gone}
    wanted = [path.rpartition("/")[2] for path in come]
    if len(names) != len(gone) or len(set(wanted)) != len(come) or not set(wanted) <= set(names):
        return None
    return [(names[name], path) for name, path in zip(wanted, come, strict=True)]


def _record(pair: _Pair) -> Record | None:
    return parse_file(pair.data, pair.source)[0]


def _faults(vault: Vault, known: Known, pair: _Pair, record: Record | None) -> Iterator[Problem]:
    if not pair.path.startswith(_HOMES):
        message = "a candidate never becomes authority: only the user writes that"
        yield approval_checks.fault(pair.path, message, f"git mv {pair.path} {pair.source}")
        return
    if record is None:
        yield approval_checks.fault(pair.source, "it is no readable record", "doll validate")
        return
    moved, problems = parse_file(pair.data, pair.path)
    if moved is None:
        yield from (problem for problem in problems if problem.severity == "error")
        return
    yield from approval_checks.content_faults(vault, moved, pair.data)
    if wrong := approval_checks.project_fault(known, moved):
        yield wrong
    others = [each.path for each in known.named(moved.id) if each.path != pair.path]
    if others:
        yield approval_checks.fault(pair.path, f"the id {moved.id} is taken by {others[0]}")
    try:
        on_disk = files.read(vault.root, pair.path)
    except OSError as error:
        yield approval_checks.fault(pair.path, f"it cannot be read: {error.strerror}")
        return
    if on_disk != pair.data:
        message = "its bytes on disk are not those that are staged"
        yield approval_checks.fault(pair.path, message, f"git restore -- {pair.path}")
    if (vault.root / pair.source).exists():
        message = f"{pair.source} is on disk again, though its move is staged"
        yield approval_checks.fault(pair.path, message, "remove one of the two")


def _replace(vault: Vault, pairs: Sequence[_Pair], marked: Sequence[bytes]) -> None:
    done: list[tuple[_Pair, bytes]] = []
    try:
        for pair, data in zip(pairs, marked, strict=True):
            files.replace(vault.root, pair.path, data, sha256(pair.data))
            done.append((pair, data))
    except BaseException:
        for pair, data in done:
            files.replace(vault.root, pair.path, pair.data, sha256(data))
        raise


def _move(pair: _Pair) -> Move:
    stem = pair.path.rpartition("/")[2].removesuffix(".md")
    candidate = layout.record_id(pair.source)
    return Move(candidate, pair.source, pair.path, stem, sha256(pair.data), finished=False)
