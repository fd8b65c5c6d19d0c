"""Approving: a candidate whose bytes were reviewed becomes a record, by a move.

Only the user approves. What was reviewed are the bytes at HEAD, named by their digest, and those
bytes come out of the record again when its three `reviewed_*` lines are taken away. All of a list
are approved, or none.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import NamedTuple

from doll.errors import ConflictError, DollError, Problem
from doll.records import times
from doll.records.digest import sha256
from doll.records.model import Record
from doll.render.review_values import Approved, Move
from doll.services.committing import require_committable
from doll.services.identity import require_identity
from doll.services.opening import Vault
from doll.services.putting_back import not_back, put_back
from doll.services.reading import referring
from doll.services.recording.authorship import Author, require_user
from doll.services.reviewing import approval_checks, candidates, interrupted
from doll.services.reviewing.approval_checks import Ready
from doll.services.reviewing.marking import Signature, whole
from doll.services.reviewing.tracking import track
from doll.services.staged_texts import refuse_staged_text
from doll.services.uncommitted import refuse_left_out
from doll.services.writer import writing
from doll.vault import files
from doll.vault.entries import parse_file


class Want(NamedTuple):
    """One candidate to approve: its id or path, and the digest of the bytes that were reviewed.

    `line` is the line of the list that asks for it, 0 for none.
    """

    name: str
    digest: str
    line: int = 0


class Reviewer(NamedTuple):
    """Who reviews, and when (an aware datetime)."""

    author: Author
    now: datetime
    commit: bool = False


def approve(vault: Vault, wants: Sequence[Want], reviewer: Reviewer) -> Approved:
    """Approve these candidates, all or none, and stage both sides of each move.

    Raises UsageError (no such candidate), ConflictError with every reason why not, BusyError,
    GitError when staging or committing failed: then nothing was changed.
    """
    identity = require_reviewer(vault, reviewer)
    with writing(vault), _resumed(vault, wants):
        entries = vault.load(["staging"]).entries
        wanted = [(want, candidates.find(vault, entries, want.name).path) for want in wants]
        asked = [(path, want.digest) for want, path in wanted]
        refuse_staged_text(vault, [path for path, _ in asked])
        signature = Signature(identity, whole(reviewer.now))
        ready, faults = approval_checks.check(vault, asked, signature)
        if faults:
            raise refusal(faults, len(wanted))
        refuse_staged_text(vault, [each.path for each in ready])
        if reviewer.commit:
            refuse_left_out(vault, referring.load(vault), list(map(_record, ready)))
        undo = _move(vault, ready)
        done = Approved(tuple(map(_made, ready)), identity, times.render(signature.moment))
        return track(vault, done, undo, commit=reviewer.commit)


@contextmanager
def _resumed(vault: Vault, wants: Sequence[Want]) -> Iterator[None]:
    """Put back what an approval of several took away before it was interrupted, to finish it.

    Where that does not come about, it is as it was.
    """
    asked = [(want.name.removeprefix("./"), want.digest) for want in wants]
    away = interrupted.taken_away(vault, vault.load(["staging"]).entries, asked)
    for path, data in away:
        files.create(vault.root, path, data)
    try:
        yield
    except BaseException:
        for path, data in away:
            with suppress(DollError):
                files.remove(vault.root, path, sha256(data))
        raise


def require_reviewer(vault: Vault, reviewer: Reviewer) -> str:
    """Return the identity of the reviewer; ConflictError for a model, or for nobody.

    Also where it is to be committed, and git cannot commit now.
    """
    require_user(
        reviewer.author, "approve a candidate", "tell the user: doll review    shows what waits"
    )
    required = require_committable if reviewer.commit else require_identity
    return required(vault.repository)


def refusal(faults: Sequence[Problem], wanted: int) -> ConflictError:
    """Return the error for candidates that cannot be approved."""
    if wanted == 1 and len(faults) == 1:
        fault = faults[0]
        reason = f"line {fault.line}: {fault.message}" if fault.line else fault.message
        return ConflictError(
            f"{fault.path} is not approved: {reason}; nothing was changed", hint=fault.hint
        )
    reasons = sorted(set(faults))
    if wanted == 1:
        message = f"{faults[0].path} is not approved, for {len(reasons)} reasons"
    else:
        paths = {fault.path for fault in faults}
        message = f"{len(paths)} of {wanted} cannot be approved, so none was"
    return ConflictError(f"{message}; nothing was changed", problems=reasons)


def _record(ready: Ready) -> Record:
    """Return the record that a candidate becomes."""
    record, _ = parse_file(ready.marked, ready.path)
    assert record is not None, "what cannot be read is not approved"
    return record


def _made(ready: Ready) -> Move:
    return Move(
        ready.record.id,
        ready.record.path,
        ready.path,
        candidates.stem_of(ready.record),
        ready.digest,
        ready.finished,
    )


def _move(vault: Vault, ready: Sequence[Ready]) -> Callable[[], None]:
    """Write every record, then remove every candidate; undo all of it when one fails.

    In this order a kill in between leaves both, and the next approval finishes the move. Returns
    what undoes it: it raises StorageError where a candidate cannot be put back, as on a full disk;
    then its record stays, so that its text is not gone.
    """
    created: list[Ready] = []
    removed: list[Ready] = []

    def undo() -> None:
        gone = put_back(vault, [(each.record.path, each.data) for each in removed])
        for each in created:
            if each.record.path not in gone:
                with suppress(DollError):
                    files.remove(vault.root, each.path, sha256(each.marked))
        if gone:
            raise not_back(vault, gone, "what they became stands in its place, not committed")

    try:
        for each in ready:
            if not each.finished:
                files.create(vault.root, each.path, each.marked)
                created.append(each)
        for each in ready:
            files.remove(vault.root, each.record.path, each.digest)
            removed.append(each)
    except BaseException:
        undo()
        raise
    return undo
