"""`doll duplicates`: records that may say the same, for a person to look at."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from doll.cli import clock, completing
from doll.cli.choices import Count, OneOf
from doll.cli.options import (
    by_option,
    commit_option,
    json_option,
    named,
    open_vault,
    vault_option,
    warn,
)
from doll.cli.progress import counting
from doll.cli.recording import manner
from doll.errors import UsageError
from doll.records import times
from doll.render.duplicates_values import KINDS, Kind

if TYPE_CHECKING:
    from doll.errors import Problem
    from doll.render.duplicates_values import Judged, Proposed
    from doll.services.consolidating.looking import Looked
    from doll.services.opening import Vault

EPILOG = """\b
Examples:
  doll duplicates
  doll duplicates --kind exact --limit 100 --json
  doll duplicates --propose --commit
  doll duplicates judge espresso-order espresso-at-work --distinct --commit
"""
_JUDGE_EPILOG = """\b
Examples:
  doll duplicates judge espresso-order espresso-at-work --distinct --commit
  doll duplicates judge espresso-order espresso-at-work --undo
"""


@click.group(invoke_without_command=True, subcommand_metavar="[COMMAND] [ARGS]...", epilog=EPILOG)
@click.option("--kind", "kinds", type=OneOf(KINDS), multiple=True, help="Of it only; repeatable.")
@click.option(
    "--type",
    "types",
    type=OneOf(("memory", "experience")),
    multiple=True,
    help="What to compare; else memory. Repeatable.",
)
@click.option(
    "--project",
    metavar="ID",
    shell_complete=completing.project,
    help="Experience of this project only; needs --type experience.",
)
@click.option(
    "--limit",
    type=Count(1, 1000),
    default=20,
    show_default=True,
    help="The most findings to show, and to propose for.",
)
@click.option(
    "--as-of",
    metavar="TIME",
    help="Compare what was current then; else now, rounded up to the minute.",
)
@click.option("--judged", is_flag=True, help="List the pairs that were judged instead.")
@click.option("--propose", is_flag=True, help="Write a candidate for each finding to staging.")
@by_option
@commit_option
@vault_option
@json_option
@click.pass_context
def command(
    context: click.Context,
    kinds: tuple[Kind, ...],
    types: tuple[str, ...],
    project: str | None,
    limit: int,
    as_of: str | None,
    by: str | None,
    vault: Path | None,
    *,
    judged: bool,
    propose: bool,
    commit: bool,
    as_json: bool,
) -> None:
    """Find current records that may say the same, or cannot hold together.

    Five kinds: `contradiction` (one says that it contradicts the other), `exact`, `extending` (one
    has nearly all of the other, and more), `near`, `overlap` (the same kind and title). Nothing is
    merged, archived or edited: --propose writes candidates that wait for `doll review`.
    """
    context.obj = vault
    if context.invoked_subcommand is not None:
        _refuse_in_front(context)
        return
    _refuse_together(judged=judged, propose=propose, writes=commit or by is not None)
    how = manner(by, (), commit=commit) if propose else None
    opened = open_vault(vault)
    if judged:
        _list_judged(opened, as_json=as_json)
        return
    from doll.services.consolidating.gathering import Wanted
    from doll.services.consolidating.looking import look
    from doll.services.consolidating.proposing import propose as write

    now = clock.now() if how is None else how.now
    moment = times.next_full_minute(now) if as_of is None else times.parse_as_of(as_of)
    wanted = Wanted(types or ("memory",), project)
    with counting("records") as progress:
        looked = look(
            opened, wanted, moment, kinds=kinds or KINDS, limit=limit, progress=progress, now=now
        )
    found = tuple(zip(looked.raws, looked.report.findings, strict=True))
    proposed = None if how is None else write(opened, found, how)
    _tell(opened, looked, proposed, as_json=as_json)


@command.command("judge", short_help="Say that two records are distinct.", epilog=_JUDGE_EPILOG)
@click.argument("one", metavar="A", shell_complete=completing.any_id)
@click.argument("other", metavar="B", shell_complete=completing.any_id)
@click.option("--distinct", is_flag=True, help="They are two things, and both stand.")
@click.option("--undo", is_flag=True, help="Take the judgement of the pair back.")
@by_option
@commit_option
@vault_option
@json_option
@click.pass_obj
def judge_command(
    group: Path | None,
    one: str,
    other: str,
    by: str | None,
    vault: Path | None,
    *,
    distinct: bool,
    undo: bool,
    commit: bool,
    as_json: bool,
) -> None:
    """Say that two records are distinct: they are not told as alike again, until a text changes.

    The judgement is a file in `.doll/judged/`, and counts once it is committed. Only you judge: a
    model (--by, DOLL_BY) cannot.
    """
    from doll.services.consolidating.judging import judge

    if distinct == undo:
        raise UsageError("say what holds of the pair", hint="--distinct, or --undo to take it back")
    how = manner(by, (), commit=commit)
    opened = open_vault(vault or group)
    names = named(opened, one), named(opened, other)
    _tell_judged(opened, judge(opened, names, how, undo=undo), as_json=as_json)


def _refuse_in_front(context: click.Context) -> None:
    """Refuse options that stand before the subcommand and would be lost."""
    for name, value in context.params.items():
        source = context.get_parameter_source(name)
        if name != "vault" and value and source is not click.core.ParameterSource.DEFAULT:
            raise UsageError(
                "only --vault stands before `judge`", hint="doll duplicates judge --help"
            )


def _refuse_together(*, judged: bool, propose: bool, writes: bool) -> None:
    if judged and propose:
        raise UsageError("--judged and --propose are two things", hint="leave one of them out")
    if writes and not propose:
        said = "--commit and --by go with --propose"
        raise UsageError(said, hint="leave them out: nothing is written")


def _list_judged(vault: "Vault", *, as_json: bool) -> None:
    from doll.render.document import to_json
    from doll.render.duplicates_document import SCHEMA, verdict_values
    from doll.render.duplicates_text import verdict_lines
    from doll.services.consolidating.looking import verdicts

    found, problems = verdicts(vault, clock.now())
    if as_json:
        click.echo(to_json(SCHEMA, verdict_values(found, problems)))
        return
    for line in verdict_lines(found):
        click.echo(line)
    if not found:
        warn("no pair is judged; doll duplicates judge A B --distinct does it")
    _warn(problems)


def _tell(vault: "Vault", looked: "Looked", proposed: "Proposed | None", *, as_json: bool) -> None:
    """Print the report (or the JSON document doll.duplicates/1), and what was proposed."""
    from doll.render.document import to_json
    from doll.render.duplicates_document import SCHEMA, report_values
    from doll.render.duplicates_text import proposed_lines, report_lines
    from doll.render.recall_text import unreadable_lines

    if as_json:
        click.echo(to_json(SCHEMA, report_values(looked.report, proposed, looked.problems)))
    else:
        for line in report_lines(looked.report):
            click.echo(line)
        for line in unreadable_lines(looked.report.unreadable):
            click.echo(line)
        for line in proposed_lines(proposed) if proposed else ():
            click.echo(line)
    _warn(looked.problems)
    if proposed is not None:
        _tell_proposed(vault, proposed)


def _tell_proposed(vault: "Vault", proposed: "Proposed") -> None:
    import shlex

    from doll.cli.committed import committed_lines, steps_to_commit
    from doll.render.text import visible, visible_lines
    from doll.services.consolidating.proposing import to_commit

    for said in proposed.said:
        warn(*visible_lines(said))
    for record_id, reason in proposed.hints:
        warn(f"no proposal for {visible(record_id)}: {reason}")
    if proposed.commit:
        warn(*committed_lines(vault, proposed.commit, proposed.subject))
    elif paths := to_commit(vault, proposed):
        git = f"git -C {shlex.quote(str(vault.root))}"
        files = shlex.join(paths)
        subject = shlex.quote(proposed.subject)
        line = f"{git} add -- {files} && {git} commit -m {subject} -- {files}"
        steps, first = steps_to_commit(vault, [line], paths)
        how = first or "--commit does so at once"
        warn(f"not committed; to review them, commit them first ({how}):")
        warn(*(f"  {visible(step)}" for step in steps))
    if any(each.state in ("written", "there already") for each in proposed.proposals):
        warn("they wait for your review: doll review")


def _tell_judged(vault: "Vault", done: "Judged", *, as_json: bool) -> None:
    from doll.cli.committed import committed_lines, steps_to_commit
    from doll.render.document import to_json
    from doll.render.duplicates_document import SCHEMA, judged_values
    from doll.render.duplicates_text import judged_line
    from doll.render.text import visible, visible_lines
    from doll.services.consolidating.judging import commit_line

    lines = [commit_line(vault, done)] if done.pending else []
    steps, first = steps_to_commit(vault, lines, done.pending)
    if as_json:
        click.echo(to_json(SCHEMA, judged_values(done, steps)))
    else:
        click.echo(judged_line(done))
    for said in done.said:
        warn(*visible_lines(said))
    if done.commit:
        warn(*committed_lines(vault, done.commit, done.subject))
    elif steps:
        warn(f"not committed; it counts once it is ({first or '--commit does so at once'}):")
        warn(*(f"  {visible(step)}" for step in steps))


def _warn(problems: "Sequence[Problem]") -> None:
    if problems:
        from doll.render.problems import problem_lines

        warn(*problem_lines(problems))
