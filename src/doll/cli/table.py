"""The commands: name → module and one line of help. A module is imported when its command runs."""

from typing import NamedTuple


class Command(NamedTuple):
    """Where a command lives: `module` has a click command named `command`."""

    module: str
    help: str


COMMANDS: dict[str, Command] = {
    "init": Command("doll.cli.init", "Make a vault, with a git repository and a first commit."),
    "where": Command("doll.cli.where", "Say which vault would be used, and why."),
    "status": Command("doll.cli.status", "Say what the vault holds and what is not committed."),
    "new": Command("doll.cli.new", "Write a new record from its template."),
    "edit": Command("doll.cli.edit", "Edit a record in your editor, checked before it is written."),
    "mv": Command("doll.cli.mv", "Rename a record; what names it follows."),
    "show": Command("doll.cli.show", "Show one record."),
    "list": Command("doll.cli.list", "List records."),
    "validate": Command("doll.cli.validate", "Check every record, and the work tree against HEAD."),
    "verify": Command("doll.cli.verify", "Check that history kept experience and reviews."),
    "schema": Command("doll.cli.schema", "Print the JSON Schema of a record type."),
    "log": Command("doll.cli.log", "Record what was tried and what happened."),
    "correct": Command("doll.cli.correct", "Record a correction of an earlier entry."),
    "confirm": Command("doll.cli.confirm", "Confirm an experience entry as the user."),
    "redact": Command("doll.cli.redact", "Replace words of a committed entry by [redacted]."),
    "work": Command("doll.cli.work", "Move a work item along: ready, start, block, done."),
    "propose": Command("doll.cli.propose", "Offer a memory or experience for review, as a model."),
    "import": Command("doll.cli.imports", "Bring foreign memories into staging for review."),
    "imports": Command("doll.cli.kept_imports", "List imports, show their losses, drop the rest."),
    "export": Command("doll.cli.export", "Take confirmed memories along to another tool."),
    "review": Command("doll.cli.review", "Approve or reject what lies in staging."),
    "recall": Command("doll.cli.recall", "Search confirmed memory and experience."),
    "feedback": Command("doll.cli.feedback", "Say how a recalled record served; none changes."),
    "context": Command("doll.cli.context", "Print what an assistant should know for a task."),
    "duplicates": Command("doll.cli.duplicates", "Find memories that may say the same."),
    "index": Command("doll.cli.index", "Refresh, rebuild or check the recall index."),
    "watch": Command("doll.cli.watch", "Check and index what changes, as it changes."),
    "sync": Command("doll.cli.sync", "Commit what changed, merge with the remote, and push."),
    "preflight": Command("doll.cli.preflight", "Check an action against authority and history."),
    "hooks": Command("doll.cli.hooks", "Install or remove preflight in a repository's git hooks."),
    "doctor": Command("doll.cli.doctor", "Find what is wrong around doll and nobody notices."),
    "tour": Command("doll.cli.tour", "Show the main job on a temporary copy of the example vault."),
}
