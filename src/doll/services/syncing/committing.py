"""One commit of what was chosen, and whether it holds just the bytes that were judged."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from doll.render.text import visible
from doll.services.opening import Vault
from doll.services.pending import Difference
from doll.services.syncing.differing import as_differences
from doll.services.syncing.values import Chosen
from doll.vault import layout
from doll.vcs import plumbing, porcelain
from doll.vcs.plumbing import Change
from doll.vcs.plumbing.history import changes
from doll.vcs.plumbing.messages import said

_AREAS = {
    "confirmed": ("memory", "memories"),
    "experience": ("experience entry", "experience entries"),
    "staging": ("candidate", "candidates"),
    "": ("other file", "other files"),
}


class Committed(NamedTuple):
    """A commit: its id, its subject, what hooks said, and whether it is just what was judged.

    `is_own`: it is one commit on the judged HEAD, of the chosen files with the judged bytes and
    nothing else. `is_reworded`: its message is not the one that it was given. `otherwise` are
    chosen files that were saved while it was made, `besides` files that came in by a hook or by a
    commit of somebody else's in between.
    """

    commit: str
    subject: str
    said: tuple[str, ...]
    is_own: bool
    is_reworded: bool
    otherwise: tuple[str, ...]
    besides: tuple[Difference, ...]


def commit(vault: Vault, chosen: Sequence[Chosen]) -> Committed:
    """Commit the chosen files and nothing else; what is staged besides stays staged.

    GitError when a hook refuses. The caller holds the writer lock.
    """
    words: list[str] = []
    subject = subject_of(chosen)
    wanted = {vault.in_git(each.path): each for each in chosen}
    message = "\n".join([subject, "", *map(_line, chosen)])
    made = porcelain.commit(vault.repository, list(wanted), message, tell=words.append)
    now = {change.path: change for change in changes(vault.repository, vault.head, made, "")}
    commits = said(vault.repository, made, [vault.head])
    otherwise = [each.path for path, each in wanted.items() if not _is_judged(each, now.get(path))]
    besides = [change for path, change in now.items() if path not in wanted]
    is_alone = [each.parents for each in commits] == [(vault.head,)]
    is_own = is_alone and not otherwise and not besides
    if not is_own:
        _bring_index_along(vault, wanted, now.values(), made)
    return Committed(
        made,
        subject,
        tuple(words),
        is_own,
        is_reworded=_lines(commits[0].message) != _lines(message) if commits else True,
        otherwise=tuple(otherwise),
        besides=as_differences(vault, besides),
    )


def _is_judged(each: Chosen, change: Change | None) -> bool:
    if change is None or change.status == "D":
        return change is not None and not each.blob
    return (change.oid, change.mode) == (each.blob, each.mode)


def _lines(message: str) -> list[str]:
    """Return the lines of a message without the space that git takes away."""
    return [line.rstrip() for line in message.strip().splitlines()]


def _bring_index_along(
    vault: Vault, wanted: Mapping[str, Chosen], now: Iterable[Change], made: str
) -> None:
    """Have the index follow what a hook made of the commit: git leaves it as it was before.

    Only where it still has what HEAD had, or what was to be committed; what is staged otherwise
    is the user's.
    """
    before = {change.path: (change.old_oid.strip("0"), change.oid.strip("0")) for change in now}
    entries, gone = list[plumbing.TreeEntry](), list[str]()
    for change in plumbing.staged(vault.repository, made):
        if change.path in before:
            staged, (old, new) = change.oid.strip("0"), before[change.path]
            each = wanted.get(change.path)
            if staged == old or (each is not None and staged == each.blob):
                if new:
                    entries.append(plumbing.TreeEntry(change.path, change.old_mode, change.old_oid))
                else:
                    gone.append(change.path)
    if entries or gone:
        porcelain.put_back(vault.repository, entries, gone)


def subject_of(chosen: Sequence[Chosen]) -> str:
    """Return the first line of the message: how many records of which kind."""
    areas = (each.path.partition("/")[0] if layout.is_record(each.path) else "" for each in chosen)
    # Files that are no records come last.
    counts = sorted(Counter(areas).items(), key=lambda found: (not found[0], found[0]))
    return f"sync: {', '.join(f'{number} {_AREAS[area][number != 1]}' for area, number in counts)}"


def _line(each: Chosen) -> str:
    """Return the line of the message that names a file by its id, or by its path."""
    name = layout.record_id(each.path) if layout.is_record(each.path) else each.path
    return f"- {each.what}: {visible(name)}"
