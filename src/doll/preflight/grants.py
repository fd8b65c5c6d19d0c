"""Permissions about one capability, resolved: which of them decides a request, and how.

One order: the most specific scope decides; among equals `deny` comes before `ask`, `ask` before
`allow_once`, that before `allow`. An expired permission never counts. What is not given is tried
with every value that would make a difference, and the answer is the worst of all of them.

Pure; which code and effect a ruling has is the rule's to say. Source: docs/preflight.md.
"""

from collections.abc import Iterable, Sequence
from itertools import product
from math import prod
from typing import Literal, NamedTuple, cast

from doll.preflight.context import Context
from doll.preflight.matching import Matched, Part, match, match_scope
from doll.records.model import Permission, Record

Verdict = Literal["deny", "ask", "allow_once", "allow", "expired", "elsewhere", "missing"]

# The worst first.
_ORDER: tuple[Verdict, ...] = (
    *("missing", "deny", "expired", "elsewhere", "ask", "allow_once", "allow"),
)
_BLOCKING = {"missing", "deny", "expired"}
# A value that no record names.
_OTHER = "\0"
# With more possible requests than this, what is not given is taken for the worst.
_MOST = 2000


class Ruling(NamedTuple):
    """What the permissions come to.

    `record` decides; None where none does. `unknown` are the parts of the request that are not
    given and that the answer depends on. `elsewhere` means that there are permissions and that none
    is about this project and scope.
    """

    verdict: Verdict
    record: Record | None = None
    matched: tuple[Matched, ...] = ()
    unknown: tuple[Part, ...] = ()


class _Fit(NamedTuple):
    """A permission that applies; `level` counts the keys of its scope."""

    record: Record
    level: int
    matched: tuple[Matched, ...]

    @property
    def mode(self) -> Verdict:
        return cast("Permission", self.record.fields).mode


def rule(context: Context, permissions: Sequence[Record]) -> Ruling:
    """Return what `permissions`, all those about one capability, say of the request."""
    if not permissions:
        return Ruling("missing")
    keys, projects = _not_given(context, permissions)
    parts: tuple[Part, ...] = (*(("project",) if projects else ()), *(("scope",) if keys else ()))
    number = (len(projects) or 1) * prod(map(len, keys.values()))
    if number > _MOST:
        return Ruling("deny", permissions[0], (), parts)
    rulings = [_ruling(each, permissions) for each in _possible(context, keys, projects)]
    worst = min(rulings, key=lambda ruling: _ORDER.index(ruling.verdict))
    verdicts = {ruling.verdict for ruling in rulings}
    if len(verdicts) == 1 or verdicts <= _BLOCKING:
        return _given(worst, context)
    return _given(worst, context)._replace(unknown=parts)


def _not_given(
    context: Context, permissions: Iterable[Record]
) -> tuple[dict[str, list[str]], list[str]]:
    """Return the values to try for each key of the scope, and the projects; none for what is given.

    Each has one that no permission names.
    """
    given = {entry.partition("=")[0] for entry in context.request.scope or ()}
    keys: dict[str, list[str]] = {}
    projects: list[str] = []
    for record in permissions:
        permission = cast("Permission", record.fields)
        for entry in permission.scope:
            key, _, value = entry.partition("=")
            if key not in given and value not in keys.setdefault(key, [_OTHER]):
                keys[key].append(value)
        for name in permission.projects if context.request.project is None else ():
            found = context.resolver.resolve(name, "project").ids
            projects += [each for each in (_OTHER, *found) if each not in projects]
    return keys, projects


def _possible(
    context: Context, keys: dict[str, list[str]], projects: list[str]
) -> Iterable[Context]:
    """Yield the context of every request that this one could be."""
    request = context.request
    for project in projects or (request.project,):
        for values in product(*keys.values()):
            more = (f"{key}={value}" for key, value in zip(keys, values, strict=True))
            scope = (*(request.scope or ()), *more)
            yield context._replace(request=request._replace(project=project, scope=scope))


def _ruling(context: Context, permissions: Iterable[Record]) -> Ruling:
    """Return what decides a request of which nothing is left open."""
    fits = [fit for record in permissions if (fit := _fit(context, record))]
    live = [fit for fit in fits if not _is_expired(fit, context)]
    if not live:
        return _without(fits)
    level = max(fit.level for fit in live)
    deciding = (fit for fit in live if fit.level == level)
    first = min(deciding, key=lambda fit: (_ORDER.index(fit.mode), fit.record.path))
    return Ruling(first.mode, first.record, first.matched)


def _without(ended: Iterable[_Fit]) -> Ruling:
    """Return the ruling where no permission that still holds applies; a grant may have ended."""
    grants = [fit for fit in ended if fit.mode != "deny"]
    if not grants:
        return Ruling("elsewhere")
    first = min(grants, key=lambda fit: (-fit.level, fit.record.path))
    return Ruling("expired", first.record, first.matched)


def _is_expired(fit: _Fit, context: Context) -> bool:
    until = cast("Permission", fit.record.fields).valid_until
    return until is not None and until <= context.as_of


def _fit(context: Context, record: Record) -> _Fit | None:
    """Return how a permission applies by project and scope, None where it does not.

    One that names its project by a name of two grants nothing.
    """
    permission = cast("Permission", record.fields)
    project = match(context, ("projects", permission.projects))
    scope = match_scope(context, permission.scope)
    if project is None or scope.outcome == "none":
        return None
    if project.unknown and permission.mode in ("allow", "allow_once"):
        return None
    keys = {entry.partition("=")[0] for entry in permission.scope}
    return _Fit(record, len(keys), (*project.matched, *scope.matched))


def _given(ruling: Ruling, context: Context) -> Ruling:
    """Return a ruling without the matches of what was only tried."""
    scope = set(context.request.scope or ())
    matched = (
        each
        for each in ruling.matched
        if each.value in scope or (each.field == "projects" and context.request.project)
    )
    return ruling._replace(matched=tuple(matched))
