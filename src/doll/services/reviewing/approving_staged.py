"""`approve --staged`: completes moves that the user made and staged by hand.

A move is a candidate at HEAD that is gone from the index, and a record there with the very same
bytes. Which digest was reviewed is then no question: the bytes are those at HEAD.
"""

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from doll.errors import ConflictError, DollError, Problem
from doll.records import times
from doll.records.digest import sha256
from doll.render.review_values import Approved, Move
from doll.services.opening import Vault
from doll.services.reading import referring
from doll.services.reading.referring import Known
from doll.services.reviewing import approval_checks, consequences
from doll.services.reviewing.approving import Reviewer, refusal, require_reviewer
from doll.services.reviewing.candidates import fault
from doll.services.reviewing.consequences import Arrival
from doll.services.reviewing.marking import Signature, mark, whole
from doll.services.reviewing.staged_moves import HOMES, Pair, staged_moves
from doll.services.reviewing.tracking import track
from doll.services.writer import writing
from doll.vault import files, layout
from doll.vault.entries import parse_file


def approve_staged(vault: Vault, reviewer: Reviewer) -> Approved:
    """Add the review to every staged move of a candidate, all or none, and stage it again.

    Raises ConflictError when nothing such is staged, or with every reason why not.
    """
    identity = require_reviewer(vault, reviewer)
    with writing(vault):
        pairs, faults, notes = staged_moves(vault)
        wanted = len({pair.path for pair in pairs} | {each.path for each in faults})
        known = referring.load(vault)
        for pair in pairs:
            faults += _faults(vault, known, pair)
        if not (pairs or faults):
            raise _nothing(notes)
        signature = Signature(identity, whole(reviewer.now))
        marked = [] if faults else _marked(pairs, signature, faults)
        if not faults:
            arrivals = [
                Arrival(pair.path, data, pair.path)
                for pair, data in zip(pairs, marked, strict=True)
            ]
            faults += consequences.objections(vault, known, arrivals)
        if faults:
            raise refusal(faults, wanted)
        undo = _replace(vault, pairs, marked)
        moves = tuple(map(_move, pairs))
        done = Approved(moves, identity, times.render(signature.moment), notes=notes)
        return track(vault, done, undo, commit=reviewer.commit)


def _nothing(notes: Sequence[str]) -> ConflictError:
    hint = "git mv staging/…/NAME.md confirmed/NAME.md    keeps the bytes and stages it"
    return ConflictError(
        "no move of a candidate is staged; nothing was changed", hint="\n".join([*notes, hint])
    )


def _marked(pairs: Sequence[Pair], signature: Signature, faults: list[Problem]) -> list[bytes]:
    """Return the bytes of the records; what cannot carry a review is added to `faults`."""
    marked = []
    for pair in pairs:
        try:
            marked.append(mark(pair.data, signature))
        except ConflictError as error:
            faults.append(fault(pair.path, error.message, error.hint))
    return marked


def _faults(vault: Vault, known: Known, pair: Pair) -> Iterator[Problem]:
    path, source = pair.path, pair.source
    if not path.startswith(HOMES):
        message = "a candidate never becomes authority: only the user writes that"
        yield fault(path, message, f"git mv -- {shlex.quote(path)} {shlex.quote(source)}")
        return
    moved, problems = parse_file(pair.data, path)
    if moved is None:
        yield from (problem for problem in problems if problem.severity == "error")
        return
    yield from approval_checks.content_faults(vault, moved, pair.data)
    if wrong := approval_checks.project_fault(known, moved):
        yield wrong
    others = [each.path for each in known.named(moved.id) if each.path != path]
    if others:
        hint = "git mv it to a name that is free"
        yield fault(path, f"the id {moved.id} is taken by {others[0]}", hint)
    try:
        on_disk = files.read(vault.root, path)
    except OSError as error:
        hint = f"git checkout-index -u -- {shlex.quote(path)}    where it is gone: as it is staged"
        yield fault(path, f"it cannot be read: {error.strerror}", hint)
        return
    if on_disk != pair.data:
        message = "its bytes on disk are not those that are staged"
        hint = f"git restore -- {shlex.quote(path)}    drops what is on disk"
        yield fault(path, message, hint)
    if (vault.root / source).exists():
        message = f"{source} is on disk again, though its move is staged"
        yield fault(path, message, "remove one of the two")


def _replace(vault: Vault, pairs: Sequence[Pair], marked: Sequence[bytes]) -> Callable[[], None]:
    """Write every record with its review; undo all of it when one fails. Returns what undoes it."""
    done: list[tuple[Pair, bytes]] = []

    def undo() -> None:
        for pair, data in done:
            with suppress(DollError):
                files.replace(vault.root, pair.path, pair.data, sha256(data))

    try:
        for pair, data in zip(pairs, marked, strict=True):
            files.replace(vault.root, pair.path, data, sha256(pair.data))
            done.append((pair, data))
    except BaseException:
        undo()
        raise
    return undo


def _move(pair: Pair) -> Move:
    stem = pair.path.rpartition("/")[2].removesuffix(".md")
    candidate = layout.record_id(pair.source)
    return Move(candidate, pair.source, pair.path, stem, sha256(pair.data), finished=False)
