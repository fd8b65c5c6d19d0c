"""`doll work`: a work item is moved along, by the user."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from doll.cli import completing
from doll.cli.options import (
    by_option,
    commit_option,
    json_option,
    named,
    open_vault,
    vault_option,
    warn,
)
from doll.cli.recording import manner, next_steps, not_a_secret_option

if TYPE_CHECKING:
    from doll.services.editing.working import Worked
    from doll.services.opening import Vault

EPILOG = """\b
Examples:
  doll work start split-orders
  doll work block split-orders --reason "waits for the nightly report" --commit
  doll work done split-orders --commit
"""
_WORDS = {
    "ready": """Make it ready to be worked on.

    From proposed or blocked to ready. What blocked it is taken out of `blocked_by`.
    """,
    "start": """Take it in hand.

    From ready or blocked to in_progress. What blocked it is taken out of `blocked_by`.
    """,
    "block": """Say that something stands in its way.

    From ready or in_progress to blocked: preflight then stops what names this work item. A reason
    is added to `blocked_by`, also where it is blocked already.
    """,
    "unblock": """Say that nothing stands in its way any more.

    From blocked to ready, and `blocked_by` is taken out. `doll work start` takes a blocked one back
    in hand at once.
    """,
    "done": """Complete it.

    From in_progress to completed. Only you say so: what is logged as experience never does.
    """,
    "cancel": """Give it up.

    From any open state to cancelled. `blocked_by` stays as it is.
    """,
}


@click.group(epilog=EPILOG)
def command() -> None:
    """Move a work item along: proposed, ready, in_progress, completed.

    From ready and in_progress it can be blocked, and from there go back to either; whatever is open
    can be cancelled. Only `status` and `blocked_by` change in the file, and it counts once it is
    committed.
    """


def _add(verb: str) -> None:
    short = _WORDS[verb].partition("\n")[0]

    def run(
        work_item: str,
        by: str | None,
        vault: Path | None,
        reasons: tuple[str, ...] = (),
        not_a_secret: tuple[str, ...] = (),
        *,
        commit: bool,
        as_json: bool,
    ) -> None:
        from doll.services.editing.working import work

        how = manner(by, not_a_secret, commit=commit)
        opened = open_vault(vault)
        done = work(opened, verb, named(opened, work_item), how, reasons)
        _tell(opened, done, as_json=as_json)

    function = run
    for option in (json_option, vault_option, by_option, commit_option):
        function = option(function)
    if verb == "block":
        function = not_a_secret_option(function)
        function = click.option(
            "--reason",
            "reasons",
            metavar="TEXT",
            multiple=True,
            help="What stands in its way; repeatable.",
        )(function)
    argument = click.argument("work_item", metavar="ID", shell_complete=completing.work_item)
    reason = ' --reason "waits for the nightly report"' if verb == "block" else ""
    epilog = f"\b\nExample:\n  doll work {verb} split-orders{reason} --commit\n"
    command.command(verb, help=_WORDS[verb], short_help=short, epilog=epilog)(argument(function))


for _verb in _WORDS:
    _add(_verb)


def _tell(vault: "Vault", done: "Worked", *, as_json: bool) -> None:
    """Print `ID: before → after` (or the JSON document doll.work/1), the rest to stderr.

    The document has `id`, `path`, `before`, `after`, `changed`, `committed` (whether HEAD has the
    file as it is now), `commit` (the id of the commit that was made, or null), `notes` and `next`
    (the lines to type).
    """
    from doll.render.leading import led
    from doll.render.text import visible, visible_lines

    written = done.written
    record = written.record
    pending = done.pending and not written.commit
    steps, first = next_steps(vault, written._replace(pending=pending))
    if as_json:
        from doll.render.document import to_json

        payload = {
            "id": record.id,
            "path": record.path,
            "before": done.before,
            "after": done.after,
            "changed": done.changed,
            "committed": not pending,
            "commit": written.commit,
            "notes": list(map(led, written.notes)),
            "next": steps,
        }
        click.echo(to_json("doll.work/1", payload))
    elif done.before != done.after:
        click.echo(f"{visible(record.id)}: {done.before} → {done.after}")
    elif done.changed:
        click.echo(f"{visible(record.id)}: {done.after} as before, with the reason added")
    else:
        click.echo(f"{visible(record.id)}: {done.after} already; its file stays as it is")
    for said in written.said:
        warn(*visible_lines(said))
    warn(*(f"note: {visible(note)}" for note in written.notes))
    if written.commit:
        warn(f"committed as {written.commit[:12]}: {visible(written.subject)}")
    elif pending:
        how = first or "--commit does so at once"
        warn("not committed, so it does not count yet", f"to commit it ({how}):")
        warn(*(f"  {visible(step)}" for step in steps))
    elif not done.changed:
        warn("HEAD has it so, too")
