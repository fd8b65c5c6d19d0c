"""`doll preflight`: check an action against accepted authority and history."""

from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from doll.cli import completing
from doll.cli.clock import now
from doll.cli.options import json_option, opened_at, place, say_missing, vault_option
from doll.errors import ConfigurationError, GitError, NoVaultError, UsageError
from doll.records import times

if TYPE_CHECKING:
    from doll.preflight import Report, Request
    from doll.services.gating import Judged
    from doll.services.opening import Vault
    from doll.services.ranging import Span
    from doll.vcs.plumbing import Repository

EXIT = {"blocked": 1, "confirmation_required": 1, "not_checked": 3, "warning": 0, "clear": 0}

EPILOG = """\b
Examples:
  doll preflight --project atlas --action db.migrate
  doll preflight --staged
  doll preflight --project atlas --path migrations/0042.sql --json
  doll preflight --range origin/main..HEAD --format github
  doll preflight --staged --explain
"""


@click.command(epilog=EPILOG)
@vault_option
@click.option(
    "--project",
    metavar="ID",
    shell_complete=completing.project,
    help="The project; else git config doll.project.",
)
@click.option(
    "--action",
    "actions",
    metavar="NAME",
    multiple=True,
    help="A dotted name, such as db.migrate, or a pattern over the registered capabilities, such "
    "as 'db.*'; repeatable.",
)
@click.option(
    "--work-item",
    metavar="ID",
    shell_complete=completing.work_item,
    help="The work item that it is for.",
)
@click.option(
    "--path",
    "paths",
    metavar="PATH",
    multiple=True,
    help="A path that would change; repeatable. It counts from the top of the work tree; with "
    "./ before it from the current folder.",
)
@click.option("--staged", is_flag=True, help="The paths that are staged in this repository.")
@click.option(
    "--range",
    metavar="A..B",
    help="The paths that these commits change, as in a pull request.",
)
@click.option(
    "--scope",
    metavar="KEY=VALUE",
    multiple=True,
    help="Where the action would be performed, such as env=production; repeatable.",
)
@click.option("--as-of", metavar="TIME", help="The moment to judge at; else the next full minute.")
@click.option("--draft", is_flag=True, help="Judge by the work tree, committed or not.")
@click.option(
    "--explain",
    metavar="[CODE|RECORD]",
    is_flag=False,
    flag_value="",
    help="Say in words what matched what and what to do; of one code or record, if it is named.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", "github", "gitlab"]),
    help="How to answer: text, one JSON document, GitHub's annotations, or GitLab's code quality "
    "report.",
)
@json_option
def command(
    vault: Path | None,
    as_of: str | None,
    draft: bool,
    explain: str | None,
    format_: str | None,
    as_json: bool,
    **request: Any,
) -> int:
    """Check an action against accepted authority and what was tried before.

    Exit 0 clear or warning, 1 blocked or confirmation required, 3 not checked. Whatever it says,
    it grants nothing.
    """
    form = _form(format_, explain, as_json=as_json)
    asked = _Asked(**request)
    _check_named("--project", "project", asked.project)
    _check_named("--work-item", "work-item", asked.work_item)
    if asked.staged and asked.range is not None:
        raise UsageError("--staged and --range are two questions", hint="ask them one by one")
    # An empty value is no time, and no project: nothing is taken for what was meant.
    moment = times.next_full_minute(now()) if as_of is None else times.parse_as_of(as_of)
    answer = _answer(vault, asked, moment, draft=draft)
    said = _shown(answer.report, form) if explain is None else _explained(answer, explain)
    if said:  # there is no annotation where all is clear
        click.echo(said)
    return EXIT[answer.report.status]


def _check_named(option: str, kind: str, name: str | None) -> None:
    if name is not None and not name.strip():
        hint = f"doll list --type {kind}    shows what there is"
        raise UsageError(f"{option}: an empty text names no {kind}", hint=hint)


def _form(format_: str | None, explain: str | None, *, as_json: bool) -> str:
    if as_json and format_ not in (None, "json"):
        raise UsageError(f"--json and --format {format_} are two answers", hint="choose one")
    form = "json" if as_json else format_ or "text"
    if explain is not None and form != "text":
        raise UsageError(
            f"--explain is text, and {form} was asked for",
            hint="`matched_on` and `unknown` of --json say the same to programs",
        )
    return form


