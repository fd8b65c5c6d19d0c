"""What a git hook runs: preflight on the staged paths, and validate in the vault's own repository.

A hook never stops a commit because doll could not look, unless `git config doll.strict` says so.
Source: design, section 4.
"""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from doll.errors import DollError, GitError, Problem, errors_in
from doll.preflight import Inputs, Report, Request, evaluate, stops_commit
from doll.records import times
from doll.services.checking.work_tree import validate_staged
from doll.services.gating import judge, left_out, look, ruling
from doll.services.opening import Place, Vault, open_accepted
from doll.vault.layout import MARKER, is_record
from doll.vcs import plumbing

_STRICT = "doll.strict"
MEND_STRICT = f"git config {_STRICT} true"


class HookOutcome(NamedTuple):
    """What the hook says: why nothing was checked, problems of staged vault files, the report.

    `stop`: the commit must not go on; `strict`: since nothing was checked, and doll.strict is set.
    """

    not_checked: str = ""
    hint: str = ""
    problems: tuple[Problem, ...] = ()
    report: Report | None = None
    stop: bool = False
    strict: bool = False


class Setting(NamedTuple):
    """Where a hook runs, and what git's configuration says to it.

    `pinned` says that `doll.vault` is set; `strict` is the boolean `doll.strict`, and `fault` what
    is wrong with it ("": nothing), which `MEND_STRICT` mends.
    """

    cwd: Path
    repository: plumbing.Repository
    project: str | None
    pinned: bool
    vault_id: str | None
    strict: bool
    fault: str


def setting(cwd: Path) -> Setting:
    """Return where a hook runs; GitError when git cannot say it."""
    repository = plumbing.find(cwd, own=True)
    if repository is None:
        raise GitError(f"{cwd} lies in no git repository")
    found = plumbing.config_section(repository, "doll")
    strict, fault = strictness(repository) if "strict" in found else (False, "")
    project, vault_id = found.get("project") or None, found.get("vaultid") or None
    return Setting(cwd, repository, project, bool(found.get("vault")), vault_id, strict, fault)


def strictness(repository: plumbing.Repository) -> tuple[bool, str]:
    """Return the boolean `doll.strict`, and what is wrong with it: then it counts as true."""
    try:
        return plumbing.config_flag(repository, _STRICT), ""
    except GitError:
        value = plumbing.config(repository, _STRICT)
    said = f"git config {_STRICT} is {value!a}, neither true nor false, and counts as true"
    return True, said


def run_pre_commit(where: Setting, environment: str | None, now: datetime) -> HookOutcome:
    """Answer for the commit that is about to be made.

    `environment` is DOLL_VAULT, which has no say where the hook has a vault pinned. A vault that
    cannot be used raises nothing: that is not checked, and said. GitError when the index cannot be
    read.
    """
    changes = plumbing.staged(where.repository, plumbing.head(where.repository))
    if not changes:
        return HookOutcome()
    chosen = None if where.pinned else environment
    try:
        vault = open_accepted(Place(None, chosen, where.cwd, tied=True, here=where.repository))
        return _answer(vault, where, changes, now)
    except DollError as error:
        return unchecked(error, strict=where.strict)


def unready(where: Setting, environment: str | None, now: datetime) -> tuple[Problem, ...]:
    """Return why a commit here would not be checked; nothing where it would be."""
    chosen = None if where.pinned else environment
    try:
        vault = open_accepted(Place(None, chosen, where.cwd, tied=True, here=where.repository))
        report = _report(vault, where, (), (), now)
    except DollError as error:
        said = Problem("", 0, 0, "vault.unusable", error.message, hint=error.hint)
        return (said, *error.problems)
    return tuple(obstacle.problem for obstacle in report.obstacles)


def unchecked(error: DollError, *, strict: bool) -> HookOutcome:
    """Return the outcome for an operation that could not be done."""
    return HookOutcome(error.message, error.hint, error.problems, stop=strict, strict=strict)


def _answer(
    vault: Vault, where: Setting, changes: Sequence[plumbing.Change], now: datetime
) -> HookOutcome:
    """Judge vault files by validate, the others by preflight."""
    own = plumbing.same_work_tree(where.repository, vault.repository)
    inside = [change for change in changes if own and vault.in_vault(change.path) is not None]
    paths = {change.path for change in inside}
    outside = tuple(change.path for change in changes if change.path not in paths)
    try:
        problems = validate_staged(vault).problems if inside else ()
    except DollError as error:
        if not outside:
            raise
        report = _report(vault, where, outside, (), now, left=error)
        return HookOutcome(report=report, stop=stops_commit(report, strict=where.strict))
    broken = bool(errors_in(problems))
    if not outside:
        return HookOutcome(problems=problems, stop=broken)
    try:
        report = _report(vault, where, outside, [] if broken else inside, now)
    except DollError as error:
        outcome = unchecked(error, strict=where.strict)
        return outcome._replace(
            problems=(*problems, *outcome.problems), stop=broken or where.strict
        )
    stop = broken or stops_commit(report, strict=where.strict)
    return HookOutcome(problems=problems, report=report, stop=stop)


def _report(
    vault: Vault,
    where: Setting,
    paths: tuple[str, ...],
    inside: Sequence[plumbing.Change],
    now: datetime,
    left: DollError | None = None,
) -> Report:
    """Return what preflight says about `paths`; `inside` are the vault's files of this commit.

    Where `left` has ended the check of those files early, the accepted rules decide alone.
    """
    ground = look(vault)
    if where.vault_id and ground.settings and ground.settings.id != where.vault_id:
        raise DollError(
            f"{vault.root} is another vault than the one that this hook was installed for",
            hint="doll hooks install --vault PATH    pins the vault that is meant",
        )
    request = Request(where.project, actions=(), paths=paths, hook=True)
    rules = _mended(vault, ruling(vault, ground), inside)
    if left is not None:
        what = "the staged files of the vault and its experience were"
        return evaluate(left_out(rules, left, what), request, times.next_full_minute(now))
    return judge(vault, ground, rules, request, times.next_full_minute(now)).report


def _mended(vault: Vault, inputs: Inputs, inside: Sequence[plumbing.Change]) -> Inputs:
    """Let what is unreadable at HEAD and readable in this commit be said, and stop nothing."""
    staged = {vault.in_vault(change.path) for change in inside if change.status != "D"}
    mended = {path for path in staged if path and (is_record(path) or path == MARKER)}
    stops = [problem for problem in inputs.unreadable if problem.path not in mended]
    said = [problem for problem in inputs.unreadable if problem.path in mended]
    return inputs._replace(unreadable=stops, obstacles=[*inputs.obstacles, *said])
