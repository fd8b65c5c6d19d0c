"""`doll redact`: values of a committed entry of experience are replaced by `[redacted]`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from doll.cli import completing
from doll.cli.committed import committed_lines
from doll.cli.options import (
    by_option,
    commit_option,
    json_option,
    named,
    open_vault,
    vault_option,
    warn,
)
from doll.cli.recording import manner, next_steps

if TYPE_CHECKING:
    from doll.services.opening import Vault
    from doll.services.redacting.redacting import Redacted

EPILOG = """\b
Example:
  doll redact k3v9q2xw7d --field summary --field tags:2 --reason "names a customer" --commit
"""


@click.command(epilog=EPILOG)
@click.argument("entry", metavar="ID", shell_complete=completing.entry)
@click.option(
    "--field",
    "fields",
    metavar="FIELD",
    multiple=True,
    required=True,
    help="What is replaced: title, summary, tags, paths, evidence, claims, origin_source, "
    "origin_id, review_reason, a key that is no field, or body. tags:2 is the second of a list, "
    "claims:/a one claim. Repeatable.",
)
@click.option("--reason", metavar="TEXT", required=True, help="Why; it stands in the entry.")
@by_option
@commit_option
@vault_option
@json_option
def command(
    entry: str,
    fields: tuple[str, ...],
    reason: str,
    by: str | None,
    commit: bool,
    vault: Path | None,
    as_json: bool,
) -> None:
    """Replace values of the committed entry ID by `[redacted]`; all else keeps its bytes.

    What decides whom the entry warns is never replaced: a redacted failure still warns. It goes
    into a commit of its own with the trailer `Doll-Redacts: ID`. git's history, clones and backups
    still hold the value; the lines that take it out of the history here are printed. ID may be the
    whole id, its last ten characters, or its beginning. A model (--by, DOLL_BY) cannot redact.
    """
    from doll.services.redacting.redacting import redact

    how = manner(by, (), commit=commit)
    opened = open_vault(vault)
    _tell(opened, redact(opened, named(opened, entry), fields, reason, how), as_json=as_json)


def _tell(vault: "Vault", done: "Redacted", *, as_json: bool) -> None:
    """Print the path (or the JSON document doll.redact/1) to stdout, the rest to stderr."""
    from doll.render.text import visible, visible_lines

    written = done.written
    steps, first = next_steps(vault, written)
    if as_json:
        from doll.render.document import to_json

        payload = {
            "id": written.record.id,
            "path": written.record.path,
            "fields": list(done.fields),
            "sha256": written.record.digest,
            "sha256_before": done.before,
            "commit": written.commit,
            "trailers": list(written.trailers),
            "notes": list(written.notes),
            "left": list(done.left),
            "purge": [" && ".join(done.purge)],
            "next": steps,
        }
        click.echo(to_json("doll.redact/1", payload))
    else:
        click.echo(visible(written.record.path))
    for said in written.said:
        warn(*visible_lines(said))
    warn(visible(f"redacted: {', '.join(done.fields)}"))
    warn(*(f"note: {visible(note)}" for note in written.notes))
    if done.left:
        warn("the same words still stand in:", *(f"  {visible(path)}" for path in done.left[:20]))
        if len(done.left) > 20:
            warn(f"  and {len(done.left) - 20:,} more files")
    if written.commit:
        warn(*committed_lines(vault, written.commit, written.subject))
    else:
        how = first or "nothing else may be in that commit"
        warn("written, not committed", f"to commit it ({how}):")
        warn(*(f"  {visible(step)}" for step in steps))
    _tell_purge(done)


def _tell_purge(done: "Redacted") -> None:
    warn(
        "git's history still holds what was redacted, and so do clones, backups and the cache",
        "if it is a password or a key, change it where it is used: that is what helps",
        "to take it out of the history here, once this is committed (every commit since gets a new",
        "id; docs/secrets.md says what that means for signatures, servers, clones); commit first",
        "what is changed or stashed: else it stops before anything is done, and lists the stashes:",
        *(f"  {line} &&" for line in done.purge[:-1]),
        f"  {done.purge[-1]}",
    )
