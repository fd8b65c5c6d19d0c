"""`doll review`: what lies in staging is listed, shown, approved or rejected."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from doll.cli import clock, completing
from doll.cli.committed import detached_lines
from doll.cli.options import (
    File,
    by_option,
    commit_option,
    json_option,
    named,
    open_vault,
    vault_option,
    warn,
)
from doll.cli.review_told import next_steps
from doll.cli.sources import read_file, read_stdin
from doll.errors import UsageError
from doll.render import review_text
from doll.render.document import to_json
from doll.render.problems import problem_lines
from doll.render.text import visible
from doll.services.recording.authorship import author

if TYPE_CHECKING:
    from doll.render.review_values import Approved
    from doll.services.opening import Vault
    from doll.services.reviewing.approving import Reviewer, Want

EPILOG = """\b
Examples:
  doll review                                     one at a time on a terminal, a list in a pipe
  doll review approve ID --digest SHA256
  doll review list --digests > approve.txt        keep the lines that you approve, then:
  doll review approve --from approve.txt --commit
"""
_LIST_EPILOG = """\b
Examples:
  doll review list
  doll review list --digests > approve.txt
"""
_SHOW_EPILOG = """\b
Examples:
  doll review show ID
  doll review show ID --json
"""
_DIFF_EPILOG = """\b
Example:
  doll review diff ID
"""
_APPROVE_EPILOG = """\b
Examples:
  doll review approve ID --digest SHA256
  doll review approve --from approve.txt --commit
  git mv staging/proposals/NAME.md confirmed/ && doll review approve --staged
"""
_REJECT_EPILOG = """\b
Example:
  doll review reject ID --reason "no longer true" --commit
