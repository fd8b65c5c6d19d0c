"""What is said of a commit: that it was made, and what git is in the middle of where it was not."""

from typing import TYPE_CHECKING

from doll.render.text import visible

if TYPE_CHECKING:
    from doll.services.opening import Vault
    from doll.services.waiting import Waiting


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


def unfinished(vault: "Vault") -> "Waiting | None":
    """Return what git is in the middle of: till that is finished it commits no single files."""
    from doll.services.waiting import find

    return find(vault.repository)