def _shown(report: "Report", form: str) -> str:
    """Return the whole output, without its last line feed."""
    if form == "json":
        from doll.preflight import SCHEMA, report_payload
        from doll.render.document import to_json
        from doll.render.preflight_text import covered

        return to_json(SCHEMA, report_payload(covered(report)))
    if form == "text":
        from doll.render.preflight_text import full_lines

        return "\n".join(full_lines(report))
    from doll.render.preflight_ci import github_lines, gitlab_json

    return gitlab_json(report) if form == "gitlab" else "\n".join(github_lines(report))


def _explained(answer: "_Answer", name: str) -> str:
    """Return the explanation of everything, of a code, or of a record."""
    from doll.render.preflight_explained import explained, explained_code, explained_record

    if not name:
        return "\n".join(explained(answer.report))
    lines = explained_code(answer.report, name)
    if lines is None and answer.judged is not None:
        from doll.preflight.explaining import accounts, uncounted
        from doll.render.preflight_explained import explained_uncounted

        judged = answer.judged
        found = accounts(judged.inputs, judged.request, judged.report.as_of, name)
        lines = explained_record(answer.report, found)
        lines += explained_uncounted(uncounted(judged.inputs, name))
    if not lines:
        raise UsageError(
            f"{name!r} is no code of preflight, and no record that was looked at",
            hint="doll preflight --explain    without a name explains every finding",
        )
    return "\n".join(lines)


class _Asked(NamedTuple):
    """What the options say of the request."""

    project: str | None
    actions: tuple[str, ...]
    work_item: str | None
    paths: tuple[str, ...]
    staged: bool
    range: str | None
    scope: tuple[str, ...]


class _Answer(NamedTuple):
    """The report, and what it was made from; None where the vault cannot be used."""

    report: "Report"
    judged: "Judged | None" = None


def _answer(vault: Path | None, asked: _Asked, as_of: datetime, *, draft: bool) -> _Answer:
    """Return the report; a vault that cannot be used is not checked, and the report says why."""
    from doll.services.gating import check, unchecked
    from doll.services.opening import open_accepted
    from doll.services.ranging import span_of
    from doll.vcs import plumbing

    here = span = None
    try:
        here = plumbing.find(Path.cwd(), own=True)
        span = None if asked.range is None else span_of(here, asked.range)
        opened = opened_at(place(vault)._replace(here=here), open_accepted)
        request = _request(asked, here, opened, span)
        judged = check(opened, request, as_of, draft=draft, span=span)
        _say_missing(opened)
        return _Answer(judged.report, judged)
    except (NoVaultError, ConfigurationError) as error:
        return _Answer(unchecked(error, _request(asked, here, None, span), as_of))
    except GitError as error:
        return _Answer(unchecked(error, _without_git(asked, here), as_of))


def _say_missing(vault: "Vault") -> None:
    # The report says already what cannot be looked at.
    with suppress(NoVaultError, GitError):
        say_missing(vault)


def _without_git(asked: _Asked, here: "Repository | None") -> "Request":
    """Return what is known of the request where git fails: what is typed, the rest perhaps."""
    typed = asked._replace(staged=False, range=None)
    for known in (asked._replace(range=None), typed):
        with suppress(GitError, UsageError):
            return _request(known, here, None, None)
    return _request(typed, None, None, None)


def _request(
    asked: _Asked, here: "Repository | None", vault: "Vault | None", span: "Span | None"
) -> "Request":
    from doll.preflight import Request
    from doll.services.ranging import changed_paths
    from doll.services.requesting import configured_project, from_the_top, staged_paths

    paths = tuple(from_the_top(here, Path.cwd(), path) for path in asked.paths)
    if asked.staged:
        paths = (*paths, *staged_paths(here, vault))
    if span is not None:
        paths = (*paths, *changed_paths(span, vault))
    # Changes say their paths, and by the map their actions, as in a hook: perhaps none, but known.
    changes = asked.staged or span is not None
    return Request(
        project=configured_project(here) if asked.project is None else asked.project,
        actions=asked.actions if asked.actions or changes else None,
        paths=paths if paths or changes else None,
        work_item=asked.work_item,
        scope=asked.scope or None,
        range=None if span is None else span.text,
    )
