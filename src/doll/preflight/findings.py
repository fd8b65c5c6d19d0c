"""Findings: one thing that preflight says about a request, and what a match is worth.

Owns the step from a match to an effect, the same for every rule, and the total order of findings.
"""

import shlex
from datetime import datetime
from typing import NamedTuple

from doll.preflight.codes import CODES, EFFECTS, Code, Effect
from doll.preflight.matching import Match, Matched, Part
from doll.records.model import Assertion, Origin, Record


class Settled(NamedTuple):
    """A resolution of a failure, to be shown with it. `title` is None for a secret record."""

    record: str
    path: str
    title: str | None
    assertion: Assertion


class Finding(NamedTuple):
    """One thing to say, with why and from where.

    `severity` is what it does to the status. `title` is None where the record is secret: then only
    its id is shown, and no evidence. `assertion` is None for authority, and else what the record
    says, lowered to what its origin allows. `committed` is False for experience that is only in
    the work tree. `unknown` are the parts of the request that are not given and would decide.
    `answer` is the line to type about it, and `alternative` another one or "". `trust` (0 the
    user's committed word, 1 a program's, 2 imported or a model's, 3 not committed, 4 files that
    nobody can vouch for) orders findings, so that weaker ones cannot push stronger ones out of a
    capped list.
    """

    code: str
    severity: Effect
    record: str
    path: str
    line: int
    title: str | None
    detail: str
    answer: str
    at: datetime | None = None
    assertion: Assertion | None = None
    origin: Origin = "user"
    committed: bool = True
    evidence: tuple[str, ...] = ()
    matched_on: tuple[Matched, ...] = ()
    unknown: tuple[Part, ...] = ()
    resolutions: tuple[Settled, ...] = ()
    alternative: str = ""
    trust: int = 0


class Aside(NamedTuple):
    """A finding that is only counted: `code` is the note's, `unknown` what would decide."""

    code: str
    record: str
    unknown: tuple[Part, ...] = ()


def effect_of(code: Code, record: Record, match: Match, *, hook: bool) -> Effect | Aside:
    """Return what a match is worth.

    With an unknown left a denial becomes a wish for confirmation. A warning needs to be about
    something: an unknown warns nobody, and what names no action or path is for
    `doll preflight` and not for hooks.
    """
    if code.effect == "blocked" and match.unknown:
        return "confirmation_required"
    if code.effect != "warning" or match.targeted:
        return code.effect
    if match.unknown:
        return Aside("request.not_given", record.id, match.unknown)
    return Aside("request.without_target", record.id) if hook else code.effect


def finding(
    name: str, record: Record, match: Match, key: str, detail: str, *, hook: bool
) -> Finding | Aside:
    """Return the finding of one code about an authority record, or the aside it comes to.

    `key` is the field whose line is shown, `detail` says in words what the record says.
    """
    effect = effect_of(CODES[name], record, match, hook=hook)
    if isinstance(effect, Aside):
        return effect
    return Finding(
        code=name,
        severity=effect,
        record=record.id,
        path=record.path,
        line=record.line(key),
        title=shown_title(record),
        detail=detail,
        answer=line_to_type("show", record.id),
        origin=record.fields.origin,
        matched_on=match.matched,
        unknown=match.unknown,
    )


def shown_title(record: Record) -> str | None:
    """Return the record's title, None where it is labelled secret."""
    return None if record.fields.sensitivity == "secret" else record.name


def line_to_type(command: str, *arguments: str) -> str:
    """Return a doll command as it can be pasted into a shell."""
    return shlex.join(["doll", command, *arguments])


def order(finding: Finding) -> tuple[object, ...]:
    """Return the sort key: effect, trust, newest first, then code, record, place, the rest.

    Undated findings come behind dated ones of the same effect and trust.
    """
    newest = (0, -finding.at.timestamp()) if finding.at else (1, 0.0)
    place = (finding.code, finding.record, finding.path, finding.line)
    rest = (finding.detail, finding.matched_on, finding.unknown, finding.evidence)
    return (EFFECTS.index(finding.severity), finding.trust, newest, *place, *rest)
