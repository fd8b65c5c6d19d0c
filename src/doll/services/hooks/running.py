"""What a git hook runs before a commit: preflight on the staged paths, validate on the vault's own.

A hook never stops git because doll could not look, unless `git config doll.strict` says so.
Source: design, section 4. `messages` and `pushing` are the hooks for those.
"""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from doll.errors import DollError, GitError, Problem, errors_in
from doll.preflight import Inputs, Report, Request, evaluate, stops_commit
from doll.records import times
from doll.records.names import fold
from doll.services.gating import Ground, judge, left_out, look, ruling
from doll.services.opening import Place, Vault, open_accepted
from doll.services.ranging import Span
from doll.vault.layout import MARKER, is_record
from doll.vcs import plumbing

_STRICT = "doll.strict"
_NAMING = "doll hooks install --vault PATH    names the vault"
MEND_STRICT = f"git config {_STRICT} true"


class HookOutcome(NamedTuple):
    """What the hook says: why nothing was checked, problems of vault files, the reports.

    `stop`: git must not go on; `strict`: since nothing was checked, and doll.strict is set.
    """

    not_checked: str = ""
    hint: str = ""
    problems: tuple[Problem, ...] = ()
    reports: tuple[Report, ...] = ()
    stop: bool = False
    strict: bool = False


class Setting(NamedTuple):
    """Where a hook runs, and what git's configuration says to it.

    `vault` is `doll.vault` as it is written; `strict` is the boolean `doll.strict`, and `fault`
    what is wrong with it ("": nothing), which `MEND_STRICT` mends.
    """

    cwd: Path
    repository: plumbing.Repository
    project: str | None
    vault: str | None
    vault_id: str | None
    strict: bool
    fault: str


def setting(cwd: Path, deadline: float | None = None) -> Setting:
    """Return where a hook runs; GitError when git cannot say it.

    `deadline` is the moment by which git has to answer all that is asked of it.
    """
    repository = plumbing.find(cwd, own=True, deadline=deadline)
    if repository is None:
        raise GitError(f"{cwd} lies in no git repository")
    found = plumbing.config_section(repository, "doll")
    strict, fault = strictness(repository) if "strict" in found else (False, "")
    # An empty project is a wrong one, and said.
    project, vault_id = found.get("project"), found.get("vaultid") or None
    return Setting(cwd, repository, project, found.get("vault") or None, vault_id, strict, fault)


def strictness(repository: plumbing.Repository) -> tuple[bool, str]:
    """Return the boolean `doll.strict`, and what is wrong with it: then it counts as true."""
    try:
        return plumbing.config_flag(repository, _STRICT), ""
    except GitError:
        value = plumbing.config(repository, _STRICT)
    said = f"git config {_STRICT} is {value!a}, neither true nor false, and counts as true"
    return True, said


def run_pre_commit(
    where: Setting, environment: str | None, now: datetime, *, merging: bool = False
) -> HookOutcome:
    """Answer for the commit that is about to be made; `merging`: git makes a merge by itself.

    `environment` is DOLL_VAULT, which has no say where the hook has a vault pinned. A vault that
    cannot be used raises nothing: that is not checked, and said. GitError when the index cannot be
    read.
    """
    changes = plumbing.staged(where.repository, plumbing.head_found(where.repository))
    if not changes:
        return HookOutcome()
    try:
        vault = opened(where, environment)
        return _answer(vault, where, split(vault, where, changes), now, merging=merging)
    except DollError as error:
        return unchecked(error, strict=where.strict)


def opened(where: Setting, environment: str | None) -> Vault:
    """Return the vault that a hook is about; NoVaultError and GitError as for any opening."""
    return open_accepted(place_of(where, environment))


def place_of(where: Setting, environment: str | None) -> Place:
    """Return where a hook looks for its vault."""
    chosen = None if where.vault else environment
    # git alone knows what `~` and `%(prefix)` stand for.
    plain = where.vault if where.vault and where.vault[0] not in "~%" else None
    return Place(None, chosen, where.cwd, True, where.repository, plain, _NAMING)


def unready(where: Setting, environment: str | None, now: datetime) -> tuple[Problem, ...]:
    """Return why a commit here would not be checked; nothing where it would be. Writes nothing."""
    try:
        vault = opened(where, environment)
        vault.cache.freeze()
        ground = ground_of(vault, where)
        ruled = _Ruled(ground, ruling(vault, ground))
        report = _report(vault, ruled, where, Staged((), ()), now)
    except DollError as error:
        said = Problem("", 0, 0, "vault.unusable", error.message, hint=error.hint)
        return (said, *error.problems)
    return tuple(obstacle.problem for obstacle in report.obstacles)


