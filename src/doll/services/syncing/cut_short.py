"""A merge that was cut off: noted before it begins, and put back by the next sync.

git writes the files and the index first and says only later that a merge is underway, so what a
killed one leaves looks like changes of the user's own. The note is a file of this work tree.
"""

import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from doll.errors import ConflictError, StorageError
from doll.services import waiting
from doll.services.opening import Vault
from doll.services.syncing import room
from doll.services.syncing.wording import git, listed, words
from doll.vault import disk, temporary
from doll.vault.typed import typed
from doll.vcs import plumbing, porcelain
from doll.vcs.plumbing import Change, status
from doll.vcs.plumbing.hashing import hashed
from doll.vcs.plumbing.history import changes
from doll.vcs.plumbing.underway import underway

_NAME = waiting.MERGING
_LINK = "120000"
_FILES = ("100644", "100755", _LINK)


class Note(NamedTuple):
    """A merge that began: HEAD at that moment, and the commit that was taken over."""

    head: str
    target: str


def note(vault: Vault, target: str) -> None:
    """Remember that `target` is about to be merged into HEAD. StorageError where it cannot be."""
    place = _place(vault)
    try:
        disk.make_folders(place.parent)
        written = temporary.write_beside(place, f"{vault.head} {target}\n".encode("ascii"))
        try:
            disk.replace(written, place)
        except BaseException:
            temporary.discard(written)
            raise
        disk.flush_folder(place.parent)
    except OSError as error:
        raise StorageError(f"{place} cannot be written: {error.strerror or error}") from error


def forget(vault: Vault) -> None:
    """Drop the note: the merge came to an end that git tells of."""
    with suppress(OSError):
        disk.remove(_place(vault))


def found(vault: Vault) -> Note | None:
    """Return the note of a merge that was cut off, and that nobody made since. GitError.

    HEAD may have moved on: what is half-way in the work tree is there still. Starts no process
    where there is no note.
    """
    try:
        words = _place(vault).read_text(encoding="ascii").split()
    except (OSError, UnicodeDecodeError):
        return None
    if len(words) != 2 or underway(vault.repository) is not None:
        return None
    noted, repository = Note(*words), vault.repository
    if not all(plumbing.is_here(repository, commit) for commit in noted):
        return None
    if noted.head == vault.head:
        return noted
    is_made = plumbing.merge_base(repository, vault.head, noted.target) == noted.target
    return None if is_made else noted


def put_back(vault: Vault) -> None:
    """Undo what a merge that was cut off left, and drop its note.

    Only files that are just as the merge made them: ConflictError names those that are not. The
    caller holds the writer lock.
    """
    if not os.path.lexists(_place(vault)):
        return
    noted = found(vault)
    if noted is not None:
        _put_back(vault, noted)
    forget(vault)


def _put_back(vault: Vault, noted: Note) -> None:
    repository = vault.repository
    base = plumbing.merge_base(repository, noted.head, noted.target)
    incoming = {c.path: c for c in changes(repository, base, noted.target, "")}
    ours = {c.path for c in changes(repository, base, noted.head, "")}
    dirty = status.differences(repository, sorted(incoming))
    here = {each.path: each for each in dirty if each.path in incoming}
    staged = {entry.path: entry.oid for entry in plumbing.tracked(repository, sorted(here))}
    bytes_ = hashed(repository, here)
    made, left = list[str](), list[str]()
    absent = {path for path in here if not os.path.lexists(repository.top / path)}
    blocked = room.in_way(vault, absent)
    for path, each in here.items():
        merged = staged.get(path) if path in ours and each.unstaged == "." else None
        if path in absent:
            is_made = path not in blocked and _is_taken_away(each, incoming[path])
        else:
            is_made = path in bytes_ and bytes_[path] in (incoming[path].oid, merged)
        (made if is_made and not each.is_unmerged else left).append(path)
    left = [path for path in left if path not in blocked]
    begun = _begun(vault, [incoming[path] for path in left if not here[path].is_unmerged])
    made += begun
    porcelain.put_files_back(repository, made, [path for path in made if path not in staged])
    if blocked:
        raise _blocked(vault, sorted(set(blocked.values())))
    if left := sorted(set(left) - set(begun)):
        raise _left(vault, left)


def _is_taken_away(here: status.Difference, change: Change) -> bool:
    """Return whether the merge may have taken a file away, as git does before it writes it anew.

    Whoever took it out of the index too did that by hand.
    """
    return change.status in "AD" or here.staged != "D"


def _begun(vault: Vault, left: Sequence[Change]) -> list[str]:
    """Return which files hold only the beginning of what the merge was writing, or its link."""
    written = [change for change in left if change.mode in _FILES]
    blobs = plumbing.blobs(vault.repository, [change.oid for change in written])
    top = vault.repository.top
    return [c.path for c in written if _is_begun(top / c.path, c, blobs[c.oid])]


def _is_begun(place: Path, change: Change, data: bytes) -> bool:
    try:
        mode = place.lstat().st_mode
        if stat.S_ISLNK(mode):
            return change.mode == _LINK and os.fsencode(place.readlink()) == data
        return stat.S_ISREG(mode) and change.mode != _LINK and data.startswith(place.read_bytes())
    except OSError:
        return False


def _blocked(vault: Vault, places: list[str]) -> ConflictError:
    full = [str(vault.repository.top / place) for place in places]
    lines = [f"mv -n -- {typed(place)} {typed(f'{place}.mine')}" for place in full]
    return ConflictError(
        f"a merge was cut off, and {listed(places)} stands where a folder was; what the merge had "
        "made of other files was put back",
        hint="\n".join([*lines, "doll sync"]),
    )


def _left(vault: Vault, paths: list[str]) -> ConflictError:
    lead, named = git(vault), words(paths)
    return ConflictError(
        f"a merge was cut off, and {listed(paths)} {'was' if len(paths) == 1 else 'were'} changed "
        "since; what the merge had made of other files was put back",
        hint=f"{lead} add -- {named} && {lead} commit -- {named}    keeps it as it is\n"
        f"{lead} checkout HEAD -- {named}    drops it\nthen doll sync",
    )


def _place(vault: Vault) -> Path:
    return vault.state / _NAME
