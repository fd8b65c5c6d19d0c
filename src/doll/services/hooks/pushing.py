"""What the pre-push hook runs: preflight on what a push changes, and the vault's own commits.

The commits of a vault are judged as a server that guards it would judge them.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from doll.errors import DollError, Problem, errors_in
from doll.preflight import Report, Request, stops_commit
from doll.records import times
from doll.services.accepted import accepted_commit
from doll.services.gating import judge, ruling
from doll.services.hooks.pushed import Brought, Ref, brought, not_here
from doll.services.hooks.running import HookOutcome, Setting, ground_of, opened, unchecked
from doll.services.opening import Vault
from doll.vcs import plumbing

_BRANCHES = "refs/heads/"


def run_pre_push(
    where: Setting, environment: str | None, refs: Sequence[Ref], now: datetime, remote: str = ""
) -> HookOutcome:
    """Answer for the push of these refs; `remote` is the name of the other side, if it has one.

    As `running.run_pre_commit`; GitError when git cannot say what is pushed.
    """
    if not refs:
        return HookOutcome()
    found = brought(where.repository, refs)
    # Only what brings nothing may be missing, and the rest is judged all the same.
    names = {each.ref.name for each in found}
    missing = not_here(where.repository, [ref for ref in refs if ref.name not in names])
    try:
        vault = opened(where, environment)
        own = plumbing.same_repository(where.repository, vault.repository)
        reports, failed = _reports(vault, where, found, now, own=own)
        failed = failed or missing
    except DollError as error:
        return unchecked(error, strict=where.strict)
    stop = any(stops_commit(report, strict=where.strict) for report in reports)
    if failed is not None:
        left = unchecked(failed, strict=where.strict)
        return left._replace(reports=reports, stop=stop or where.strict)
    outcome = HookOutcome(reports=reports, stop=stop)
    if not own:
        return outcome
    try:
        problems = _vault_problems(vault, where, refs, remote)
    except DollError as error:
        left = unchecked(error, strict=where.strict)
        return left._replace(reports=reports, stop=stop or where.strict)
    return outcome._replace(problems=problems, stop=stop or bool(errors_in(problems)))


def _reports(
    vault: Vault, where: Setting, found: Iterable[Brought], now: datetime, *, own: bool
) -> tuple[tuple[Report, ...], DollError | None]:
    """Return what preflight says about the pushed paths that are not the vault's.

    One report for all refs, but in the vault's own repository one for each commit that the refs
    are judged by: what is accepted there differs before each range. With them what kept doll from
    making the rest, if anything did.
    """
    groups: dict[str, list[Brought]] = {}
    for each in found:
        accepted = _accepted_before(vault, each) if own else ""
        groups.setdefault(accepted, []).append(each)
    reports: list[Report] = []
    for accepted, group in groups.items():
        paths = sorted({path for each in group for path in _outside(vault, each, own=own)})
        if not paths:
            continue
        try:
            span = group[0].span(where.repository, accepted) if own else None
            ground = ground_of(vault, where, span)
            rules = ruling(vault, ground)
        except DollError as error:
            return tuple(reports), error
        request = Request(where.project, actions=(), paths=tuple(paths), hook=True)
        if len(group) == 1 and group[0].base:
            request = request._replace(range=f"{group[0].base}..{group[0].last}")
        as_of = times.next_full_minute(now)
        reports.append(judge(vault, ground, rules, request, as_of).report)
    return tuple(reports), None


def _outside(vault: Vault, each: Brought, *, own: bool) -> Iterable[str]:
    return (path for path in each.paths if not (own and vault.owns(path)))


def _accepted_before(vault: Vault, each: Brought) -> str:
    """Return the accepted commit before what a ref of the vault's own repository brings.

    It lies on the vault's branch, so that pushing a feature branch in parts lifts no block; with
    nothing before it, what is accepted here counts.
    """
    accepted = accepted_commit(vault)
    tip = plumbing.resolve(vault.repository, f"{_BRANCHES}{accepted.branch}") or accepted.commit
    before = plumbing.merge_base(vault.repository, each.base, tip) if each.base else None
    return before or accepted.commit


def _main_there(vault: Vault, refs: Sequence[Ref], home: str, remote: str) -> str | None:
    """Return where the vault's branch is on the other side, as far as it is known here.

    Where it is not (a push to a URL), it is taken to be where it is at `origin`, else here.
    """
    moved = next((ref for ref in refs if ref.name == home), None)
    if moved is not None:
        return plumbing.resolve(vault.repository, moved.old) if moved.old else None
    branch = home.removeprefix(_BRANCHES)
    names = (f"refs/remotes/{remote}/{branch}", f"refs/remotes/origin/{branch}", home)
    found = (plumbing.resolve(vault.repository, name) for name in names)
    return next((oid for oid in found if oid is not None), None)


def _vault_problems(
    vault: Vault, where: Setting, refs: Sequence[Ref], remote: str
) -> tuple[Problem, ...]:
    """Return what a server that guards the vault would say to these refs."""
    from doll.services.receiving.receiving import receive
    from doll.services.receiving.server import Server
    from doll.services.receiving.updates import Update

    branch = accepted_commit(vault).branch
    home = f"{_BRANCHES}{branch}"
    main = _main_there(vault, refs, home, remote)
    server = Server(where.repository, vault.prefix, where.vault_id, branch, main, where.strict)
    moved = [Update(ref.old, ref.new, ref.name) for ref in refs if ref.new is not None]
    problems = [fault.problem for refusal in receive(server, moved) for fault in refusal.faults]
    if any(ref.new is None and ref.name == home for ref in refs):
        message = f"this push deletes {branch}, the vault's branch, on the other side"
        hint = "it stays here; pushing it again brings it back"
        problems.append(Problem(home, 0, 0, "push.deleted", message, "warning", hint))
    return tuple(dict.fromkeys(problems))
