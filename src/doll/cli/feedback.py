"""`doll feedback`: how recalled records served, for the order of later answers."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from doll.cli import completing
from doll.cli.choices import OneOf
from doll.cli.clock import now
from doll.cli.options import by_option, json_option, named, open_vault, vault_option, warn
from doll.errors import UsageError
from doll.vault.signals import Verdict

if TYPE_CHECKING:
    from doll.services.recording.feedback import Given

EPILOG = """\b
Examples:
  doll feedback espresso-order helpful
  doll feedback old-address k3v9q2xw7d irrelevant --by model:claude-opus-4
"""


@click.command(epilog=EPILOG)
@click.argument("records", metavar="ID...", nargs=-1, shell_complete=completing.recalled)
@click.argument("said", metavar="VERDICT", type=OneOf(get_args(Verdict)))
@by_option
@vault_option
@json_option
def command(
    records: tuple[str, ...], said: Verdict, by: str | None, vault: Path | None, as_json: bool
) -> None:
    """Say how the records ID served: helpful, irrelevant or contradicted.

    It is kept in .doll/usage and changes no record: `doll recall --algorithm activation/1` orders
    by it. A model (--by, DOLL_BY) may say so too; its word counts for less. ID is what `doll show`
    takes; a candidate is none.
    """
    from doll.services.recording.authorship import author
    from doll.services.recording.feedback import give

    if not records:
        hint = f"doll feedback ID {said}\ndoll list --type memory    shows ids"
        raise UsageError("no record is named", hint=hint)
    who = author(by, os.environ.get("DOLL_BY"))
    opened = open_vault(vault)
    given = give(opened, [named(opened, each) for each in records], said, who, now())
    if as_json:
        _print_json(given)
    else:
        _print_lines(given)


def _print_json(given: "Given") -> None:
    """Print doll.feedback/1: `ids`, `said`, `by`, `at`, `file`; `records_changed` is always 0."""
    from doll.render.document import to_json

    signal = given.signal
    payload = {
        "ids": signal.ids,
        "said": signal.said,
        "by": signal.by,
        "at": signal.at,
        "file": given.path,
        "records_changed": 0,
    }
    click.echo(to_json("doll.feedback/1", payload))


def _print_lines(given: "Given") -> None:
    from doll.render.text import visible

    signal = given.signal
    by = "you" if signal.by == "user" else signal.by
    for each in signal.ids:
        click.echo(f"{visible(each)}: {signal.said}, says {by}")
    warn("no record changed; doll recall --algorithm activation/1 orders by it")
    if signal.said == "contradicted" and signal.by == "user":
        for record in given.records:
            verb = "edit" if record.type == "memory" else "correct"
            rest = "" if verb == "edit" else ' "what is right"'
            warn(f"to change what it says: doll {verb} {visible(_typed(record.id))}{rest}")


def _typed(name: str) -> str:
    import shlex

    return shlex.quote(name)
