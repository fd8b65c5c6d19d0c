"""`doll import ADAPTER PATH`: foreign memories and events become candidates in staging."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from doll.cli import completing
from doll.cli.archives import is_archive, read_archive
from doll.cli.committed import detached_lines, steps_to_commit
from doll.cli.import_options import Shared, as_of_option, moment, shared_options
from doll.cli.import_progress import Progress
from doll.cli.note_sources import read_notes, source_key
from doll.cli.options import File, json_option, open_vault, warn
from doll.cli.review_told import git_here
from doll.cli.sources import read_document
from doll.errors import UsageError
from doll.interchange import registry
from doll.interchange.base import Document
from doll.interchange.strict_json import MAX_BYTES
from doll.render.document import to_json
from doll.render.import_text import SCHEMA, lines, payload
from doll.render.import_values import ImportReport
from doll.render.leading import led
from doll.render.text import visible
from doll.services.importing.flow import Wish, import_document

if TYPE_CHECKING:
    from doll.services.opening import Vault

EPILOG = """\b
Example:
  doll import pam memory-store.json --name chatgpt-2026-02
  git add staging && git diff --cached
  git commit -m "import chatgpt-2026-02"
  doll review
"""

ENGRAM_EPILOG = """\b
Examples:
  doll import engram ~/.plur --name plur-2026-11
  doll import engram packs/deploy --dry-run
  doll import engram ~/.plur --project shop
"""

PROJECTMEM_EPILOG = """\b
Examples:
  doll import projectmem ~/code/shop --project shop
  doll import projectmem .projectmem/events.jsonl --project shop --commit
"""

MARKDOWN_EPILOG = """\b
Examples:
  doll import markdown ~/notes --name notes-2026-11
  doll import markdown ~/.claude/CLAUDE.md --source claude
  doll import markdown memories.md --split --dry-run
"""

GROUP_EPILOG = """\b
Examples:
  doll import --detect ~/Downloads/export
  doll import pam memory-store.json --name chatgpt-2026-02
  doll import engram ~/.plur
  doll import projectmem ~/code/shop --project shop
