"""`doll imports`: the imports of a vault are listed, shown, and what waits of one is dropped."""

import os
import shlex
from pathlib import Path

import click

from doll.cli import completing
from doll.cli.committed import detached_lines, unfinished
from doll.cli.import_progress import Progress
from doll.cli.options import (
    by_option,
    commit_option,
    json_option,
    open_vault,
    vault_option,
    warn,
)
from doll.cli.review_told import git_here
from doll.errors import UsageError, errors_in
from doll.render import imports_text
from doll.render.document import to_json
from doll.render.problems import problem_lines
from doll.render.text import visible
from doll.services.recording.authorship import author

EPILOG = """\b
Examples:
  doll imports
  doll imports show chatgpt-2026-02
  doll imports drop chatgpt-2026-02 --commit
"""
_SHOW_EPILOG = """\b
Examples:
  doll imports show chatgpt-2026-02
  doll imports show pam/chatgpt-2026-02 --json
"""
_DROP_EPILOG = """\b
Examples:
  doll imports drop chatgpt-2026-02
  doll imports drop chatgpt-2026-02 --commit
"""


@click.group(invoke_without_command=True, subcommand_metavar="[COMMAND] [ARGS]...", epilog=EPILOG)
@vault_option
@json_option
@click.pass_context
def command(context: click.Context, vault: Path | None, *, as_json: bool) -> None:
    """List what was imported, and what became of it.

    One line for each import: its name, its adapter, how many candidates it brought, how many of
    them wait in staging, were approved, rejected or dropped, and how many entries were parked or
    refused. Exit 1 when what an import has met cannot be read any more.
    """
    context.obj = vault
    if context.invoked_subcommand is not None:
        if as_json:
            raise UsageError(
                "--json stands behind the subcommand", hint="doll imports show NAME --json"
            )
        return
    from doll.services.importing.managing import list_imports

    found = list_imports(open_vault(vault))
    if as_json:
        click.echo(to_json(imports_text.SCHEMA, imports_text.list_payload(found)))
    else:
        lines = list(imports_text.list_lines(found.entries))
        click.echo("\n".join(lines) if lines else "nothing was imported yet: doll import --help")
        warn(*problem_lines(found.problems))
    if errors_in(found.problems):
        context.exit(1)


@command.command(short_help="Show the loss report of an import.", epilog=_SHOW_EPILOG)
@click.argument("name", shell_complete=completing.import_name)
@vault_option
@json_option
@click.pass_obj
def show(group: Path | None, name: str, vault: Path | None, *, as_json: bool) -> None:
    """Show what became of an import by now, and its loss report as it was written."""
    from doll.services.importing.managing import show as shown_of

    shown = shown_of(open_vault(vault or group), name)
    if as_json:
        click.echo(to_json(imports_text.SCHEMA, imports_text.show_payload(shown)))
        return
    click.echo("\n".join(imports_text.show_lines(shown)))


@command.command(short_help="Remove what an import left in staging.", epilog=_DROP_EPILOG)
@click.argument("name", shell_complete=completing.import_name)
@commit_option
@by_option
@vault_option
@json_option
@click.pass_obj
def drop(
    group: Path | None,
    name: str,
    by: str | None,
    vault: Path | None,
    *,
    commit: bool,
    as_json: bool,
) -> None:
    """Remove from staging what an import brought and nobody reviewed; its ledger stays.

    What was dropped does not come again with the same source, unless with --again. Approved records
    and rejected candidates stay. Only what is committed is removed, so that git can give it back.
    """
    from doll.services.importing.dropping import drop as dropped
    from doll.services.restoring import bringing_back

    opened = open_vault(vault or group)
    who = author(by, os.environ.get("DOLL_BY"))
    progress = Progress()
    try:
        done = dropped(opened, name, who, progress, commit=commit)
    finally:
        progress.end()
    if as_json:
        click.echo(to_json(imports_text.SCHEMA, imports_text.drop_payload(done)))
        return
    click.echo("\n".join(imports_text.drop_lines(done)))
    if not done.paths:
        return
    git, folder = git_here(opened), done.entry.folder
    if done.commit:
        short = done.commit[:12]
        warn(f"  committed as {short}; to undo it: {visible(git)} revert {short}")
        warn(*detached_lines(opened))
        return
    message = shlex.quote(f"drop import {done.entry.name}")
    if waiting := unfinished(opened):
        warn(f"  next: it goes along when you finish: {visible(waiting.finish)}")
    else:
        warn(visible(f"  next: {git} commit -m {message} -- {shlex.quote(folder)}"))
    warn(visible(f"  to undo it: {bringing_back(git, [folder])}"))
