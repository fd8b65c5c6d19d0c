"""`doll recall`: search confirmed memory and experience."""

from datetime import datetime
from pathlib import Path
from typing import Any

import click

from doll.cli.choices import Count, OneOf
from doll.cli.clock import now
from doll.cli.narrowing import narrowing_options
from doll.cli.notices import say
from doll.cli.options import json_option, open_vault, vault_option
from doll.cli.progress import indexing
from doll.recall.algorithms import DEFAULT, NAMES
from doll.records import times

EPILOG = """\b
Examples:
  doll recall "which languages do I speak"
  doll recall espresso --limit 3 --explain
  doll recall "online migration" --project atlas --outcome failed --since 2026-05
  doll recall GIT_DIR --json
"""


@click.command(epilog=EPILOG)
@click.argument("query", nargs=-1, required=True)
@narrowing_options
@vault_option
@click.option(
    "--limit",
    type=Count(1, 1000),
    default=10,
    show_default=True,
    help="The most records to show.",
)
@click.option(
    "--as-of",
    metavar="TIME",
    help="Show what was current then; else now, rounded up to the minute.",
)
@click.option(
    "--algorithm",
    type=OneOf(NAMES),
    default=DEFAULT,
    show_default=True,
    metavar="NAME",
    help=f"How to rank: {', '.join(NAMES)}. Changes the order, and no record.",
)
@click.option("--explain", is_flag=True, help="Show every part of each score.")
@json_option
def command(
    query: tuple[str, ...],
    vault: Path | None,
    limit: int,
    as_of: str | None,
    algorithm: str,
    explain: bool,
    as_json: bool,
    **narrowing: Any,
) -> None:
    """Search confirmed memory and experience for any of the words of QUERY.

    Secret, archived, superseded, retracted and expired records and candidates are left out. A
    filter given more than once wants any of its values; all filters have to fit. Exit 0 also where
    nothing matches: `hits` of --json is empty then.
    """
    from doll.services.recalling.filtering import Filters
    from doll.services.recalling.searching import recall
    from doll.services.recalling.using import remember

    moment: datetime = times.next_full_minute(now()) if as_of is None else times.parse_as_of(as_of)
    opened = open_vault(vault)
    with indexing() as progress:
        answer, notices = recall(
            opened,
            " ".join(query),
            moment,
            limit=limit,
            name=algorithm,
            filters=Filters(**narrowing),
            progress=progress,
        )
    say(notices)
    if as_json:
        from doll.render.document import to_json
        from doll.render.recall_document import SCHEMA, answer_values

        click.echo(to_json(SCHEMA, answer_values(answer, explain=explain)))
    else:
        from doll.render.recall_text import answer_lines

        for line in answer_lines(answer, explain=explain):
            click.echo(line)
    # The answer is out: nothing waits for the log.
    say(remember(opened, answer, now()))