def unchecked(error: DollError, *, strict: bool) -> HookOutcome:
    """Return the outcome for an operation that could not be done."""
    return HookOutcome(error.message, error.hint, error.problems, stop=strict, strict=strict)


class Staged(NamedTuple):
    """What is staged: files in the vault's folder, and paths that are not the vault's own.

    In the folder are those, too, that some file systems would put there. A path can be both, most
    of all where the vault is a whole code repository.
    """

    inside: tuple[plumbing.Change, ...]
    outside: tuple[str, ...]


def split(vault: Vault, where: Setting, changes: Sequence[plumbing.Change]) -> Staged:
    """Tell what validate looks at from what preflight does."""
    own = plumbing.same_work_tree(where.repository, vault.repository)
    folder = fold(vault.prefix)
    inside = [change for change in changes if own and fold(change.path).startswith(folder)]
    outside = (change.path for change in changes if not (own and vault.owns(change.path)))
    return Staged(tuple(inside), tuple(outside))


def _answer(
    vault: Vault, where: Setting, staged: Staged, now: datetime, *, merging: bool
) -> HookOutcome:
    """Judge vault files by validate, the others by preflight."""
    # First the rules: where time runs out over the vault's files they decide alone.
    ruled = _ruled(vault, where) if staged.outside else None
    try:
        problems = _validated(vault, merging=merging) if staged.inside else ()
    except DollError as error:
        if not isinstance(ruled, _Ruled):
            raise
        report = _alone(ruled, where, staged, now, error)
        return HookOutcome(reports=(report,), stop=stops_commit(report, strict=where.strict))
    broken = bool(errors_in(problems))
    if ruled is None:
        return HookOutcome(problems=problems, stop=broken)
    if isinstance(ruled, DollError):
        outcome = unchecked(ruled, strict=where.strict)
        return outcome._replace(
            problems=(*problems, *outcome.problems), stop=broken or where.strict
        )
    report = _report(vault, ruled, where, staged._replace(inside=()) if broken else staged, now)
    stop = broken or stops_commit(report, strict=where.strict)
    return HookOutcome(problems=problems, reports=(report,), stop=stop)


def _validated(vault: Vault, *, merging: bool) -> tuple[Problem, ...]:
    # Most commits have none of the vault's files: they do not pay for what reads them.
    from doll.services.checking import staged

    return staged.validate_staged(vault, merging=merging).problems


class _Ruled(NamedTuple):
    ground: Ground
    rules: Inputs


def _ruled(vault: Vault, where: Setting) -> _Ruled | DollError:
    """Return what is accepted and rules, or why nobody can say it."""
    try:
        ground = ground_of(vault, where)
        return _Ruled(ground, ruling(vault, ground))
    except DollError as error:
        return error


def _request(where: Setting, staged: Staged) -> Request:
    return Request(where.project, actions=(), paths=staged.outside, hook=True)


def _report(vault: Vault, ruled: _Ruled, where: Setting, staged: Staged, now: datetime) -> Report:
    """Return what preflight says about the paths that are not the vault's."""
    rules = mended(vault, ruled.rules, staged.inside)
    request, as_of = _request(where, staged), times.next_full_minute(now)
    return judge(vault, ruled.ground, rules, request, as_of).report


def _alone(
    ruled: _Ruled, where: Setting, staged: Staged, now: datetime, error: DollError
) -> Report:
    """Return what the rules say by themselves; the check of the vault's files ended early."""
    left = left_out(ruled.rules, error, "the staged files of the vault and its experience were")
    return evaluate(left, _request(where, staged), times.next_full_minute(now))


def ground_of(vault: Vault, where: Setting, span: Span | None = None) -> Ground:
    """Return what is accepted in the vault, for a range before it.

    Raises DollError where it is another vault than the hook was installed for.
    """
    ground = look(vault, span)
    if where.vault_id and ground.settings and ground.settings.id != where.vault_id:
        raise DollError(
            f"{vault.root} is another vault than the one that this hook was installed for",
            hint="doll hooks install --vault PATH    pins the vault that is meant",
        )
    return ground


def mended(vault: Vault, inputs: Inputs, inside: Sequence[plumbing.Change]) -> Inputs:
    """Let what is unreadable at HEAD and readable in this commit be said, and stop nothing."""
    staged = {vault.in_vault(change.path) for change in inside if change.status != "D"}
    mended = {path for path in staged if path and (is_record(path) or path == MARKER)}
    stops = [problem for problem in inputs.unreadable if problem.path not in mended]
    said = [problem for problem in inputs.unreadable if problem.path in mended]
    return inputs._replace(unreadable=stops, obstacles=[*inputs.obstacles, *said])
