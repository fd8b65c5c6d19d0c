"""`doll preflight`: check an action against accepted authority and history."""

from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from doll.cli import completing
from doll.cli.clock import now
from doll.cli.options import json_option, place, vault_option
from doll.errors import ConfigurationError, GitError, NoVaultError, UsageError
from doll.records import times

if TYPE_CHECKING:
    from doll.preflight import Report, Request
    from doll.services.opening import Vault
    from doll.vcs.plumbing import Repository

EXIT = {"blocked": 1, "confirmation_required": 1, "not_checked": 3, "warning": 0, "clear": 0}

EPILOG = """\b
Examples:
  doll preflight --project atlas --action db.migrate
  doll preflight --staged
  doll preflight --project atlas --path migrations/0042.sql --json
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
    help="A dotted name, such as db.migrate; repeatable.",
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
@click.option("--as-of", metavar="TIME", help="The moment to judge at; else the next full minute.")
@click.option("--draft", is_flag=True, help="Judge by the work tree, committed or not.")
@json_option
def command(
    vault: Path | None,
    project: str | None,
    actions: tuple[str, ...],
    work_item: str | None,
    paths: tuple[str, ...],
    staged: bool,
    as_of: str | None,
    draft: bool,
    as_json: bool,
) -> int:
    """Check an action against accepted authority and what was tried before.

    Exit 0 clear or warning, 1 blocked or confirmation required, 3 not checked. Whatever it says,
    it grants nothing.
    """
    # An empty value is no time, and no project: nothing is taken for what was meant.
    moment = times.next_full_minute(now()) if as_of is None else times.parse_as_of(as_of)
    asked = _Asked(project, actions, work_item, paths, staged)
    report = _report(vault, asked, moment, draft=draft)
    if as_json:
        from doll.preflight import SCHEMA, report_payload
        from doll.render.document import to_json
        from doll.render.preflight_text import covered

        click.echo(to_json(SCHEMA, report_payload(covered(report))))
    else:
        from doll.render.preflight_text import full_lines

        click.echo("\n".join(full_lines(report)))
    return EXIT[report.status]


class _Asked(NamedTuple):
    """What the options say of the request."""

    project: str | None
    actions: tuple[str, ...]
    work_item: str | None
    paths: tuple[str, ...]
    staged: bool


def _report(vault: Path | None, asked: _Asked, as_of: datetime, *, draft: bool) -> "Report":
    """Return the report; a vault that cannot be used is not checked, and the report says why."""
    from doll.services.gating import check, unchecked
    from doll.services.opening import open_accepted
    from doll.vcs import plumbing

    here = None
    try:
        here = plumbing.find(Path.cwd(), own=True)
        opened = open_accepted(place(vault)._replace(here=here))
        return check(opened, _request(asked, here, opened), as_of, draft=draft)
    except (NoVaultError, ConfigurationError) as error:
        return unchecked(error, _request(asked, here, None), as_of)
    except GitError as error:
        return unchecked(error, _without_git(asked, here), as_of)


def _without_git(asked: _Asked, here: "Repository | None") -> "Request":
    """Return what is known of the request where git fails: what is typed, the rest perhaps."""
    typed = asked._replace(staged=False)
    for known in (asked, typed):
        with suppress(GitError, UsageError):
            return _request(known, here, None)
    return _request(typed, None, None)


def _request(asked: _Asked, here: "Repository | None", vault: "Vault | None") -> "Request":
    from doll.preflight import Request
    from doll.services.requesting import configured_project, from_the_top, staged_paths

    paths = tuple(from_the_top(here, Path.cwd(), path) for path in asked.paths)
    if asked.staged:
        paths = (*paths, *staged_paths(here, vault))
    return Request(
        project=configured_project(here) if asked.project is None else asked.project,
        # Staged paths say their actions by the map, as in a hook: perhaps none, but known.
        actions=asked.actions if asked.actions or asked.staged else None,
        paths=paths if paths or asked.staged else None,
        work_item=asked.work_item,
    )