"""
_LARGE = 1024 * 1024
_LONGEST_KEY = 200


@click.group(
    invoke_without_command=True,
    no_args_is_help=True,
    subcommand_metavar="[COMMAND] [ARGS]...",
    epilog=GROUP_EPILOG,
)
@click.option(
    "--detect",
    metavar="PATH",
    type=File(),
    help="Say what PATH is, why, and the line to type; nothing is written. Exit 1: nothing known.",
)
@json_option
@click.pass_context
def command(context: click.Context, detect: Path | None, *, as_json: bool) -> None:
    """Bring foreign memories into staging for review.

    Nothing is confirmed by an import. What does not fit is listed in the import's `_import.md`.
    """
    if context.invoked_subcommand is not None:
        if detect is not None:
            raise UsageError("--detect stands alone", hint="doll import --detect PATH")
        if as_json:
            hint = "doll import ADAPTER PATH --json"
            raise UsageError("--json stands behind the adapter", hint=hint)
        return
    if detect is None:
        raise UsageError("--detect names what to look at", hint="doll import --detect PATH --json")
    from doll.cli import detecting

    found = detecting.detect(detect)
    if as_json:
        click.echo(to_json(detecting.SCHEMA, detecting.payload(found)))
    else:
        click.echo("\n".join(detecting.lines(found)))
    if not found.signs:
        context.exit(1)


@command.command(epilog=EPILOG, short_help="A memory store of Portable AI Memory 1.0.")
@click.argument("path", type=File())
@click.option(
    "--accept-bad-signature", is_flag=True, help="Import although the signature is wrong."
)
@click.option(
    "--as-full", is_flag=True, help="Import an increment although its base is not known here."
)
@click.option(
    "--keep-source",
    is_flag=True,
    help="Keep conversations and embeddings too, those in which nothing looks like a secret.",
)
@shared_options
def pam(
    path: Path, *, accept_bad_signature: bool, as_full: bool, keep_source: bool, **shared: Any
) -> int:
    """Import PATH, a memory store of Portable AI Memory 1.0.

    PATH is its file, or a folder or zip archive with memory-store.json in it: the conversations and
    embeddings beside it are listed by digest, and nothing is made of them. Exit 1 when an entry was
    parked or refused; 4 when a file breaks its format or names one outside of its folder, 5 when it
    is an increment of an export that is not known here: then nothing is written.
    """
    given = Shared(**shared)
    wish = given.wish()._replace(
        accept_bad_signature=accept_bad_signature, as_full=as_full, keep_source=keep_source
    )
    document = _source("pam", path)
    if not document.main and is_archive(document.data):
        layout = registry.LAYOUTS["pam"]
        document = read_archive(document.name, document.data, layout, MAX_BYTES)
    return _run("pam", document, wish, given)


@command.command(epilog=ENGRAM_EPILOG, short_help="A store or pack of engrams.")
@click.argument("path", type=File())
@click.option(
    "--project",
    metavar="ID",
    shell_complete=completing.project,
    help="Import the episodes too, as experience of this project.",
)
@as_of_option
@shared_options
def engram(path: Path, *, project: str | None, as_of: str | None, **shared: Any) -> int:
    """Import PATH, a store or pack of engrams: its folder, or its engrams.yaml alone.

    Every engram becomes a memory candidate; retired ones are listed and not imported. Exit 1 when
    an entry was parked or refused, 4 when a file breaks its format or a pack its INTEGRITY: then
    nothing is written.
    """
    given = Shared(**shared)
    wish = given.wish()._replace(project=project, as_of=moment(as_of))
    return _run("engram", _source("engram", path), wish, given)


@command.command(epilog=PROJECTMEM_EPILOG, short_help="A log of projectmem.")
@click.argument("path", type=File())
@click.option(
    "--project",
    metavar="ID",
    required=True,
    shell_complete=completing.project,
    help="The project whose experience the events become.",
)
@click.option("--lossy", is_flag=True, help="Where there is no log, import its summary as text.")
@as_of_option
@shared_options
def projectmem(path: Path, *, project: str, lossy: bool, as_of: str | None, **shared: Any) -> int:
    """Import PATH, a log of projectmem: its events.jsonl, or the folder that holds it.

    Every event becomes a candidate for experience; none closes, decides or replaces anything. Exit
    1 when a row was parked or refused: the others are imported. Exit 4 when there is no log.
    """
    given = Shared(**shared)
    wish = given.wish()._replace(project=project, lossy=lossy, as_of=moment(as_of))
    layout = registry.LAYOUTS["projectmem"]
    if lossy:
        layout = layout._replace(main=(*layout.main, "summary.md", ".projectmem/summary.md"))
    document = read_document(path, layout, MAX_BYTES, instead=layout.absent)
    return _run("projectmem", document, wish, given)


@command.command(epilog=MARKDOWN_EPILOG, short_help="Notes, a vault of Obsidian, CLAUDE.md.")
@click.argument("path", type=File())
@click.option("--source", metavar="KEY", help="What the notes go by; else their folder.")
@click.option("--split", is_flag=True, help="Split every note at its headings.")
@shared_options
def markdown(path: Path, *, source: str | None, split: bool, **shared: Any) -> int:
    """Import PATH: a note, or all notes below a folder, such as an Obsidian vault.

    A note becomes one memory candidate. CLAUDE.md, AGENTS.md, MEMORY.md and their like become one
    for each section. Notes that come again under the same key are known by path and heading. Exit 1
    when an entry was parked or refused, 4 when there is no note.
    """
    given = Shared(**shared)
    key = source_key(path) if source is None else _key(source)
    wish = given.wish()._replace(source=key, split=split)
    progress = Progress()
    try:
        document = read_notes(path, lambda number: progress("reading", number, 0))
    finally:
        progress.end()
    return _run("markdown", document, wish, given)


def _key(source: str) -> str:
    if not source.strip() or visible(source) != source or len(source) > _LONGEST_KEY:
        what = f"a key is one line of 1 to {_LONGEST_KEY} characters that can be seen"
        raise UsageError(f"--source: {what}", hint="such as --source notes")
    return source


def _source(adapter: str, path: Path) -> Document:
    layout = registry.LAYOUTS[adapter]
    return read_document(path, layout, MAX_BYTES, instead=layout.absent)


def _run(adapter: str, document: Document, wish: Wish, given: Shared) -> int:
    opened = open_vault(given.vault)
    size = sum(len(data) for _, data in document.files)
    progress = Progress(at_once=size > _LARGE)
    try:
        report = import_document(opened, adapter, document, wish, progress)
    finally:
        progress.end()
    if given.as_json:
        click.echo(to_json(SCHEMA, payload(report)))
    else:
        click.echo("\n".join(lines(report)))
        warn(*_next(report, opened))
    warn(*(detached_lines(opened) if report.commit else ()))
    return 0 if report.is_clean else 1


def _next(report: ImportReport, vault: "Vault") -> list[str]:
    """Return what to type next."""
    git = git_here(vault)
    if report.pending:
        lines = []
        for each in report.pending:
            folder, name = shlex.quote(each), shlex.quote(f"import {each.rpartition('/')[2]}")
            lines.append(f"{git} add -- {folder} && {git} commit -m {name} -- {folder}")
        steps, first = steps_to_commit(vault, lines, report.pending)
        how = f" ({first})" if first else ""
        shown = [f"    {visible(step)}" for step in steps]
        return [f"  it is not committed yet; to commit it{how}:", *shown]
    if not report.folder or report.dry_run:
        return []
    if report.commit:
        return [led(f"  next: doll review    (committed as {report.commit[:12]})")]
    message, folder = shlex.quote(f"import {report.name}"), shlex.quote(report.folder)
    lines = [f"{git} add staging && {git} diff --cached", f"{git} commit -m {message} -- {folder}"]
    steps, first = steps_to_commit(vault, lines, [report.folder])
    steps = [*map(visible, steps), led("doll review")]
    return [
        *([f"  {first}"] if first else []),
        f"  next: {steps[0]}",
        *(f"        {step}" for step in steps[1:]),
    ]
