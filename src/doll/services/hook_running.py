"""What a git hook runs: preflight on the staged paths, and validate in the vault's own repository.

A hook never stops a commit because doll could not look, unless `git config doll.strict` says so.
Source: design, section 4.
"""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from doll.errors import DollError, Problem, errors_in
from doll.preflight import Inputs, Report, Request, evaluate, stops_commit
from doll.records import times
from doll.services.checking import validate_staged
from doll.services.gating import gather
from doll.services.opening import Place, Vault, open_vault
from doll.services.requesting import PROJECT
from doll.vault.layout import is_record
from doll.vcs import plumbing


class HookOutcome(NamedTuple):
    """What the hook says: why nothing was checked, problems of staged vault files, the report.

    `stop`: the commit must not go on.
    """

    not_checked: str = ""
    hint: str = ""
    problems: tuple[Problem, ...] = ()
    report: Report | None = None
    stop: bool = False


class _Settings(NamedTuple):
    """What git's configuration says to a hook."""

    project: str | None
    vault_id: str | None
    strict: bool


def run_pre_commit(cwd: Path, environment: str | None, now: datetime) -> HookOutcome:
    """Answer for the commit that is about to be made in the repository of `cwd`.

    `environment` is DOLL_VAULT. Nothing is raised for a vault that cannot be used: that is not
    checked, and said.
    """
    repository = plumbing.find(cwd, own=True)
    if repository is None:
        return HookOutcome(not_checked="this folder is in no git repository")
    settings = _settings(repository)
    changes = plumbing.staged(repository, plumbing.head(repository))
    if not changes:
        return HookOutcome()
    try:
        vault = _vault(cwd, environment, settings)
        return _answer(vault, repository, changes, settings, now)
    except DollError as error:
        return unchecked(error, strict=settings.strict)


def unchecked(error: DollError, *, strict: bool) -> HookOutcome:
    """Return the outcome for an operation that could not be done."""
    return HookOutcome(error.message, error.hint, error.problems, stop=strict)


def is_strict(cwd: Path) -> bool:
    """Return the boolean `git config doll.strict` of the repository of `cwd`."""
    return plumbing.config_flag(plumbing.find(cwd, own=True), "doll.strict")


def _settings(repository: plumbing.Repository) -> _Settings:
    project = plumbing.config(repository, PROJECT)
    vault_id = plumbing.config(repository, "doll.vaultId")
    return _Settings(project, vault_id, plumbing.config_flag(repository, "doll.strict"))


def _vault(cwd: Path, environment: str | None, settings: _Settings) -> Vault:
    vault = open_vault(Place(None, environment, cwd, tied=True))
    if settings.vault_id and vault.settings.id != settings.vault_id:
        raise DollError(
            f"{vault.root} is another vault than the one that this hook was installed for",
            hint="doll hooks install --vault PATH    pins the vault that is meant",
        )
    return vault


def _answer(
    vault: Vault,
    repository: plumbing.Repository,
    changes: Sequence[plumbing.Change],
    settings: _Settings,
    now: datetime,
) -> HookOutcome:
    """Judge vault files by validate, the others by preflight."""
    own = plumbing.same_work_tree(repository, vault.repository)
    inside = [change for change in changes if own and vault.in_vault(change.path) is not None]
    outside = tuple(change.path for change in changes if change not in set(inside))
    problems = validate_staged(vault).problems if inside else ()
    broken = bool(errors_in(problems))
    if not outside:
        return HookOutcome(problems=problems, stop=broken)
    request = Request(settings.project, actions=(), paths=outside, hook=True)
    inputs = gather(vault, settings.project)
    if inside and not broken:
        inputs = _mended(vault, inputs, inside)
    report = evaluate(inputs, request, times.next_full_minute(now))
    stop = broken or stops_commit(report, strict=settings.strict)
    return HookOutcome(problems=problems, report=report, stop=stop)


def _mended(vault: Vault, inputs: Inputs, inside: Sequence[plumbing.Change]) -> Inputs:
    """Let what is unreadable at HEAD and readable in this commit be said, and stop nothing."""
    staged = {vault.in_vault(change.path) for change in inside if change.status != "D"}
    mended = {path for path in staged if path and (is_record(path) or path == "doll.yaml")}
    stops = [problem for problem in inputs.unreadable if problem.path not in mended]
    said = [problem for problem in inputs.unreadable if problem.path in mended]
    return inputs._replace(unreadable=stops, obstacles=[*inputs.obstacles, *said])
