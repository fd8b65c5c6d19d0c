"""The report: what a check comes to, and the same as plain data for `--json`.

Owns status, caps and counts. Whatever it says, it authorizes nothing.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Literal, NamedTuple

from doll.preflight.codes import Effect, Status
from doll.preflight.context import Obstacle
from doll.preflight.findings import Finding
from doll.preflight.request import Request


class Note(NamedTuple):
    """Something to know that changes no status; `total` is how many it stands for."""

    code: str
    message: str
    path: str = ""
    total: int = 1


class Report(NamedTuple):
    """The answer to one request at one moment.

    `request` holds canonical ids (what names no record, as it was given), and `derived` those of
    its actions that the path → action map gave. `findings`, `notes` and `obstacles` are in
    documented order and may be cut short: then `omitted` says how many more there are of each, and
    `counts` and `codes` count all findings by effect and by code. `complete` is False where
    anything stands in the way of a whole answer, `unreadable` True where that is authority which
    nobody can read or understand and which can concern the project. `head` is the vault's HEAD and
    `commit` the accepted commit.
    """

    request: Request
    derived: tuple[str, ...]
    as_of: datetime
    head: str | None
    commit: str | None
    draft: bool
    status: Status
    findings: tuple[Finding, ...]
    notes: tuple[Note, ...]
    obstacles: tuple[Obstacle, ...]
    counts: Mapping[Effect, int]
    codes: Mapping[str, int]
    omitted: Mapping[Literal["findings", "notes", "problems"], int]
    complete: bool
    unreadable: bool

    @property
    def authorizes(self) -> Literal[False]:
        """Always False: what performs the action decides, not doll."""
        return False


def status_of(findings: Iterable[Finding], obstacles: Sequence[Obstacle]) -> Status:
    """Return the first that holds: blocked, not_checked, confirmation_required, warning, clear."""
    effects = {finding.severity for finding in findings}
    if "blocked" in effects:
        return "blocked"
    if obstacles:
        return "not_checked"
    if "confirmation_required" in effects:
        return "confirmation_required"
    return "warning" if "warning" in effects else "clear"


def capped(findings: Sequence[Finding], cap: int) -> tuple[Finding, ...]:
    """Return all blockers and the first `cap` of the other findings, which are in order."""
    blockers = [finding for finding in findings if finding.severity == "blocked"]
    return (*blockers, *findings[len(blockers) :][:cap])


def count_effects(findings: Iterable[Finding]) -> Mapping[Effect, int]:
    """Return how many findings there are of each effect, none left out."""
    counted = Counter(finding.severity for finding in findings)
    return {effect: counted[effect] for effect in ("blocked", "confirmation_required", "warning")}


def stops_commit(report: Report, *, strict: bool) -> bool:
    """Return whether a git hook must stop; `strict` is the boolean `git config doll.strict`.

    A block stops, and so does authority that cannot be read or understood and can concern the
    project. Whatever else is not checked, and a wish for confirmation, is printed and stops only
    where the user wants it strict.
    """
    if report.status == "blocked" or report.unreadable:
        return True
    return strict and report.status in ("not_checked", "confirmation_required")
