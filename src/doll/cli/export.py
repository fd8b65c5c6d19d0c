"""`doll export pam`: accepted memories leave as a Portable AI Memory store."""

import shlex
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from doll import __version__
from doll.cli import completing
from doll.cli.options import File, json_option, named, open_vault, vault_option, warn
from doll.cli.progress import exporting, indexing
from doll.cli.sources import read_file
from doll.errors import InvalidDocumentError
from doll.records import times

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from doll.interchange.base import Document
    from doll.render.export_values import ExportReport
    from doll.services.exporting.flow import Export

EPILOG = """\b
Examples:
  doll export pam --all --owner ada --out memory-store.json
  doll export pam espresso-order tea --owner ada > store.json
  doll export pam --all --owner ada --base memory-store.json --out since.json
  doll export pam --tag work --owner ada --sign key.pem --out work.json
"""

_STDOUT = "-"


@click.group(epilog=EPILOG)
def command() -> None:
    """Take confirmed memories along to another tool.

    The vault is only read. What the other format has no place for is listed in a loss report.
    """


@command.command(epilog=EPILOG, short_help="A memory store of Portable AI Memory 1.0.")
@click.argument("ids", nargs=-1, metavar="[ID]...", shell_complete=completing.ids_in("confirmed"))
@click.option("--all", "everything", is_flag=True, help="All memories that may be exported.")
@click.option("--tag", "tags", metavar="TAG", multiple=True, help="Those with TAG; repeatable.")
@click.option("--query", metavar="TEXT", help="Those that have words of TEXT.")
@click.option("--owner", metavar="ID", required=True, help="The id under which others know you.")
@click.option(
    "--out", type=File(allow_dash=True), metavar="FILE", help="Write here; else to stdout."
)
@click.option("--force", is_flag=True, help="Replace a FILE that is no export of doll's.")
@click.option(
    "--base", type=File(), metavar="FILE", help="Only what is new or changed since this export."
)
@click.option(
    "--sign", "key", type=File(), metavar="KEY", help="Sign with the Ed25519 private key in a file."
)
@click.option(
    "--as-of", metavar="TIME", help="The export's date; else that of the last change committed."
)
@vault_option
@json_option
def pam(
    ids: tuple[str, ...],
    everything: bool,
    tags: tuple[str, ...],
    query: str | None,
    owner: str,
    out: Path | None,
    force: bool,
    base: Path | None,
    key: Path | None,
    as_of: str | None,
    vault: Path | None,
    as_json: bool,
) -> int:
    """Export memories as a store of Portable AI Memory 1.0.

    Only confirmed memories as accepted: committed, signed and reviewed where that is asked, active,
    not labelled secret, and not `exportable: false`. One that you name and that is not is refused
    (exit 5), and nothing is written; of --all, --tag and --query the rest is left out and counted.
    What has no place in the format is listed in FILE.loss.md; without --out on stderr. Exit 1 when
    something was left out that has to be mended, such as a secret.
    """
    from doll.services.exporting import asking, writing
    from doll.services.exporting.flow import Wish, export

    target = None if out is None or str(out) == _STDOUT else out
    opened = open_vault(vault)
    if target is not None:
        writing.check(target, opened.root, base, force=force)
    names = tuple(named(opened, name) for name in ids)
    wish = Wish(
        owner=owner,
        asked=asking.Asked(names, everything, tags, query),
        version=_version(),
        base=_document(base),
        key=_key(key),
        as_of=None if as_of is None else times.parse_as_of(as_of),
    )
    with exporting() as progress, indexing() as about_index:
        made = export(opened, wish, progress, about_index)
    return _give(made, target, force=force, as_json=as_json)


def _give(made: "Export", target: Path | None, *, force: bool, as_json: bool) -> int:
    """Write or print an export, and say what it lacks."""
    from doll.render.export_markdown import document
    from doll.services.exporting import writing

    report = made.report
    if target is not None:
        writing.write(target, made.data, document(report, target.name), force=force)
        report = report._replace(path=str(target), loss_path=str(writing.loss_path(target)))
    if as_json:
        _print_json(made, report)
    elif target is None:
        sys.stdout.buffer.write(made.data)
        sys.stdout.buffer.flush()
    _say(report, on_stderr=as_json or target is None)
    return 0 if report.is_clean else 1


def _print_json(made: "Export", report: "ExportReport") -> None:
    """Print doll.export/1; the export itself is its `document` where no file was written."""
    from doll.render.document import to_json
    from doll.render.export_text import SCHEMA, payload

    values = payload(report)
    if not report.path:
        from doll.interchange import strict_json

        values["document"] = strict_json.read(made.data, "export")[0]
    click.echo(to_json(SCHEMA, values))


def _say(report: "ExportReport", *, on_stderr: bool) -> None:
    from doll.render.export_text import lines
    from doll.render.problems import problem_lines

    for line in lines(report):
        click.echo(line, err=on_stderr)
    warn(*problem_lines(report.problems))


def _version() -> str:
    """Return doll's version as PAM wants one: three numbers."""
    numbers = [part for part in __version__.split(".")[:3] if part.isdecimal()]
    return ".".join([*numbers, "0", "0", "0"][:3])


def _document(base: Path | None) -> "Document | None":
    if base is None:
        return None
    from doll.interchange.base import Document
    from doll.interchange.strict_json import MAX_BYTES

    data = read_file(base, MAX_BYTES, instead="give the file of the earlier export")
    return Document(base.name, data)


def _key(place: Path | None) -> "Ed25519PrivateKey | None":
    """Return the key to sign with; InvalidDocumentError for a file that others may read."""
    if place is None:
        return None
    from doll.interchange.pam.signing import MAX_KEY_BYTES, read_key

    data = read_file(place, MAX_KEY_BYTES, instead="give the file of an Ed25519 private key")
    mode = stat.S_IMODE(place.stat().st_mode)
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise InvalidDocumentError(
            f"{place} can be read or changed by others (mode {mode:04o}), so it is no secret",
            hint=f"chmod 600 {shlex.quote(str(place))}",
        )
    return read_key(data, str(place))
