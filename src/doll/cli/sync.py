"""`doll sync`: commit what changed, take over what the remote has, and give it the rest."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from doll.cli import clock
from doll.cli.options import json_option, opened_at, place, vault_option, warn
from doll.cli.progress import telling
from doll.errors import UsageError
from doll.render.text import count, visible, visible_lines

if TYPE_CHECKING:
    from doll.services.opening import Vault
    from doll.services.syncing.values import Aim, Plan, Report, Stop

EPILOG = """\b
Examples:
  doll sync
  doll sync --dry-run     say what it would do
  doll sync --continue    go on when the conflicts are settled
"""


@click.command(epilog=EPILOG)
@vault_option
@click.option("--dry-run", is_flag=True, help="Say what would be done; ask no remote.")
@click.option("--continue", "go_on", is_flag=True, help="Go on after a conflict was settled.")
@click.option("--abort", is_flag=True, help="Go back to before the merge that stopped.")
@click.option("--allow-mass-delete", is_flag=True, help="Most records are gone on purpose.")
@json_option
def command(
    vault: Path | None,
    dry_run: bool,
    go_on: bool,
    abort: bool,
    allow_mass_delete: bool,
    as_json: bool,
) -> int:
    """Commit what changed, merge with the remote, and push.

    Commits files of confirmed/, experience/ and staging/ that have no error. What is in
    authority/ is yours to commit. Exit 1 when something is held back, 5 at a conflict.
    """
    from doll.services.opening import open_accepted
    from doll.services.syncing import flow
    from doll.services.syncing.values import Wish

    if dry_run + go_on + abort > 1:
        raise UsageError("--dry-run, --continue and --abort do not go together")
    # Whether the settings of the work tree can be read is asked when no merge waits.
    opened = opened_at(place(vault), open_accepted)
    attended = sys.stdin is not None and sys.stdin.isatty()
    wish = Wish(clock.now(), attended, allow_mass_delete, go_on)
    if abort:
        flow.abort(opened)
        return _tell_abort(as_json)
    if dry_run:
        return _tell_plan(opened, flow.plan(opened, wish), as_json)
    with telling() as tell:
        report = flow.sync(opened, wish, tell)
    return show(opened, report, as_json)


def _tell_abort(as_json: bool) -> int:
    if as_json:
        from doll.render.document import to_json

        click.echo(to_json("doll.sync/1", {"aborted": True}))
    else:
        from doll.render.leading import led

        click.echo(led("back to before the merge; nothing that was committed is lost: doll sync"))
    return 0


def _tell_plan(vault: "Vault", plan: "Plan", as_json: bool) -> int:
    from doll.render import listed

    held = any(problem.severity == "error" for problem in plan.held)
    code = 1 if held or plan.refused else 0
    if as_json:
        from doll.render.document import to_json

        refused = _stop_values(plan.refused)
        values = {"dry_run": True, "merge": plan.merge or None, "refused": refused}
        click.echo(to_json("doll.sync/1", {**values, **_plan_values(plan)}))
        return code
    if plan.merge:
        click.echo(f"would commit the merge of {plan.merge[:12]} that waits, then what changed")
    elif plan.commit:
        click.echo(f"would commit {count(len(plan.commit), 'file')}:")
        for line in listed.differences(plan.commit):
            click.echo(line)
    else:
        click.echo("nothing to commit")
    for line in _left(vault, plan, planned=True):
        click.echo(line)
    target = plan.aim.target
    if target is None:
        click.echo(f"would then end: {visible(plan.aim.why)}")
    else:
        name = visible(target.name)
        push = "" if plan.refused else ", and push to it"
        click.echo(f"would then fetch {name}, merge it where it has moved{push}")
    if plan.refused is not None:
        _say_stop(plan.refused, "would not sync")
    return code


def _left(vault: "Vault", plan: "Plan", *, planned: bool = False) -> list[str]:
    from doll.render import sync_text as text
    from doll.vault.typed import typed

    git = f"git -C {typed(str(vault.root))}"
    return [
        *text.held_lines(plan.held, planned=planned),
        *text.theirs_lines(plan.theirs, git),
        *text.aside_lines(plan.aside, git),
    ]


def show(vault: "Vault", report: "Report", as_json: bool) -> int:
    """Print what a sync did, and return its exit code."""
    from doll.render import listed
    from doll.render import sync_text as text
    from doll.render.problems import hinted

    for message, hint in report.notices:
        warn(f"doll: {visible(message)}", *([f"      {visible(hinted(hint))}"] if hint else []))
    if as_json:
        from doll.render.document import to_json

        click.echo(to_json("doll.sync/1", values(report)))
        return report.exit_code
    for said in report.said:
        warn(*visible_lines(said))
    plan = report.plan
    for brought in report.brought:
        for line in text.rules_lines(brought.files):
            click.echo(line)
    if report.commit:
        click.echo(f"committed as {report.commit[:12]}: {visible(report.subject)}")
        for line in (*listed.differences(plan.commit), *text.besides_lines(report.besides)):
            click.echo(line)
    for line in _left(vault, plan):
        click.echo(line)
    name = plan.aim.target.name if plan.aim.target else ""
    for brought in report.brought:
        click.echo(text.brought_line(brought.how, brought.commits, brought.files, name))
        for line in (*text.besides_lines(brought.besides), *text.came_lines(brought.problems)):
            click.echo(line)
    if report.pushed:
        click.echo(f"pushed {count(report.pushed, 'commit')} to {visible(name)}")
    _end(report, plan.aim)
    return report.exit_code


def _end(report: "Report", aim: "Aim") -> None:
    """Say where it ended: `synced` only where the remote has what is here."""
    from doll.render.problems import hinted

    if report.stop is not None:
        _say_stop(report.stop)
    elif report.synced and aim.target is not None:
        click.echo(f"synced: {visible(aim.target.name)} is at {report.head[:12]}")
    elif aim.is_alone:
        click.echo("validated, committed, indexed; no remote")
        warn(f"  {visible(hinted(aim.hint))}    once you have one")
    else:
        click.echo(f"validated, committed, indexed; not synced: {visible(aim.why)}")
        warn(*(f"  {visible(line)}" for line in hinted(aim.hint).splitlines()))


def _say_stop(stop: "Stop", what: str = "not synced") -> None:
    from doll.render.problems import covered, hinted, problem_lines

    first, *rest = visible_lines(covered(stop.message))
    warn(f"doll: {what}: {first}", *(f"      {line}" for line in rest))
    warn(*(f"  {visible(path)}" for path in stop.paths))
    warn(*(f"  {line}" for line in problem_lines(stop.problems)))
    warn(*(f"  {line}" for line in visible_lines(hinted(stop.hint)) if line))


def _plan_values(plan: "Plan") -> dict[str, object]:
    from doll.render.problems import problem_values

    target = plan.aim.target
    return {
        "remote": target.shown if target else None,
        "branch": target.branch if target else None,
        "no_remote": plan.aim.why or None,
        "files": [{"path": each.path, "what": each.what} for each in plan.commit],
        "held": problem_values(plan.held),
        "yours": [each._asdict() for each in plan.theirs],
        "aside": list(plan.aside),
    }


def values(report: "Report") -> dict[str, object]:
    """Return the values of a report, as `doll.sync/1` has them."""
    from doll.render.problems import problem_values

    return {
        **_plan_values(report.plan),
        "dry_run": False,
        "commit": report.commit,
        "subject": report.subject or None,
        "besides": [each._asdict() for each in report.besides],
        "brought": [
            {
                "how": each.how,
                "commit": each.commit,
                "commits": each.commits,
                "files": [file._asdict() for file in each.files],
                "problems": problem_values(each.problems),
                "besides": [file._asdict() for file in each.besides],
            }
            for each in report.brought
        ],
        "pushed": report.pushed,
        "head": report.head,
        "synced": report.synced,
        "searchable": report.indexed,
        "exit": report.exit_code,
        "stop": _stop_values(report.stop),
    }


def _stop_values(stop: "Stop | None") -> dict[str, object] | None:
    from doll.render.problems import covered, hinted, problem_values

    if stop is None:
        return None
    return {
        "message": covered(stop.message),
        "hint": hinted(stop.hint),
        "paths": list(stop.paths),
        "problems": problem_values(stop.problems),
    }
