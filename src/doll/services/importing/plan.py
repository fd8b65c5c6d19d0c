"""What becomes of each entry of a document: new, changed, unchanged, parked or refused. Pure.

An entry is what it is by source, id and digest, wherever its candidate is by now. Whatever a
record file could not give back exactly is parked; what seems to hold a secret is refused.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from doll.errors import Problem, UsageError, errors_in
from doll.interchange.base import Candidate, Decoded, Parked
from doll.records import codec
from doll.records.digest import sha256
from doll.records.model import Fields
from doll.render.import_values import Counts, Place, Refused
from doll.render.text import count
from doll.services.importing.ledger import History
from doll.services.importing.secret_scan import scan_file

Progress = Callable[[str, int, int], None]

_NAMED = 20


class Written(NamedTuple):
    """A candidate's file: what is in it, and the false alarms that were declared for it."""

    candidate: Candidate
    data: bytes
    digest: str
    updates: str
    declared: tuple[Place, ...]


class Plan(NamedTuple):
    """What would be written, and what not.

    `repeated` counts the entries that stand in the document a second time: they change nothing.
    """

    written: tuple[Written, ...]
    unchanged: tuple[Candidate, ...]
    parked: tuple[Parked, ...]
    refused: tuple[Refused, ...]
    repeated: int = 0

    @property
    def counts(self) -> Counts:
        """How many entries are what."""
        changed = sum(1 for each in self.written if each.updates)
        return Counts(
            new=len(self.written) - changed,
            changed=changed,
            unchanged=len(self.unchanged) + self.repeated,
            parked=len(self.parked),
            refused=len(self.refused),
        )


class Rules(NamedTuple):
    """What decides: the history of the source, and what was found in the document.

    `places` are the hits of each candidate by its index; `declared` are those that are no secret.
    `dropped` are the stems that are to come back though they were met before.
    """

    history: History
    places: Mapping[int, Sequence[Place]]
    declared: frozenset[Place]
    dropped: Container[str]


def make(decoded: Decoded, rules: Rules, progress: Progress) -> Plan:
    """Return what becomes of the entries of `decoded`."""
    written, unchanged, refused = [], [], []
    parked = list(decoded.parked)
    total = len(decoded.candidates)
    for index, candidate in enumerate(decoded.candidates):
        if index % 500 == 0:
            progress("checking", index, total)
        known = rules.history.staged(candidate.source_id, candidate.entry_digest)
        if known and not any(line.stem in rules.dropped for line in known):
            unchanged.append(candidate)
            continue
        found = rules.places.get(index, ())
        secret = [place for place in found if place not in rules.declared]
        if secret:
            refused.append(_refused(candidate, secret))
            continue
        # What is brought back updates what it updated; anything new updates the newest.
        updates = known[-1].updates if known else rules.history.newest(candidate.source_id)
        made = _written(candidate, updates, tuple(dict.fromkeys(found)), rules.declared)
        if isinstance(made, Parked):
            parked.append(made)
        elif isinstance(made, Refused):
            refused.append(made)
        else:
            written.append(made)
    progress("checking", total, total)
    entries = (tuple(written), tuple(unchanged), tuple(parked), tuple(refused))
    return Plan(*entries, decoded.repeated)


def _written(
    candidate: Candidate, updates: str, here: tuple[Place, ...], declared: frozenset[Place]
) -> Written | Parked | Refused:
    fields = candidate.fields
    if updates:
        fields = msgspec.structs.replace(fields, updates=updates)
    try:
        data = codec.render(fields, candidate.body)
    except UsageError:  # text that UTF-8 cannot hold
        reason = "it holds half of a surrogate pair, which is no Unicode text"
        return _parked(candidate, "text.surrogate", reason)
    if fault := _fault(fields, candidate.body, data):
        return _parked(candidate, *fault)
    allowed = {place.detector for place in here}
    more = [p for p in scan_file(data.decode(), candidate.pointer) if p.detector not in allowed]
    if secret := [place for place in more if place not in declared]:
        return _refused(candidate, secret)
    return Written(candidate, data, sha256(data), updates, (*here, *more))


def _fault(fields: Fields, body: str, data: bytes) -> tuple[str, str] | None:
    """Return why the file would not give back just these fields and this body, or None."""
    parsed = codec.parse(data, "", "candidate", None)
    errors = errors_in(parsed.problems)
    if errors:
        return errors[0].code, f"as a record it could not be read: {errors[0].message}"
    assert parsed.record is not None
    if parsed.body != body or _plain(parsed.record.fields) != _plain(fields):
        return "candidate.not_exact", "as a record it would not read back exactly"
    return None


def _plain(fields: Fields) -> Fields:
    return msgspec.structs.replace(fields, schema=None)


def _parked(candidate: Candidate, code: str, reason: str) -> Parked:
    return Parked(candidate.pointer, candidate.source_id, code, reason, candidate.entry_digest)


def _refused(candidate: Candidate, places: Iterable[Place]) -> Refused:
    found = tuple(dict.fromkeys(places))
    return Refused(candidate.pointer, candidate.source_id, candidate.entry_digest, found)


def conflicts(plan: Plan, file: str) -> Iterator[Problem]:
    """Yield a warning for each entry of a log whose id was met before with another content.

    A memory changes; what happened does not. Both are kept.
    """
    found = [each for each in plan.written if each.updates and each.candidate.type == "experience"]
    for each in found[:_NAMED]:
        message = f"its id was met before with another content, as {each.updates}; both stay"
        hint = f"compare them: doll review show {each.candidate.stem}"
        where = each.candidate.pointer
        yield Problem(file, 0, 0, "import.id_conflict", message, "warning", hint, where)
    if len(found) > _NAMED:
        message = f"+{len(found) - _NAMED:,} more ids were met before with another content"
        yield Problem(file, 0, 0, "import.id_conflict", message, "warning")


def doubts(plan: Plan, decoded: Decoded, file: str) -> Iterator[Problem]:
    """Yield a warning where a source that only its name tells may be another one of that name.

    It brings later versions of what was met, and nothing that is as it was.
    """
    changed = plan.counts.changed
    if decoded.by_name and changed and not plan.unchanged:
        what = count(changed, "entry has the place", "entries have the places")
        message = f"{what} of earlier ones under this key, and nothing is as it was"
        hint = "are these others? then give them a key of their own: --source KEY"
        yield Problem(file, 0, 0, "import.same_key", message, "warning", hint)


def all_places(plan: Plan) -> Iterator[Place]:
    """Yield every hit that the plan knows: refused ones, and those declared to be no secret."""
    for refused in plan.refused:
        yield from refused.places
    for written in plan.written:
        yield from written.declared
