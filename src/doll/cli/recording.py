"""What `new`, `log`, `correct` and `confirm` share: who writes, the body, what is told."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from doll.cli import clock
from doll.cli.committed import Steps, committed_lines, steps_to_commit
from doll.cli.options import Decorator, place_of, warn
from doll.errors import UsageError
from doll.render.leading import led

if TYPE_CHECKING:
    from doll.services.opening import Vault
    from doll.services.recording.writing import Manner, Written

body_option: Decorator = click.option(
    "--body",
    metavar="TEXT",
    help="The Markdown text below the front matter; - reads it from stdin.",
)
not_a_secret_option: Decorator = click.option(
    "--not-a-secret",
    "not_a_secret",
    metavar="DETECTOR:FIELD",
    multiple=True,
    help="Let this one find through, which you know is no secret; the commit message says so.",
)


def manner(by: str | None, not_a_secret: Sequence[str], *, commit: bool) -> "Manner":
    """Return how the record is written, from the options, `DOLL_BY` and the clock."""
    from doll.services.recording.authorship import author
    from doll.services.recording.writing import Manner

    who = author(by, os.environ.get("DOLL_BY"))
    return Manner(who, clock.now(), tuple(not_a_secret), commit)


def project_here(named: str | None) -> str | None:
    """Return the project that git's configuration names for the repository one is in, or None.

    Where a project is `named` by an option, nobody asks git.
    """
    from doll.services.requesting import configured_project

    if named is not None:
        return None
    return configured_project(place_of(None).repository())


def read_body(option: str | None) -> str:
    """Return the text of `--body`, from stdin for `-`; UsageError when it cannot be a body."""
    from doll.records.limits import MAX_FILE_BYTES
    from doll.services.recording.wording import readable

    if option != "-":
        return readable(option or "", "--body")
    if sys.stdin is not None and sys.stdin.isatty():
        warn("type the text, then Ctrl-D on a line of its own")
    data = sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise UsageError(
            f"--body: stdin has more than {MAX_FILE_BYTES:,} bytes, the most a record may have",
            hint="keep the file where it is and name it: --evidence file:PATH",
        )
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise UsageError(
            f"--body: stdin is not UTF-8 at byte {error.start + 1:,}", hint="send it as UTF-8 text"
        ) from error


def tell(vault: "Vault", written: "Written", *, as_json: bool) -> None:
    """Print the path (or the JSON document doll.record/1) to stdout, the rest to stderr.

    The document has `record` (see `doll show`), `commit` (its id, or null), `notes`, `trailers` (of
    the commit message), `state` (`written`, or what became of a proposal that was made before) and
    `next` (the lines to type, empty when it is committed).
    """
    from doll.render.text import visible, visible_lines

    steps, first = next_steps(vault, written)
    if as_json:
        from doll.render.document import to_json
        from doll.render.record_text import record_values

        payload = {
            "record": record_values(written.record, written.body),
            "commit": written.commit,
            "notes": list(map(led, written.notes)),
            "state": written.state,
            "trailers": list(written.trailers),
            "next": steps,
        }
        click.echo(to_json("doll.record/1", payload))
    else:
        click.echo(visible(written.record.path))
    for said in written.said:
        warn(*visible_lines(said))
    warn(*(f"note: {visible(note)}" for note in written.notes))
    if written.commit:
        warn(*committed_lines(vault, written.commit, written.subject))
    elif written.pending:
        counts = "; it counts once it is" if written.record.path.startswith("auth") else ""
        how = first or "--commit does so at once"
        done = "written," if written.state == "written" else "nothing was written; it is"
        warn(f"{done} not committed{counts}", f"to commit it ({how}):")
        warn(*(f"  {visible(step)}" for step in steps))
    else:
        warn("nothing was written")


def next_steps(vault: "Vault", written: "Written") -> Steps:
    """Return the lines to type until a record is committed, none where it is."""
    lines = [to_commit(vault, written)] if written.pending else []
    return steps_to_commit(vault, lines, [written.record.path, *written.along])


def to_commit(vault: "Vault", written: "Written") -> str:
    """Return the line to type here that commits a record."""
    import shlex

    from doll.services.recording.writing import to_commit as line

    here = Path.cwd().resolve() == vault.root
    return line(written, "" if here else f"-C {shlex.quote(str(vault.root))} ")
