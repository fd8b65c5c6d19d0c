"""Whether a merge would write over what is not committed, or git would not begin one.

Changes nothing: who is in the way is named, with the lines that make room.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from doll.errors import ConflictError
from doll.services.opening import Vault
from doll.services.staged_texts import Where, unstaging
from doll.services.syncing import unlooked
from doll.services.syncing.wording import git, listed, words
from doll.vcs import plumbing
from doll.vcs.plumbing import Change, status
from doll.vcs.plumbing.index import promised


def require_free(vault: Vault, ours: Sequence[Change], incoming: Sequence[Change]) -> None:
    """Raise ConflictError where a merge would write over what is not committed.

    Both are changes since the sides parted, with paths of the repository.
    """
    changed = {change.path for change in incoming}
    unlooked.require_none(vault, changed)
    dirty = status.differences(vault.repository, sorted(changed))
    seen = {d.path for d in dirty if d.path in changed or _is_in_way(d.path, changed)}
    # git says nothing of what it ignores, and a merge writes over it.
    hidden = set(_on_disk_alone(vault, ours, incoming)) - seen
    if blocked := sorted(seen | hidden):
        lead, typed = git(vault), words(blocked)
        forced, which = ("-f ", "--all") if hidden else ("", "--include-untracked")
        raise ConflictError(
            f"the remote changed {listed(blocked)}, and so did you, and yours is not "
            "committed; nothing was taken over",
            hint=f"{lead} add {forced}-- {typed} && {lead} commit -- {typed}    keeps yours\n"
            f"{lead} stash push {which} -- {typed}    puts it away\nthen doll sync",
        )


def require_nothing_staged(vault: Vault) -> None:
    """Raise ConflictError where the index is not as HEAD: git merges on no other one."""
    found = [change.path for change in plumbing.staged(vault.repository, vault.head)]
    if found:
        lead, where = git(vault), Where(vault.repository, vault.repository.top, vault.head)
        lines = [
            f"{lead} commit    commits what is staged",
            *unstaging(where, found, ".", "leaves it in the work tree alone"),
            "then doll sync",
        ]
        raise ConflictError(
            f"{listed(found)} {'is' if len(found) == 1 else 'are'} staged and not "
            "committed, and git merges only without; nothing was taken over",
            hint="\n".join(lines),
        )
    require_nothing_promised(vault, "merges", "nothing was taken over\nthen doll sync")


def require_nothing_promised(vault: Vault, does: str, after: str) -> None:
    """Raise ConflictError where `git add -N` told git of a file and its text is not staged.

    git `does` nothing then, and says so of its own steps. The lines of `after` are the end of the
    message, and what to type then.
    """
    if found := promised(vault.repository, vault.head):
        came_to, _, then = after.partition("\n")
        were = "was" if len(found) == 1 else "were"
        raise ConflictError(
            f"{listed(found)} {were} added with `git add -N`, and git {does} only without; "
            f"{came_to}",
            hint=f"{git(vault)} restore --staged -- {words(found)}    leaves it in the work tree "
            f"alone\n{then}",
        )


def in_way(vault: Vault, paths: Iterable[str]) -> dict[str, str]:
    """Return what stands on disk where git would make files anew, by the path of each file.

    That is something of the file's own name, or a file in place of a folder above it.
    """
    top = vault.repository.top
    found = dict[str, str]()
    for path in paths:
        above = [str(folder) for folder in Path(path).parents[:-1]]
        place = next((each for each in reversed(above) if _is_no_folder(top / each)), path)
        if place != path or (os.path.lexists(top / path) and not _is_empty(top / path)):
            found[path] = place
    return found


def _is_in_way(path: str, incoming: set[str]) -> bool:
    return path.endswith("/") and any(each.startswith(path) for each in incoming)


def _on_disk_alone(
    vault: Vault, ours: Sequence[Change], incoming: Sequence[Change]
) -> Iterator[str]:
    """Yield what HEAD has not, the merge would write, and the disk has."""
    here = {change.path: change.status != "D" for change in ours}
    top = vault.repository.top
    written = [change for change in incoming if change.status != "D"]
    absent = [c.path for c in written if not here.get(c.path, c.status != "A")]
    found = [path for path in absent if _is_there(top, path)]
    if found:
        # Another name of a file that the merge takes away, where disks do not tell case apart.
        going = {_identity(top / change.path) for change in incoming if change.status == "D"}
        yield from (path for path in found if _identity(top / path) not in going)


def _is_there(top: Path, path: str) -> bool:
    """Return whether a path is anything but a folder, and reached through no link."""
    above = Path(path).parents[:-1]
    return _is_no_folder(top / path) and not any((top / each).is_symlink() for each in above)


def _is_no_folder(place: Path) -> bool:
    return os.path.lexists(place) and (place.is_symlink() or not place.is_dir())


def _is_empty(place: Path) -> bool:
    return not _is_no_folder(place) and not any(place.iterdir())


def _identity(place: Path) -> tuple[int, int] | None:
    try:
        found = place.lstat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
