"""Files that git was told not to look at, so that what stands in them is never committed: in words.

Says what it is and the line that mends it; finds nothing by itself.
"""

from collections.abc import Sequence

from doll.errors import Problem, Severity
from doll.render.text import count
from doll.vault.typed import typed

_SHOWN = 10
_CODES = {"skip-worktree": "git.skipped", "assume-unchanged": "git.assumed"}


def flagged(git: str, paths: Sequence[str], flag: str, severity: Severity) -> Problem:
    """Return the problem of files that have a flag in the index; `git` is how to call it there."""
    files = count(len(paths), "file")
    message = f"git does not look at {files} ({flag}): changes are not committed"
    hint = f"{git} update-index --no-{flag} -- {_listed(paths)}{_rest(paths)}"
    return Problem(paths[0], 0, 0, _CODES[flag], message, severity, hint)


def ignored(git: str, paths: Sequence[str], severity: Severity) -> Problem:
    """Return the problem of records that git ignores; `git` is how to call it there."""
    message = f"git ignores {count(len(paths), 'file')}: never committed, on no other machine"
    hint = (
        f"{git} add -f -- {_listed(paths)}{_rest(paths)}\n"
        f"# {git} check-ignore -v -- {typed(paths[0])}    names the line, while it is not added"
    )
    return Problem(paths[0], 0, 0, "git.ignored", message, severity, hint)


def _listed(paths: Sequence[str]) -> str:
    return " ".join(map(typed, paths[:_SHOWN]))


def _rest(paths: Sequence[str]) -> str:
    left = len(paths) - _SHOWN
    return f"\n# then again for the other {left:,}, such as {typed(paths[-1])}" if left > 0 else ""
