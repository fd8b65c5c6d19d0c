"""`doll confirm`: the user confirms an entry of experience."""

from pathlib import Path

import click

from doll.cli import completing
from doll.cli.options import by_option, commit_option, json_option, named, open_vault, vault_option
from doll.cli.recording import manner, not_a_secret_option, tell

EPILOG = """\b
Example:
  doll confirm k3v9q2xw7d --commit
"""


@click.command(epilog=EPILOG)
@click.argument("entry", metavar="ID", shell_complete=completing.entry)
@by_option
@not_a_secret_option
@commit_option
@vault_option
@json_option
def command(
    entry: str,
    by: str | None,
    not_a_secret: tuple[str, ...],
    commit: bool,
    vault: Path | None,
    as_json: bool,
) -> None:
    """Confirm the entry ID as the user: a new entry, `user_confirmed`, that supersedes it.

    All that it says is taken over. The old file stays as it is. ID may be the whole id, its last
    ten characters, or its beginning. A model (--by, DOLL_BY) cannot confirm.
    """
    from doll.services.recording.experience import confirm

    how = manner(by, not_a_secret, commit=commit)
    opened = open_vault(vault)
    tell(opened, confirm(opened, named(opened, entry), how), as_json=as_json)
