"""`doll import ADAPTER FILE`: foreign memories become candidates in staging."""

import os
import shlex
from pathlib import Path

import click

from doll.cli.committed import detached_lines
from doll.cli.import_progress import Progress
from doll.cli.options import File, by_option, json_option, open_vault, vault_option, warn
from doll.cli.sources import read_file
from doll.interchange.base import Document
from doll.interchange.strict_json import MAX_BYTES
from doll.render.document import to_json
from doll.render.import_text import SCHEMA, lines, payload
from doll.render.import_values import ImportReport
from doll.render.text import visible
from doll.services.importing.flow import Wish, import_document
from doll.services.recording.authorship import author

EPILOG = """\b
Example:
  doll import pam memory-store.json --name chatgpt-2026-02
  git add staging && git diff --cached
  git commit -m "import chatgpt-2026-02"
  doll review
"""


@click.group(epilog=EPILOG)
def command() -> None:
    """Bring foreign memories into staging for review.

    Nothing is confirmed by an import. What does not fit is listed in the import's `_import.md`.
    """


@command.command(epilog=EPILOG, short_help="A memory store of Portable AI Memory 1.0.")
@click.argument("file", type=File())
@click.option("--name", help="Name of the import; else the file's name and 8 digits of its digest.")
@click.option("--dry-run", is_flag=True, help="Report what would be written, and write nothing.")
@click.option("--commit", is_flag=True, help="Commit just this import.")
@click.option("--again", is_flag=True, help="Bring back candidates that you dropped earlier.")
@click.option(
    "--accept-bad-signature", is_flag=True, help="Import although the signature is wrong."
)
@click.option(
    "--not-a-secret",
    multiple=True,
    metavar="DETECTOR:POINTER",
    help="Declare one hit of the secret detectors a false alarm; it is recorded.",
)
@by_option
@vault_option
@json_option
def pam(
    file: Path,
    *,
    name: str | None,
    dry_run: bool,
    commit: bool,
    again: bool,
    accept_bad_signature: bool,
    not_a_secret: tuple[str, ...],
    by: str | None,
    vault: Path | None,
    as_json: bool,
) -> int:
    """Import FILE, a memory store of Portable AI Memory 1.0.

    Exit 1 when an entry was parked or refused, 4 when the file breaks its format: then nothing is
    written.
    """
    who = author(by, os.environ.get("DOLL_BY"))
    wish = Wish(name, dry_run, commit, again, accept_bad_signature, not_a_secret, who)
    return _run("pam", file, wish, vault, as_json=as_json)


def _run(adapter: str, file: Path, wish: Wish, vault: Path | None, *, as_json: bool) -> int:
    opened = open_vault(vault)
    progress = Progress()
    try:
        report = import_document(opened, adapter, _document(file), wish, progress)
    finally:
        progress.end()
    if as_json:
        click.echo(to_json(SCHEMA, payload(report)))
    else:
        click.echo("\n".join(lines(report)))
        warn(*_next(report, opened.root))
    warn(*(detached_lines(opened) if report.commit else ()))
    return 0 if report.is_clean else 1


def _document(file: Path) -> Document:
    instead = "give the file of the export itself, unpacked and saved on disk"
    return Document(file.name, read_file(file, MAX_BYTES, instead=instead))


def _next(report: ImportReport, root: Path) -> list[str]:
    """Return what to type next."""
    git = "git" if root == Path.cwd() else f"git -C {shlex.quote(str(root))}"
    if report.pending:
        steps = map(shlex.quote, report.pending)
        names = [shlex.quote(f"import {each.rpartition('/')[2]}") for each in report.pending]
        lines = [
            f"{git} add -- {step} && {git} commit -m {name} -- {step}"
            for step, name in zip(steps, names, strict=True)
        ]
        return ["  it is not committed yet; to commit it:", *(f"    {visible(e)}" for e in lines)]
    if not report.folder or report.dry_run:
        return []
    if report.commit:
        return [f"  next: doll review    (committed as {report.commit[:12]})"]
    message = shlex.quote(f"import {report.name}")
    return [
        f"  next: {visible(git)} add staging && {visible(git)} diff --cached",
        f"        {visible(git)} commit -m {visible(message)}",
        "        doll review",
    ]
