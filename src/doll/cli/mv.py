"""`doll mv`: a record gets another id, and what names it follows."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from doll.cli import completing
from doll.cli.committed import Steps, steps_to_commit
from doll.cli.options import (
    by_option,
    commit_option,
    json_option,
    named,
    open_vault,
    vault_option,
    warn,
)
from doll.cli.recording import manner
from doll.cli.review_told import git_here
from doll.render.leading import led
from doll.render.text import count, visible, visible_lines

if TYPE_CHECKING:
    from doll.services.editing.renaming import Renamed
    from doll.services.opening import Vault

EPILOG = """\b
Examples:
  doll mv espresso espresso-order
  doll mv atlas atlas-2 --commit
"""
_SHOWN = 10


@click.command(epilog=EPILOG)
@click.argument("old", metavar="OLD", shell_complete=completing.editable)
@click.argument("new", metavar="NEW")
@by_option
@commit_option
@vault_option
@json_option
def command(
    old: str, new: str, *, by: str | None, commit: bool, vault: Path | None, as_json: bool
) -> None:
    """Give the record OLD the id NEW: its file is renamed in its folder.

    OLD becomes an alias, so that whatever names it goes on resolving. References in the front
    matter of confirmed/ and authority/ are rewritten; experience, texts of bodies and settings keep
    the old name. All of it is staged, as `git mv` does. If it is interrupted, the same line
    finishes it.
    """
    from doll.services.editing.renaming import rename

    how = manner(by, (), commit=commit)
    opened = open_vault(vault)
    _tell(opened, rename(opened, named(opened, old), new, how), as_json=as_json)


def _tell(vault: "Vault", done: "Renamed", *, as_json: bool) -> None:
    """Print what was renamed and rewritten (or the JSON document doll.mv/1), the rest to stderr.

    The document has `was`, `id`, `path_before`, `path`, `changed`, `rewritten` and `linking`
    (paths), `entries` (how many entries of experience name the old id), `staged`, `commit` (an id,
    or null), `notes` and `next`.
    """
    steps, first = _steps(vault, done)
    if as_json:
        from doll.render.document import to_json

        values = done._asdict()
        for field in ("said", "subject", "trailers", "former"):
            del values[field]
        values |= {"commit": done.commit or None, "next": steps}
        click.echo(to_json("doll.mv/1", values))
    elif done.changed:
        click.echo(f"{visible(done.path_before)} → {visible(done.path)}")
        for path in done.rewritten:
            click.echo(f"  names it now: {visible(path)}")
    else:
        click.echo(f"{visible(done.path)}: named so already; nothing was changed")
    for said in done.said:
        warn(*visible_lines(said))
    warn(*(f"note: {visible(note)}" for note in [*done.notes, *_left(done)]))
    if done.commit:
        warn(f"committed as {done.commit[:12]}: {visible(done.subject)}")
    elif steps:
        counts = ", so it does not count yet" if done.path.startswith("authority/") else ""
        warn(f"staged, not committed{counts}; to commit it{f' ({first})' if first else ''}:")
        warn(*(f"  {visible(step)}" for step in steps))


def _left(done: "Renamed") -> list[str]:
    """Return what goes on naming the old id, by its alias."""
    left = []
    if done.entries:
        entries = count(done.entries, "entry", "entries")
        left.append(f"{entries} of experience: the old name stays and goes on resolving")
    if done.linking:
        shown = ", ".join(done.linking[:_SHOWN])
        more = f" and {len(done.linking) - _SHOWN} more" if len(done.linking) > _SHOWN else ""
        left.append(f"links [[{done.was}]] in the text stay as they are: {shown}{more}")
    return left


def _steps(vault: "Vault", done: "Renamed") -> Steps:
    if done.commit or not done.staged:
        return Steps([])
    # The same line again commits just what it has changed, however much that is.
    again = led(f"doll mv {shlex.quote(done.was)} {shlex.quote(done.id)} --commit")
    paths = (done.path_before, *done.staged)
    found = steps_to_commit(vault, [again], paths)
    # What is staged goes along when git finishes a merge: then that line has nothing left to do.
    if found.first or (len(done.staged) > _SHOWN and not done.trailers):
        return found
    trailers = "".join(f" --trailer {shlex.quote(trailer)}" for trailer in done.trailers)
    names = " ".join(map(shlex.quote, done.staged))
    line = f"{git_here(vault)} commit -m {shlex.quote(done.subject)}{trailers} -- {names}"
    return found._replace(lines=[line])
