"""Approving: a candidate whose bytes were reviewed becomes a record, by a move.

Only the user approves. What was reviewed are the bytes at HEAD, named by their digest, and those
bytes come out of the record again when its three `reviewed_*` lines are taken away. All of a list
are approved, or none.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import NamedTuple

from doll.errors import ConflictError, DollError, GitError, Problem
from doll.records import times
from doll.records.digest import sha256
from doll.records.splice import splice
from doll.render.review_values import Approved, Move
from doll.services.checking.review_rules import before_review
from doll.services.identity import require_identity
from doll.services.opening import Vault
from doll.services.recording.authorship import Author, require_user
from doll.services.reviewing import approval_checks, candidates
from doll.services.reviewing.approval_checks import Ready
from doll.vault import files
from doll.vault.lock import writing


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


class _Signed(NamedTuple):
    """A candidate with the bytes of the record that it becomes."""

    ready: Ready
    data: bytes


def approve(vault: Vault, wants: Sequence[Want], reviewer: Reviewer) -> Approved:
    """Approve these candidates, all or none, and stage both sides of each move.

    Raises UsageError (no such candidate), ConflictError with every reason why not, BusyError: then
    nothing was changed. GitError when staging or committing failed: the move is made then, and the
    message says so.
    """
    identity = require_reviewer(vault, reviewer)
    with writing(vault.state):
        entries = vault.load(["staging"]).entries
        wanted = [(want, candidates.find(entries, want.name).path) for want in wants]
        ready, faults = approval_checks.check(vault, [(path, w.digest) for w, path in wanted])
        if faults:
            raise refusal(faults, len(wanted))
        moment = whole(reviewer.now)
        signed = [_Signed(each, mark(each.data, each.digest, identity, moment)) for each in ready]
        _move(vault, signed)
        moves = tuple(_made(each.ready) for each in signed)
        done = Approved(moves, identity, times.render(moment))
        return finish(vault, done, commit=reviewer.commit)


def require_reviewer(vault: Vault, reviewer: Reviewer) -> str:
    """Return the identity of the reviewer; ConflictError for a model, or for nobody."""
    require_user(
        reviewer.author, "approve a candidate", "tell the user: doll review shows what waits"
    )
    return require_identity(vault.repository)


def mark(data: bytes, digest: str, identity: str, moment: datetime) -> bytes:
    """Return the reviewed bytes with the three lines of the review, and every other byte kept.

    ConflictError when they would not come out again.
    """
    marked = data
    for key, value in (
        ("reviewed_by", identity),
        ("reviewed_at", moment),
        ("reviewed_sha256", digest),
    ):
        marked = splice(marked, {key: value})
    if before_review(marked) != data:
        raise ConflictError(
            "the front matter is written in a way that the review could not be taken out of again",
            hint="write its fields one on a line, commit the candidate, and review it again",
        )
    return marked


def refusal(faults: Sequence[Problem], wanted: int) -> ConflictError:
    """Return the error for candidates that cannot be approved."""
    if wanted == 1 and len(faults) == 1:
        fault = faults[0]
        return ConflictError(
            f"{fault.path} is not approved: {fault.message}; nothing was changed", hint=fault.hint
        )
    return ConflictError(
        f"{len(faults)} of {wanted} cannot be approved, so none was; nothing was changed",
        problems=sorted(faults),
    )


def finish(vault: Vault, done: Approved, *, commit: bool) -> Approved:
    """Stage both sides of the moves, and commit just them where that is wanted."""
    from doll.vcs import porcelain

    paths = [vault.in_git(path) for move in done.moves for path in (move.source, move.path)]
    try:
        porcelain.stage(vault.repository, paths)
        if not commit:
            return done
        made = porcelain.commit(vault.repository, paths, message(done.moves))
    except GitError as error:
        what = "committed" if commit else "staged"
        folders = sorted(
            {path.partition("/")[0] for m in done.moves for path in (m.source, m.path)}
        )
        raise GitError(
            f"the approval is written, and could not be {what}: {error.message}",
            hint=f"git add --all -- {' '.join(folders)}    then git commit",
        ) from error
    return done._replace(commit=made)


def message(moves: Sequence[Move]) -> str:
    """Return the commit message of approvals."""
    if len(moves) == 1:
        return f"review: approve {moves[0].candidate}"
    ids = [f"- {move.candidate}" for move in moves]
    return "\n".join([f"review: approve {len(moves)} candidates", "", *ids])


def whole(moment: datetime) -> datetime:
    """Return a moment as a review states it: UTC, whole seconds."""
    return moment.astimezone(UTC).replace(microsecond=0)


def _made(ready: Ready) -> Move:
    return Move(
        ready.record.id,
        ready.record.path,
        ready.path,
        candidates.stem_of(ready.record),
        ready.digest,
        ready.finished,
    )


def _move(vault: Vault, signed: Iterable[_Signed]) -> None:
    """Write every record, then remove every candidate; undo all of it when one fails.

    In this order a kill in between leaves both, and the next approval finishes the move.
    """
    created: list[_Signed] = []
    removed: list[_Signed] = []
    signed = list(signed)
    try:
        for each in signed:
            if not each.ready.finished:
                files.create(vault.root, each.ready.path, each.data)
                created.append(each)
        for each in signed:
            files.remove(vault.root, each.ready.record.path, each.ready.digest)
            removed.append(each)
    except BaseException:
        for each in removed:
            with suppress(DollError):
                files.create(vault.root, each.ready.record.path, each.ready.data)
        for each in created:
            with suppress(DollError):
                files.remove(vault.root, each.ready.path, sha256(each.data))
        raise
