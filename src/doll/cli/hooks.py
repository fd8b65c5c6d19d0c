"""`doll hooks`: put preflight into a repository's git hooks, take it out, say what is there."""

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from doll.cli import completing
from doll.cli.clock import now
from doll.cli.hook_run import run
from doll.cli.options import Decorator, json_option, open_vault, place, vault_option, warn
from doll.errors import ConflictError, GitError, NoVaultError, Problem, UsageError
from doll.preflight.request import REQUEST
from doll.render.document import to_json
from doll.render.problems import problem_values, shown
from doll.render.text import visible, visible_lines
from doll.services.hooks.block import LOCAL
from doll.vcs import plumbing

_NO_PROJECT = (
    "no project is named, so what is denied in one project only asks for confirmation here: "
    "doll hooks install --project ID"
)

only_option: Decorator = click.option(
    "--only",
    "only",
    metavar="NAME",
    multiple=True,
    type=click.Choice(LOCAL),
    help="Just this hook; repeatable. Else all of them: pre-commit, pre-merge-commit, commit-msg, "
    "pre-push.",
)

if TYPE_CHECKING:
    from doll.services.hooks.installing import Hook, Installed
    from doll.services.hooks.status import Status
    from doll.services.opening import Vault

EPILOG = """\b
Example:
  cd code
  doll hooks install --vault ../notes --project atlas
  doll hooks status
  doll hooks uninstall
"""

_EDITS = {
    "created": "created",
    "added": "added",
    "updated": "updated",
    "unchanged": "unchanged",
    "by_hand": "left as it is, a line of yours calls doll",
    "left": "left as it is",
}

_STATES = {
    "installed": "installed",
    "by_hand": "called by a line that is not doll's",
    "outdated": "installed by another version of doll",
    "damaged": "damaged",
    "disabled": "in a hook that git does not run",
    "stalled": "in a hook whose lines do not run",
    "absent": "not installed",
}


@click.group(epilog=EPILOG)
def command() -> None:
    """Install or remove preflight in a repository's git hooks."""


command.add_command(run)


@command.command(epilog=EPILOG, short_help="Run preflight before each commit and push here.")
@vault_option
@click.option(
    "--project",
    metavar="ID",
    shell_complete=completing.project,
    help="The project that this repository belongs to.",
)
@only_option
@click.option(
    "--bare",
    is_flag=True,
    help="Guard the vault in this bare repository on a server; --vault is its path inside.",
)
@json_option
def install(
    vault: Path | None, project: str | None, only: tuple[str, ...], bare: bool, as_json: bool
) -> int:
    """Run preflight before each commit, merge and push in this repository.

    A few marked lines go into each hook, beside what is there; the vault, its id and the project
    go into the repository's git configuration. A hook that doll does not edit is left as it is,
    with the lines to add: exit 5.

    With --bare they go into the pre-receive hook of a repository on a server, which then refuses
    pushes that break the vault's history.
    """
    done = _bare(vault, project, only) if bare else _install(vault, project, only)
    left = [hook for hook in done.hooks if hook.edit == "left"]
    if as_json:
        hooks = [{**hook._asdict(), "path": str(hook.path)} for hook in done.hooks]
        click.echo(to_json("doll.hooks.install/1", {**done._asdict(), "hooks": hooks}))
        return ConflictError.exit_code if left else 0
    for hook in done.hooks:
        click.echo(f"{visible(str(hook.path))}: {_EDITS[hook.edit]}")
    if done.settings:
        click.echo(f"  set in git's configuration: {', '.join(done.settings)}")
    _notes([note for hook in done.hooks for note in hook.notes])
    _notes(done.notes)
    for hook in left:
        _left(hook)
    return ConflictError.exit_code if left else 0


def _left(hook: "Hook") -> None:
    """Print why a hook was left alone, and what to do by hand."""
    warn(f"doll: {visible(hook.reason)}; it is left as it is. To have it all the same:")
    warn(*(f"    {line}" for line in visible_lines(hook.by_hand)))


def _bare(vault: Path | None, project: str | None, only: tuple[str, ...]) -> "Installed":
    from doll.services.hooks.bare import install_bare

    if project is not None or only:
        name = "--project" if project is not None else "--only"
        raise UsageError(f"--bare and {name} do not go together", hint=f"leave {name} out")
    plumbing.require_version()
    return install_bare(Path.cwd(), "." if vault is None else vault.as_posix(), sys.executable)


def _install(vault: Path | None, project: str | None, only: tuple[str, ...]) -> "Installed":
    from doll.services.hooks.installing import install as put_in
    from doll.services.hooks.project import known_project

    repository = _repository()
    opened = _vault(vault)
    project_id = known_project(opened, project) if project is not None else None
    kinds = tuple(kind for kind in LOCAL if kind in only or not only)
    # The interpreter that runs now is the hook's fallback where PATH has no doll.
    done = put_in(repository, opened.root, opened.settings.id, project_id, sys.executable, kinds)
    if opened.root != repository.top and plumbing.config(repository, "doll.project") is None:
        done = done._replace(notes=(*done.notes, _NO_PROJECT))
    return done


