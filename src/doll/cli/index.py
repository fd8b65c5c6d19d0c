"""`doll index`: refresh, rebuild or check the recall index."""

from pathlib import Path

import click

from doll.cli.notices import say
from doll.cli.options import json_option, open_vault, vault_option
from doll.cli.progress import indexing
from doll.errors import UsageError

EPILOG = """\b
Examples:
  doll index              bring it up to date
  doll index --rebuild    make it anew, in place of a cache that doll does not trust
  doll index --check      compare it with a clean one
"""


@click.command(epilog=EPILOG)
@vault_option
@click.option("--rebuild", is_flag=True, help="Make it from nothing.")
@click.option(
    "--check", is_flag=True, help="Compare it with one made from nothing; exit 1 if it differs."
)
@json_option
def command(vault: Path | None, rebuild: bool, check: bool, as_json: bool) -> int:
    """Bring the recall index up to date with the files.

    `doll recall` does so by itself; nothing is lost with an index.
    """
    from doll.render.problems import problem_values
    from doll.render.recall_text import unreadable_lines
    from doll.render.text import count, visible
    from doll.services.recalling import indexing as service

    if rebuild and check:
        raise UsageError("--rebuild and --check do not go together", hint="doll index --check")
    opened = open_vault(vault)
    work = service.make_anew if rebuild else service.check if check else service.bring_up_to_date
    with indexing() as progress:
        report = work(opened, progress)
    say(report.notices)
    code = 1 if report.differences else 0
    if as_json:
        from doll.render.document import to_json

        payload = {
            "records": report.records,
            "unreadable": problem_values(report.unreadable),
            "differences": report.differences,
        }
        click.echo(to_json("doll.index/1", payload))
        return code
    click.echo(f"{count(report.records, 'record')} searchable")
    for line in unreadable_lines(report.unreadable):
        click.echo(line)
    if report.differences is not None:
        click.echo(f"{count(len(report.differences), 'difference')} from a clean index")
        for difference in report.differences[:20]:
            click.echo(f"  {visible(difference)}")
    return code
