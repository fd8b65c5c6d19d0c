"""`evaluate`: the whole check as one function of values.

The same inputs in any order give an equal report. It reads no file, clock or environment, and
changes nothing: it surfaces what `authority/` and experience say, and invents nothing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from doll.preflight.codes import STATUSES
from doll.preflight.context import prepare
from doll.preflight.findings import Aside, Finding, order
from doll.preflight.inputs import Inputs
from doll.preflight.matching import OPTIONS, Part
from doll.preflight.report import Note, Report, capped, count_effects, status_of
from doll.preflight.request import Request
from doll.preflight.rules import RULES
from doll.preflight.unknown_actions import unknown_actions

CAP = 20


def evaluate(inputs: Inputs, request: Request, as_of: datetime, *, cap: int = CAP) -> Report:
    """Return what the accepted records and the experience say about `request` at `as_of`.

    `as_of` is an aware datetime. `cap` bounds the findings that are listed beside blockers, the
    notes, and the problems; counts always count all.
    """
    versions = [inputs, *(inputs._replace(authority=other) for other in inputs.others)]
    reports = [_evaluate(each, request, as_of, cap) for each in versions]
    return min(reports, key=lambda report: STATUSES.index(report.status))


def _evaluate(inputs: Inputs, request: Request, as_of: datetime, cap: int) -> Report:
    context, obstacles = prepare(inputs, request, as_of)
    said = [item for rule in RULES for item in rule(context)]
    findings = sorted((item for item in said if isinstance(item, Finding)), key=order)
    notes = [
        *unknown_actions(context, inputs),
        *_pending(inputs),
        *_counted(item for item in said if isinstance(item, Aside)),
    ]
    shown = capped(findings, cap)
    return Report(
        request=_as_understood(context.request, request),
        derived=context.derived,
        as_of=as_of,
        head=inputs.head,
        commit=inputs.commit,
        draft=inputs.draft,
        status=status_of(findings, obstacles),
        findings=shown,
        notes=tuple(notes[:cap]),
        obstacles=obstacles[:cap],
        counts=count_effects(findings),
        codes=dict(sorted(Counter(finding.code for finding in findings).items())),
        omitted={
            "findings": len(findings) - len(shown),
            "notes": max(len(notes) - cap, 0),
            "problems": max(len(obstacles) - cap, 0),
        },
        complete=not obstacles,
        unreadable=any(obstacle.stops for obstacle in obstacles),
    )


def _as_understood(resolved: Request, given: Request) -> Request:
    """Return the request with canonical ids, and what names no record as it was given."""
    return resolved._replace(
        project=resolved.project or given.project, work_item=resolved.work_item or given.work_item
    )


def _pending(inputs: Inputs) -> Iterator[Note]:
    for path, what, code in sorted(set(inputs.pending)):
        yield Note(code, what, path)


def _counted(asides: Iterable[Aside]) -> Iterator[Note]:
    """Yield one note per reason why warnings are only counted."""
    kinds = Counter((aside.code, aside.unknown) for aside in set(asides))
    for (code, unknown), number in sorted(kinds.items()):
        yield Note(code, _reason(number, unknown), total=number)


def _reason(number: int, unknown: Sequence[Part]) -> str:
    if not unknown:
        kind = "failure, decision or advice" if number == 1 else "failures, decisions or advice"
        return f"{number} {kind} without an action or path: `doll preflight` shows them"
    options = " and ".join(OPTIONS[part] for part in unknown)
    return f"{number} record{'s' * (number > 1)} could match what is not given: {options}"
