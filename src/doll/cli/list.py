"""`doll list`: one line for each record."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from doll.cli import completing
from doll.cli.choices import OneOf
from doll.cli.clock import now
from doll.cli.options import json_option, open_vault, vault_option, warn
from doll.errors import UsageError
from doll.records.model import TYPES, RecordType

if TYPE_CHECKING:
    from doll.services.reading.listing import Filters, Listing

EPILOG = """\b
Examples:
  doll list --type policy --project atlas
  doll list --status failed
  doll list --type memory -0 | xargs -0 wc -w
"""


@click.command(epilog=EPILOG)
@click.option("--type", "types", type=OneOf(TYPES), multiple=True, help="Of this type; repeatable.")
@click.option(
    "--project", metavar="ID", shell_complete=completing.project, help="That name this project."
)
@click.option(
    "--status",
    "states",
    metavar="STATUS",
    multiple=True,
    help="That stand here: status, outcome, effect, mode or release; repeatable.",
)
@click.option("--staging", is_flag=True, help="Candidates that wait for review, too.")
@click.option("-0", "null", is_flag=True, help="Print paths only, each ended by a NUL byte.")
@vault_option
@json_option
def command(
    types: tuple[RecordType, ...],
    project: str | None,
    states: tuple[str, ...],
    staging: bool,
    null: bool,
    vault: Path | None,
    as_json: bool,
) -> None:
    """List records by type and id: id, type, where it stands, name.

    What something current supersedes is marked so. Paths are relative to the vault. A record
    labelled secret is listed by its id. Files that cannot be read are named each time, on stderr.
    """
    from doll.services.reading.listing import Filters, list_records

    if null and as_json:
        raise UsageError("-0 and --json are two forms of output", hint="keep one of them")
    filters = Filters(types, project, states, staging)
    listing = list_records(open_vault(vault), filters, now())
    if as_json:
        _print_json(listing, filters)
    elif null:
        sys.stdout.buffer.write(b"".join(os.fsencode(r.path) + b"\0" for r in listing.records))
        sys.stdout.buffer.flush()
    else:
        _print_lines(listing, filters)
    _warn_unreadable(listing)


def _print_lines(listing: "Listing", filters: "Filters") -> None:
    from doll.render.listing_text import listing_lines, shown_state
    from doll.services.reading.listing import state

    rows = [
        (record, shown_state(state(record), superseded=record.path in listing.superseded))
        for record in listing.records
    ]
    for line in listing_lines(rows):
        click.echo(line)
    if listing.records:
        return
    if any(filters):
        warn("no record matches these filters")
    else:
        warn('no record here; `doll new memory espresso --title "…"` writes one')


def _print_json(listing: "Listing", filters: "Filters") -> None:
    """Print doll.list/1: `records`, `filters`, `unreadable` (paths) and their `problems`.

    `superseded` of a record says that something current replaces it, beside its own `status`.
    """
    from doll.render.document import to_json
    from doll.render.listing_text import shown_name
    from doll.render.problems import problem_values
    from doll.secrets import mask_within
    from doll.services.reading.listing import projects_of, state

    records = [
        {
            "id": record.id,
            "path": record.path,
            "type": record.type,
            "status": state(record) or None,
            "superseded": record.path in listing.superseded,
            "name": shown_name(record),
            "projects": mask_within(projects_of(record)),
            "sensitivity": record.fields.sensitivity,
            "origin": record.fields.origin,
            "digest": record.digest,
        }
        for record in listing.records
    ]
    payload = {
        "records": records,
        "filters": filters._asdict(),
        "unreadable": list(listing.unreadable),
        "problems": problem_values(listing.problems),
    }
    click.echo(to_json("doll.list/1", payload))


def _warn_unreadable(listing: "Listing") -> None:
    if listing.unreadable:
        from doll.render.problems import problem_lines
        from doll.render.text import count

        warn(f"{count(len(listing.unreadable), 'file')} cannot be read and may be missing above:")
        warn(*problem_lines(listing.problems))
