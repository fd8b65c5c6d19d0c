"""`doll show`: one record, quoted as data."""

import os
from pathlib import Path

import click

from doll.cli import completing
from doll.cli.options import json_option, named, open_vault, vault_option
from doll.errors import ConflictError

EPILOG = """\b
Examples:
  doll show espresso
  doll show k3v9q2xw7d --json
"""
_STATES = {
    "committed": "yes: HEAD has these bytes",
    "changed": "no: it differs from HEAD",
    "new": "no: HEAD has no such file",
}


@click.command(epilog=EPILOG)
@click.argument("record", metavar="ID", shell_complete=completing.any_id)
@click.option("--reveal", is_flag=True, help="Show the text of a record labelled secret, too.")
@vault_option
@json_option
def command(record: str, reveal: bool, vault: Path | None, as_json: bool) -> None:
    """Show one record: path, digest, whether it is committed, its text, references to and from it.

    ID is an id, an alias, a path (in the vault, or from where you are), a candidate
    (`<import>/<name>`), the last ten characters of an experience entry, or the beginning of an id.
    Values that look like secrets are covered.
    """
    from doll.services.reading.showing import show

    if reveal and os.environ.get("DOLL_BY"):
        raise ConflictError("--reveal is for the user, and DOLL_BY says that a model is at work")
    opened = open_vault(vault)
    shown = show(opened, named(opened, record))
    found = shown.record
    if as_json:
        from doll.render.document import to_json
        from doll.render.record_text import link_values, record_values

        payload = {
            "record": record_values(found, shown.body, reveal=reveal),
            "state": shown.state,
            "refers_to": link_values(shown.refers_to),
            "referred_by": link_values(shown.referred_by),
        }
        click.echo(to_json("doll.record/1", payload))
        return
    from doll.render.record_text import record_lines

    facts = [
        ("id", found.id),
        ("type", found.type),
        ("sha256", found.digest),
        ("committed", _STATES[shown.state]),
    ]
    lines = record_lines(
        found, shown.text, facts, shown.refers_to, shown.referred_by, reveal=reveal
    )
    click.echo("\n".join(lines))