"""


@click.group(invoke_without_command=True, subcommand_metavar="[COMMAND] [ARGS]...", epilog=EPILOG)
@vault_option
@json_option
@click.pass_context
def command(context: click.Context, vault: Path | None, *, as_json: bool) -> None:
    """Approve or reject what lies in staging.

    On a terminal each candidate is shown whole and asked about; in a pipe they are listed. A
    candidate becomes a record only here, with your git identity and the digest of the bytes that
    you reviewed.
    """
    context.obj = vault
    if context.invoked_subcommand is not None:
        if as_json:
            raise UsageError("--json stands behind the subcommand", hint="doll review list --json")
        return
    opened = open_vault(vault)
    if as_json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        _list(opened, digests=False, as_json=as_json)
    else:
        from doll.cli.review_session import session

        session(opened, lambda: _reviewer(None, commit=False))


@command.command("list", short_help="List the candidates.", epilog=_LIST_EPILOG)
@click.option("--digests", is_flag=True, help="Print the lines that `approve --from` reads.")
@vault_option
@json_option
@click.pass_obj
def list_command(group: Path | None, vault: Path | None, *, digests: bool, as_json: bool) -> None:
    """List the candidates: where each stands, its id, its name.

    With --digests: `<sha256>  <path>` of those that are open, in the form of sha256sum.
    """
    _list(open_vault(vault or group), digests=digests, as_json=as_json)


@command.command(short_help="Show one candidate whole.", epilog=_SHOW_EPILOG)
@click.argument("candidate", metavar="ID", shell_complete=completing.candidate)
@vault_option
@json_option
@click.pass_obj
def show(group: Path | None, candidate: str, vault: Path | None, *, as_json: bool) -> None:
    """Show one candidate whole: its text, its source, its claims, likely duplicates."""
    from doll.services.reviewing.reading import show as shown_of

    opened = open_vault(vault or group)
    shown = shown_of(opened, named(opened, candidate))
    if as_json:
        click.echo(to_json(review_text.SCHEMA, review_text.show_payload(shown)))
    else:
        click.echo("\n".join(review_text.show_lines(shown)))


@command.command(short_help="Compare one with what it updates.", epilog=_DIFF_EPILOG)
@click.argument("candidate", metavar="ID", shell_complete=completing.candidate)
@vault_option
@json_option
@click.pass_obj
def diff(group: Path | None, candidate: str, vault: Path | None, *, as_json: bool) -> None:
    """Compare a candidate with the record that it updates, else with nothing."""
    from doll.services.reviewing.reading import diff as diff_of

    opened = open_vault(vault or group)
    difference = diff_of(opened, named(opened, candidate))
    if as_json:
        click.echo(to_json(review_text.SCHEMA, review_text.diff_payload(difference)))
    else:
        click.echo("\n".join(review_text.diff_lines(difference)))


@command.command(short_help="Approve candidates by their digests.", epilog=_APPROVE_EPILOG)
@click.argument("candidate", metavar="[ID]", required=False, shell_complete=completing.candidate)
@click.option("--digest", metavar="SHA256", help="Digest of the bytes that you reviewed.")
@click.option(
    "--from",
    "list_file",
    type=File(allow_dash=True),
    help="Approve exactly the lines of a file, all or none; - reads stdin.",
)
@click.option("--staged", is_flag=True, help="Complete moves that you staged with git mv.")
@commit_option
@by_option
@vault_option
@json_option
@click.pass_obj
def approve(
    group: Path | None,
    candidate: str | None,
    digest: str | None,
    list_file: Path | None,
    *,
    staged: bool,
    commit: bool,
    by: str | None,
    vault: Path | None,
    as_json: bool,
) -> None:
    """Approve a candidate: it moves to confirmed/ or experience/, and both sides are staged.

    Its bytes must be committed, unchanged, and those of the digest. Three lines are added to its
    front matter: who reviewed it, when, and the digest.
    """
    reviewer = _reviewer(by, commit=commit)
    opened = open_vault(vault or group)
    if staged:
        if (candidate, digest, list_file) != (None, None, None):
            raise UsageError("--staged takes neither ID, --digest nor --from", hint="leave it out")
        from doll.services.reviewing.approving_staged import approve_staged

        approved = approve_staged(opened, reviewer)
    else:
        from doll.services.reviewing.approving import approve as approve_these

        one = candidate and named(opened, candidate)
        approved = approve_these(opened, _wants(one, digest, list_file), reviewer)
    _tell(opened, approved, as_json=as_json)


@command.command(short_help="Reject a candidate, with a reason.", epilog=_REJECT_EPILOG)
@click.argument("candidate", metavar="ID", shell_complete=completing.candidate)
@click.option("--reason", required=True, help="Why, in one line.")
@click.option("--digest", metavar="SHA256", help="Digest of the bytes that you reviewed.")
@commit_option
@by_option
@vault_option
@json_option
@click.pass_obj
def reject(
    group: Path | None,
    candidate: str,
    reason: str,
    digest: str | None,
    *,
    commit: bool,
    by: str | None,
    vault: Path | None,
    as_json: bool,
) -> None:
    """Reject a candidate: it stays in staging, marked, and no import brings it back."""
    from doll.services.reviewing.rejecting import reject as reject_this

    who = author(by, os.environ.get("DOLL_BY"))
    opened = open_vault(vault or group)
    done = reject_this(
        opened,
        named(opened, candidate),
        reason,
        who,
        commit=commit,
        digest=digest and _checked(digest),
    )
    if as_json:
        click.echo(to_json(review_text.SCHEMA, review_text.rejected_payload(done)))
        warn(*(detached_lines(opened) if done.commit else ()))
    else:
        click.echo(review_text.rejected_line(done))
        subject = f"review: reject {done.id}"
        warn(*next_steps(opened, subject, done.commit, [done.path], staged=done.staged))


def _list(vault: "Vault", *, digests: bool, as_json: bool) -> None:
    from doll.services.reviewing.approval_list import digest_line
    from doll.services.reviewing.reading import listing

    found = listing(vault)
    if as_json:
        click.echo(to_json(review_text.SCHEMA, review_text.list_payload(found)))
        return
    if digests:
        for each in found.candidates:
            if each.state == "open":
                click.echo(digest_line(each))
    else:
        for line in review_text.list_lines(found):
            click.echo(line)
    warn(review_text.tally(found), *problem_lines(found.problems))


def _wants(candidate: str | None, digest: str | None, file: Path | None) -> "Sequence[Want]":
    from doll.services.reviewing.approval_list import MAX_BYTES, read_list
    from doll.services.reviewing.approving import Want

    if file is not None:
        if (candidate, digest) != (None, None):
            raise UsageError("--from takes neither ID nor --digest", hint="leave them out")
        if str(file) == "-":
            return read_list(read_stdin(MAX_BYTES), "stdin")
        instead = "save the list in a file, or send it to --from -"
        return read_list(read_file(file, MAX_BYTES, instead=instead), file.name)
    if candidate is None or digest is None:
        raise UsageError(
            "approve wants ID and --digest, or --from, or --staged",
            hint="doll review show ID    shows the text and its digest",
        )
    return [Want(candidate, _checked(digest))]


def _checked(digest: str) -> str:
    found = digest.strip().lower()
    if len(found) != 64 or not set(found) <= set("0123456789abcdef"):
        raise UsageError(
            f"--digest: {digest[:80]!r} is no SHA-256", hint="copy it from doll review show ID"
        )
    return found


def _reviewer(by: str | None, *, commit: bool) -> "Reviewer":
    from doll.services.reviewing.approving import Reviewer

    return Reviewer(author(by, os.environ.get("DOLL_BY")), clock.now(), commit)


def _tell(vault: "Vault", approved: "Approved", *, as_json: bool) -> None:
    if as_json:
        click.echo(to_json(review_text.SCHEMA, review_text.approved_payload(approved)))
        warn(*(detached_lines(vault) if approved.commit else ()))
        return
    for line in review_text.approved_lines(approved):
        click.echo(line)
    warn(*(f"note: {visible(note)}" for note in approved.notes))
    one = len(approved.moves) == 1
    what = approved.moves[0].candidate if one else f"{len(approved.moves)} candidates"
    paths = [path for move in approved.moves for path in (move.source, move.path)]
    warn(*next_steps(vault, f"review: approve {what}", approved.commit, paths, staged=True))
