"""One commit of what was chosen, and whether it holds just the bytes that were judged."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from doll.render.text import visible
from doll.services.opening import Vault
from doll.services.syncing.values import Chosen
from doll.vault import layout
from doll.vcs import porcelain
from doll.vcs.plumbing.history import changes

_AREAS = {
    "confirmed": ("memory", "memories"),
    "experience": ("experience entry", "experience entries"),
    "staging": ("candidate", "candidates"),
}


class Committed(NamedTuple):
    """A commit: its id, its subject, what hooks said, and what was saved while it was made."""

    commit: str
    subject: str
    said: tuple[str, ...]
    otherwise: tuple[str, ...]


def commit(vault: Vault, chosen: Sequence[Chosen]) -> Committed:
    """Commit the chosen files and nothing else; what is staged besides stays staged.

    GitError when a hook refuses. The caller holds the writer lock.
    """
    said: list[str] = []
    subject = subject_of(chosen)
    paths = [vault.in_git(each.path) for each in chosen]
    message = "\n".join([subject, "", *map(_line, chosen)])
    made = porcelain.commit(vault.repository, paths, message, tell=said.append)
    now = {change.path: change for change in changes(vault.repository, vault.head, made, "")}
    otherwise = [
        each.path
        for each, path in zip(chosen, paths, strict=True)
        if path not in now or now[path].oid.strip("0") != each.blob.strip("0")
    ]
    return Committed(made, subject, tuple(said), tuple(otherwise))


def subject_of(chosen: Sequence[Chosen]) -> str:
    """Return the first line of the message: how many records of which kind."""
    counts = Counter(each.path.partition("/")[0] for each in chosen)
    parts = [f"{number} {_AREAS[area][number != 1]}" for area, number in sorted(counts.items())]
    return f"sync: {', '.join(parts)}"


def _line(each: Chosen) -> str:
    """Return the line of the message that names a file by its id, or by its path."""
    name = layout.record_id(each.path) if layout.is_record(each.path) else each.path
    return f"- {each.what}: {visible(name)}"