@command.command(epilog=EPILOG, short_help="Take out what `doll hooks install` put in.")
@only_option
@json_option
def uninstall(only: tuple[str, ...], as_json: bool) -> None:
    """Take out what `doll hooks install` put in, and nothing else."""
    from doll.services.hooks.installing import uninstall as take_out

    repository, kinds = guarded()
    done = take_out(repository, [kind for kind in kinds if kind in only or not only])
    if as_json:
        paths = {"edited": _texts(done.edited), "removed": _texts(done.removed)}
        click.echo(to_json("doll.hooks.uninstall/1", {**done._asdict(), **paths}))
        return
    for path in done.edited:
        click.echo(f"{visible(str(path))}: doll's lines taken out")
    for path in done.removed:
        click.echo(f"{visible(str(path))}: removed")
    if done.settings:
        click.echo(f"  taken out of git's configuration: {', '.join(done.settings)}")
    if not (done.edited or done.removed or done.settings):
        click.echo("nothing of doll is installed here")
    _notes(done.notes)


@command.command(epilog=EPILOG, short_help="Say whether commits and pushes are checked.")
@json_option
def status(as_json: bool) -> int:
    """Say which hooks run doll here, and with which vault.

    Exit 1 when none does, when git does not run one that is there, and when nothing could be
    checked: then a note says why. `doll doctor` looks deeper.
    """
    from doll.services.hooks import running
    from doll.services.hooks import status as hook_status

    repository, kinds = guarded()
    found = hook_status.status(repository, kinds)
    why: tuple[Problem, ...] = ()
    if not found.is_absent and kinds == LOCAL:
        where = running.setting(Path.cwd())
        why = running.unready(where, os.environ.get("DOLL_VAULT"), now())
    program = shutil.which("doll")
    if as_json:
        click.echo(to_json("doll.hooks.status/1", _payload(found, program, why)))
    else:
        _show(found, program, why)
    return 0 if found.runs and not why else 1


def _payload(found: "Status", program: str | None, why: "Sequence[Problem]") -> dict[str, object]:
    hooks = [{**hook._asdict(), "path": str(hook.path)} for hook in found.hooks]
    more = {"program": program, "not_checked": problem_values(why), "runs": found.runs}
    return {**found._asdict(), "hooks": hooks, "pins": found.pins._asdict(), **more}


def _show(found: "Status", program: str | None, why: "Sequence[Problem]") -> None:
    for hook in found.hooks:
        click.echo(f"{hook.kind}: {_STATES[hook.state]} ({visible(str(hook.path))})")
    pins = found.pins
    for name, value in (("vault", pins.vault), ("vault id", pins.vault_id)):
        click.echo(f"  {name}: {visible(value) if value else 'not set'}")
    project = "not set" if pins.project is None else visible(pins.project) or "''"
    click.echo(f"  project: {project}")
    if found.strict:
        click.echo("  strict: what cannot be checked stops the commit (git config doll.strict)")
    if program is None and not found.python_found:
        _notes(["doll is not on PATH and the pinned Python is gone: run `doll hooks install`"])
    _notes(list(dict.fromkeys(note for hook in found.hooks for note in hook.notes)))
    _notes(found.notes)
    for problem in map(shown, why):
        _notes([f"a commit here is NOT CHECKED: {problem.message}"])
        named = ["git config doll.project ID    names the right one"]
        hint = named if problem.path == REQUEST else problem.hint.splitlines()
        warn(*(f"    {visible(line)}" for line in hint))


def _vault(vault: Path | None) -> "Vault":
    """Open the vault; where none is found, the error says how to name one."""
    from doll.services.locating import find

    try:
        find(place(vault))
    except NoVaultError as error:
        if vault is not None:
            raise
        raise NoVaultError(
            error.message, hint="doll hooks install --vault PATH    names the vault"
        ) from error
    return open_vault(vault)


def guarded() -> tuple[plumbing.Repository, tuple[str, ...]]:
    """Return the repository of the working folder, and the hooks that guard one of its kind."""
    from doll.vcs.plumbing.bare import find_bare

    bare = find_bare(Path.cwd())
    return (bare, ("pre-receive",)) if bare is not None else (_repository(), LOCAL)


def _repository() -> plumbing.Repository:
    from doll.vcs.plumbing.bare import find_bare

    plumbing.require_version()
    try:
        repository = plumbing.find(Path.cwd(), own=True)
    except GitError as error:
        if find_bare(Path.cwd()) is None:
            raise
        hint = f"doll hooks install --bare    guards a vault in it; else {error.hint}"
        raise GitError(error.message, hint=hint) from error
    if repository is None:
        raise GitError(
            f"{Path.cwd()} lies in no git repository, so there are no hooks",
            hint="cd into a repository, or make one: git init",
        )
    return repository


def _texts(paths: Sequence[Path]) -> list[str]:
    return [str(path) for path in paths]


def _notes(notes: Sequence[str]) -> None:
    for note in notes:
        first, *rest = visible_lines(note)
        warn(f"  note: {first}", *(f"    {line}" for line in rest))
