"""Permissions about one capability, resolved: which of them decides a request, and how.

One order: the most specific scope decides; among equals `deny` comes before `ask`, `ask` before
`allow_once`, that before `allow`. An expired permission never counts. What is not given leaves open
which permission decides, and then the answer is never better than the worst that could.

Pure; which code and effect a ruling has is the rule's to say. Source: docs/preflight.md.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Literal, NamedTuple, cast

from doll.preflight.context import Context
from doll.preflight.matching import Matched, Part, match, match_scope
from doll.records.model import Permission, Record

Verdict = Literal["deny", "ask", "allow_once", "allow", "expired", "elsewhere", "missing"]

# The strictest first.
_MODES = ("deny", "ask", "allow_once", "allow")


class Ruling(NamedTuple):
    """What the permissions come to.

    `record` decides; None where none does. `unknown` are the parts of the request that are not
    given: with them a `deny` may turn out otherwise, and whatever else may turn out to be one.
    `elsewhere` means that there are permissions and that none is about this project and scope.
    """

    verdict: Verdict
    record: Record | None = None
    matched: tuple[Matched, ...] = ()
    unknown: tuple[Part, ...] = ()


class _Fit(NamedTuple):
    """A permission that applies, or could; `level` counts the keys of its scope."""

    record: Record
    mode: Literal["deny", "ask", "allow_once", "allow"]
    level: int
    matched: tuple[Matched, ...]
    unknown: tuple[Part, ...]


def rule(context: Context, permissions: Sequence[Record]) -> Ruling:
    """Return what `permissions`, all those about one capability, say of the request."""
    if not permissions:
        return Ruling("missing")
    live = [record for record in permissions if not _is_expired(record, context.as_of)]
    fits = [fit for record in live if (fit := _fit(context, record))]
    if not fits:
        ended = [record for record in permissions if record not in live]
        return _without(fit for record in ended if (fit := _fit(context, record)))
    certain = [fit for fit in fits if not fit.unknown]
    level = max((fit.level for fit in certain), default=0)
    open_ = [fit for fit in fits if fit.unknown and fit.level >= level]
    deciding = [fit for fit in certain if fit.level == level]
    return _decided([*deciding, *open_], settled=bool(deciding))


def _decided(fits: Sequence[_Fit], *, settled: bool) -> Ruling:
    """Return the strictest of what may decide; `settled`: something does, whatever is unknown."""
    ordered = sorted(fits, key=lambda fit: (_MODES.index(fit.mode), bool(fit.unknown), -fit.level))
    worst = ordered[0]
    alike = settled and len({fit.mode for fit in fits}) == 1
    unknown = () if alike else tuple(sorted({part for fit in fits for part in fit.unknown}))
    # Whether an open permission grants is not known, so it grants nothing.
    verdict: Verdict = "ask" if unknown and worst.mode == "allow" else worst.mode
    return Ruling(verdict, worst.record, worst.matched, unknown)


def _without(ended: Iterable[_Fit]) -> Ruling:
    """Return the ruling where no permission that still holds applies; a grant may have ended."""
    grants = sorted(
        (fit for fit in ended if fit.mode != "deny"),
        key=lambda fit: (-fit.level, len(fit.unknown), fit.record.path),
    )
    if not grants:
        return Ruling("elsewhere")
    return Ruling("expired", grants[0].record, grants[0].matched, grants[0].unknown)


def _is_expired(record: Record, as_of: datetime) -> bool:
    until = cast("Permission", record.fields).valid_until
    return until is not None and until <= as_of


def _fit(context: Context, record: Record) -> _Fit | None:
    """Return how a permission applies by project and scope, None where it does not."""
    permission = cast("Permission", record.fields)
    project = match(context, ("projects", permission.projects))
    if project is None:
        return None
    scope = match_scope(context, permission.scope)
    if scope.outcome == "none":
        return None
    unknown: tuple[Part, ...] = ("scope",) if scope.outcome == "unknown" else ()
    keys = {entry.partition("=")[0] for entry in permission.scope}
    return _Fit(
        record,
        permission.mode,
        len(keys),
        (*project.matched, *scope.matched),
        (*project.unknown, *unknown),
    )
