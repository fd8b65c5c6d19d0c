"""What failed before: what preflight finds directly relevant, and what the task recalls.

Only committed entries, and only those that no committed entry may replace; each with the entries
that resolve it. History is no authority: an entry says who asserts it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, cast

from doll.preflight import Finding
from doll.preflight.strength import assertion_of
from doll.records.model import Experience, Record
from doll.render.context_values import Settling
from doll.render.recall_values import Hit
from doll.services.packing.asked import Asked, Tally, best, shows
from doll.services.packing.authority import matched_words
from doll.services.packing.candidates import (
    Bounds,
    Candidate,
    candidate,
    moment,
    recalled,
    source_of,
)
from doll.services.packing.ground import Ground
from doll.services.packing.quoting import quote

_PRIOR = "experience.prior_failure."


class _Found(NamedTuple):
    """A failure with its finding, its hit, or both."""

    record: Record
    finding: Finding | None
    hit: Hit | None


class _History(NamedTuple):
    """Entries by path: as they are committed, and as the work tree has them where it differs."""

    accepted: Mapping[str, Record]
    pending: Mapping[str, Record]

    @classmethod
    def of(cls, ground: Ground) -> "_History":
        """Return the entries that preflight was given."""
        entries = ground.judged.inputs.experience
        accepted = {each.record.path: each.record for each in entries if each.committed}
        return cls(accepted, {e.record.path: e.record for e in entries if not e.committed})


def failures(
    ground: Ground, hits: Sequence[Hit], asked: Asked, bounds: Bounds, tally: Tally
) -> Iterator[Candidate]:
    """Yield the failures that may be shown, first those that match an action or a path."""
    found = [
        each for each in _found(ground, hits, asked, tally) if shows(asked, each.record, tally)
    ]
    chosen = best(found, tally)
    records = [record for each in chosen for record in _with_resolutions(ground, each.record)]
    bodies = ground.bodies({record.path: record for record in records}.values())
    for each in chosen:
        record = each.record
        said = cast("Experience", record.fields)
        facts = {
            "project": "" if _is_the_project(ground, record) else said.project,
            "kind": said.kind,
            "at": moment(said.at)[:10],
            "assertion": assertion_of(record),
        }
        settled = tuple(
            _settling(other, bodies[other.path], asked, bounds)
            for other in ground.history.resolutions(record)
        )
        score = each.hit.score if each.hit else 0
        body, why = bodies[record.path], _why(each)
        yield candidate("failures", record, body, bounds, facts, why, settled=settled, score=score)


def _found(ground: Ground, hits: Sequence[Hit], asked: Asked, tally: Tally) -> list[_Found]:
    """Return the failures in their order: those that match, the recalled, the project's own."""
    history = _History.of(ground)
    named = {each.path: each for each in _findings(ground, history, asked, tally)}
    recalled = {hit.path: hit for hit in _recalled(ground, hits, history, asked, tally)}
    targeted = [path for path, finding in named.items() if _targets(finding)]
    return [
        _Found(history.accepted[path], named.get(path), recalled.get(path))
        for path in dict.fromkeys((*targeted, *recalled, *named))
    ]


def _findings(ground: Ground, history: "_History", asked: Asked, tally: Tally) -> Iterator[Finding]:
    """Yield what preflight warns of, as committed, in the order of its report."""
    for finding in ground.report.findings:
        if not finding.code.startswith(_PRIOR):
            continue
        if finding.committed:
            yield finding
        elif shows(asked, history.pending[finding.path], tally):
            tally.add("not_committed", finding.record)


def _recalled(
    ground: Ground, hits: Sequence[Hit], history: "_History", asked: Asked, tally: Tally
) -> Iterator[Hit]:
    """Yield the hits that are accepted failures of the project, or of any without one.

    What the work tree alone changes or supersedes still holds.
    """
    for hit in hits:
        record = history.accepted.get(hit.path)
        if record is None:
            pending = history.pending.get(hit.path)
            if pending is None:
                tally.count("other_project")
            elif shows(asked, pending, tally):
                tally.add("not_committed", hit.id)
        elif ground.project is not None and not _is_the_project(ground, record):
            tally.count("other_project")
        elif ground.history.is_superseded(record):
            if shows(asked, record, tally):
                tally.add("superseded", hit.id)
        elif cast("Experience", record.fields).outcome == "failed":
            yield hit


def _targets(finding: Finding) -> bool:
    return any(matched.field != "project" for matched in finding.matched_on)


def _is_the_project(ground: Ground, record: Record) -> bool:
    project = ground.named_project(cast("Experience", record.fields).project)
    return project is not None and project == ground.project


def _with_resolutions(ground: Ground, record: Record) -> Iterator[Record]:
    yield record
    yield from ground.history.resolutions(record)


def _settling(record: Record, body: str, asked: Asked, bounds: Bounds) -> Settling:
    assertion = assertion_of(record)
    if not asked.may_show(record.fields.sensitivity):
        return Settling(None, assertion, None)
    said = quote(record, body, bounds.terms, bounds.limit // 4)
    return Settling(source_of(record), assertion, said)


def _why(found: _Found) -> list[str]:
    why = []
    if found.finding is not None:
        matched = [m for m in found.finding.matched_on if m.field != "project"]
        why += [matched_words(each) for each in matched] or ["failed before in the project"]
    if found.hit is not None:
        why.append(recalled(found.hit))
    return why
