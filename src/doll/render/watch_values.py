"""The JSON lines of `doll watch`, one document on a line each."""

from collections.abc import Mapping

from doll.errors import DollError
from doll.render.document import to_line
from doll.render.problems import covered, hinted, problem_values
from doll.render.watch_text import Look

SCHEMA = "doll.watch/1"


def look_line(look: Look) -> str:
    """Return the line of a look."""
    return _line(
        "look",
        {
            "first": look.first,
            "changes": [{"path": each.path, "what": each.what} for each in look.changes],
            "new": problem_values(look.new),
            "settled": problem_values(look.settled),
            "files": look.files,
            "searchable": look.searchable,
            "errors": look.errors,
            "warnings": look.warnings,
        },
    )


def sync_line(values: Mapping[str, object]) -> str:
    """Return the line of a sync, with the values of `doll.sync/1`."""
    return _line("sync", values)


def started_line(root: str, mode: str) -> str:
    """Return the line of the beginning."""
    return _line("started", {"root": root, "mode": mode})


def notice_line(message: str, hint: str) -> str:
    """Return the line of something to know."""
    return _line("notice", {"message": covered(message), "hint": hinted(hint)})


def fault_line(error: DollError) -> str:
    """Return the line of a vault that cannot be looked at now."""
    return _line(
        "fault",
        {
            "message": covered(error.message),
            "hint": hinted(error.hint),
            "exit": error.exit_code,
            "problems": problem_values(error.problems),
        },
    )


def _line(event: str, values: Mapping[str, object]) -> str:
    return to_line(SCHEMA, {"event": event, **values})
