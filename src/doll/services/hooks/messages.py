"""What the commit-msg hook runs: preflight on what the message adds to the staged paths.

And whether it says what a redaction has to. The pre-commit hook has said by now what the paths
alone mean; here only the rest is said.
"""

from datetime import datetime

from doll.errors import DollError, Problem
from doll.preflight import Inputs, Report, Request, evaluate, stops_commit
from doll.preflight.report import status_of
from doll.preflight.request import MESSAGE
from doll.preflight.unknown_actions import CODE as UNKNOWN_ACTION
from doll.records import times
from doll.services.gating import judge, ruling
from doll.services.hooks.redactions import may_redact, redaction_problems
from doll.services.hooks.running import (
    HookOutcome,
    Setting,
    ground_of,
    mended,
    opened,
    split,
    unchecked,
)
from doll.services.hooks.trailers import Wanted, wanted
from doll.services.opening import Vault
from doll.vcs import plumbing


def run_commit_msg(
    where: Setting, environment: str | None, message: bytes, now: datetime
) -> HookOutcome:
    """Answer for the commit whose message this is.

    As `running.run_pre_commit`; GitError when git cannot read the message or the index.
    """
    asked = wanted(where.repository, message)
    changes = plumbing.staged(where.repository, plumbing.head_found(where.repository))
    if asked.is_nothing and not may_redact(changes):
        return HookOutcome()
    try:
        vault = opened(where, environment)
        unsaid = _unsaid(vault, where, changes, asked)
        if asked.is_nothing or unsaid:
            return HookOutcome(problems=unsaid, stop=bool(unsaid))
        return _answer(vault, where, changes, asked, now)
    except DollError as error:
        return unchecked(error, strict=where.strict)


def _unsaid(
    vault: Vault, where: Setting, changes: tuple[plumbing.Change, ...], asked: Wanted
) -> tuple[Problem, ...]:
    """Return what the message lacks for a redaction that is staged."""
    if not may_redact(changes):
        return ()
    inside = split(vault, where, changes).inside
    return tuple(redaction_problems(vault, inside, asked.trailers))


def _answer(
    vault: Vault,
    where: Setting,
    changes: tuple[plumbing.Change, ...],
    asked: Wanted,
    now: datetime,
) -> HookOutcome:
    staged = split(vault, where, changes)
    ground = ground_of(vault, where)
    rules = mended(vault, ruling(vault, ground), staged.inside)
    rules = rules._replace(obstacles=[*rules.obstacles, *asked.faults])
    plain = Request(where.project, actions=(), paths=staged.outside, hook=True)
    full = plain._replace(actions=asked.actions, work_item=asked.work_item)
    judged = judge(vault, ground, rules, full, times.next_full_minute(now))
    report = judged.report
    stop = stops_commit(report, strict=where.strict)
    if staged.outside:
        report = _added(report, judged.inputs, plain, asked, strict=where.strict)
    return HookOutcome(problems=_unknown(report), reports=(report,), stop=stop)


def _added(
    report: Report, inputs: Inputs, plain: Request, asked: Wanted, *, strict: bool
) -> Report:
    """Return the report without what the paths alone come to; whole where that stops by itself."""
    rest = inputs._replace(obstacles=[p for p in inputs.obstacles if p not in asked.faults])
    before = evaluate(rest, plain, report.as_of)
    if stops_commit(before, strict=strict):
        return report
    findings = tuple(each for each in report.findings if each not in before.findings)
    obstacles = tuple(each for each in report.obstacles if each not in before.obstacles)
    return report._replace(
        findings=findings, obstacles=obstacles, status=status_of(findings, obstacles)
    )


def _unknown(report: Report) -> tuple[Problem, ...]:
    """Return the actions that nothing knows, where the report has nothing else to say."""
    if report.findings or report.obstacles:
        return ()
    said = (note.message for note in report.notes if note.code == UNKNOWN_ACTION)
    hint = "`doll list --type capability` shows what is registered"
    return tuple(
        Problem(MESSAGE, 0, 0, UNKNOWN_ACTION, message, "warning", hint) for message in said
    )
