"""What is said of a commit: that it was made, and what git is in the middle of where it was not."""

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from doll.render.leading import led
from doll.render.text import visible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from doll.services.opening import Vault
    from doll.services.waiting import Waiting

_SYNCED = ("confirmed/", "experience/", "staging/")


def committed_lines(vault: "Vault", commit: str, subject: str) -> list[str]:
    """Return the line that names a commit, and a warning where it is on no branch."""
    return [f"committed as {commit[:12]}: {visible(subject)}", *detached_lines(vault)]


def detached_lines(vault: "Vault") -> list[str]:
    """Return the warning that what was just committed is on no branch; nothing where it is."""
    from doll.vcs import plumbing

    if plumbing.branch(vault.repository) is not None:
        return []
    return [
        "warning: HEAD is on no branch, so this commit is on none",
        "  to keep it: git switch -c NAME",
    ]


class Steps(NamedTuple):
    """Lines to type, and in words what git is in the middle of, which comes first ("": nothing)."""

    lines: list[str]
    first: str = ""


def unfinished(vault: "Vault") -> "Waiting | None":
    """Return what git is in the middle of: till that is finished it commits no single files.

    Its lines can be typed where one is.
    """
    from doll.services.waiting import find

    found = find(vault.repository)
    if found is None:
        return None
    if not Path.cwd().resolve().is_relative_to(vault.repository.top):
        found = found.at(vault.repository)
    return found._replace(finish=led(found.finish), drop=led(found.drop))


def steps_to_commit(vault: "Vault", lines: list[str], paths: "Iterable[str]") -> Steps:
    """Return what to type until `paths` are committed, where `lines` commit them by themselves.

    Finishing a merge of a sync is a sync, which commits what is not the user's own to accept.
    """
    waiting = unfinished(vault) if lines else None
    if waiting is None:
        return Steps(lines)
    first = f"first finish what git is in the middle of: {waiting.what}"
    is_all = waiting.is_of_sync and all(path.startswith(_SYNCED) for path in paths)
    return Steps([waiting.finish] if is_all else [waiting.finish, *lines], first)
