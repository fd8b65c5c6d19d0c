"""`doll status`: what the vault holds and what is not committed."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from doll.cli import clock
from doll.cli.options import json_option, open_vault, vault_option
from doll.render.document import to_json
from doll.render.leading import led
from doll.render.problems import problem_lines, problem_values
from doll.render.status_text import (
    absent_lines,
    count_lines,
    leftover_lines,
    unaccepted_lines,
    uncommitted_lines,
    underway_lines,
    unsigned_lines,
)
from doll.render.text import visible
from doll.render.watch_text import watcher_lines
from doll.services.surveying import survey
from doll.services.watching.standing import standing

if TYPE_CHECKING:
    from doll.services.opening import Vault
    from doll.services.surveying import Survey

EPILOG = """\b
Example:
  doll status
"""


@click.command(epilog=EPILOG)
@vault_option
@json_option
def command(vault: Path | None, as_json: bool) -> None:
    """Say what the vault holds, what waits for review, and what is not committed."""
    opened = open_vault(vault)
    found, watcher = survey(opened), standing(opened, clock.now())
    if as_json:
        again = led(watcher.again)
        payload = {**_payload(opened, found), "watcher": {**watcher._asdict(), "again": again}}
        click.echo(to_json("doll.status/1", payload))
        return
    click.echo(f"{visible(str(opened.root))} on {_where(found)}")
    for line in underway_lines(found.underway):
        click.echo(line)
    for line in count_lines(found.counts, found.waiting, found.rejected):
        click.echo(line)
    branch = found.accepted.branch if found.accepted else ""
    unsigned = unsigned_lines(found.unsigned.changes, found.unsigned.problems)
    for line in (*unaccepted_lines(found.unaccepted, branch), *unsigned):
        click.echo(line)
    for line in uncommitted_lines(found.uncommitted):
        click.echo(line)
    for line in absent_lines(found.absent):
        click.echo(line)
    if found.unreadable:
        click.echo(f"not readable ({len(found.unreadable):,}): {led('doll validate')}")
        for line in problem_lines(found.unreadable):
            click.echo(f"  {line}")
    for line in leftover_lines(found.leftovers):
        click.echo(line)
    if found.cache_fault:
        then = led("doll index    says what to type")
        click.echo(f"the cache is not used: {visible(found.cache_fault)}; {then}")
    for line in watcher_lines(watcher):
        click.echo(line)


def _where(found: "Survey") -> str:
    if found.accepted is None:
        return f"no accepted commit: {visible(found.obstacle)}"
    commit = found.accepted.commit[:12]
    if found.accepted.on_branch:
        return f"{visible(found.accepted.branch)} at {commit}"
    here = f"the branch {visible(found.on)}" if found.on else "no branch"
    return f"{here}; accepted is {commit}, where it left {visible(found.accepted.branch)}"


def _payload(opened: "Vault", found: "Survey") -> dict[str, object]:
    accepted = found.accepted
    return {
        "root": str(opened.root),
        "id": opened.settings.id,
        "head": opened.head,
        "branch": accepted.branch if accepted else None,
        "on": found.on,
        "accepted": accepted.commit if accepted else None,
        "obstacle": found.obstacle,
        "counts": found.counts,
        "waiting": found.waiting,
        "waiting_for": _waiting(found),
        "rejected": found.rejected,
        "uncommitted": [d._asdict() for d in found.uncommitted],
        "unaccepted": [d._asdict() for d in found.unaccepted],
        "not_checked_out": found.absent,
        "unreadable": problem_values(found.unreadable),
        "unsigned": [change._asdict() for change in found.unsigned.changes],
        "unsure": problem_values(found.unsigned.problems),
        "cache_fault": found.cache_fault,
        "leftovers": found.leftovers,
    }


def _waiting(found: "Survey") -> dict[str, str] | None:
    waits = found.underway
    return {name: led(said) for name, said in waits._asdict().items()} if waits else None
