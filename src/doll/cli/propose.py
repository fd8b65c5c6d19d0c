"""`doll propose`: a model offers a memory or an entry of experience for review."""

import sys
from pathlib import Path

import click

from doll.cli.choices import OneOf
from doll.cli.options import by_option, commit_option, json_option, open_vault, vault_option, warn
from doll.cli.recording import manner, tell
from doll.records.model import TYPES, RecordType

EPILOG = """\b
Example:
  doll propose memory --by model:claude --json <<'END'
  ---
  title: Espresso, no sugar
  tags: [coffee]
  ---
  Said so twice this week.
  END
"""


@click.command(epilog=EPILOG)
@click.argument("record_type", metavar="TYPE", type=OneOf(TYPES))
@by_option
@commit_option
@vault_option
@json_option
def command(
    record_type: RecordType, by: str | None, commit: bool, vault: Path | None, as_json: bool
) -> None:
    """Offer what stands on stdin as a candidate that waits for the user's review.

    TYPE is memory or experience; stdin is Markdown with front matter, or one JSON object with the
    same fields and `body`. The text is kept as it is; nothing in it makes it more than a proposal.
    What is wrong is told all at once, with --json as problems with line, column, pointer, code and
    hint (exit 4). The same proposal again changes nothing and says what became of it.
    `doll schema TYPE` lists the fields.
    """
    from doll.services.proposing.proposing import propose
    from doll.services.proposing.reading import MAX_BYTES

    how = manner(by, (), commit=commit)
    opened = open_vault(vault)
    if sys.stdin is not None and sys.stdin.isatty():
        warn("type the proposal, then Ctrl-D on a line of its own")
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    tell(opened, propose(opened, record_type, data, how), as_json=as_json)
