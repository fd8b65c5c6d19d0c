"""What git made of a merge that stopped at a conflict: noted then, or derived from both sides.

What differs from it later was done by somebody else. The note is a file of this work tree, that
counts for one merge at one HEAD.
"""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from doll.errors import StorageError
from doll.services import waiting
from doll.services.opening import Vault
from doll.vault import disk, own_files
from doll.vcs import plumbing
from doll.vcs.plumbing import Change
from doll.vcs.plumbing.history import changes
from doll.vcs.plumbing.refs import unmerged

_NAME = waiting.MERGED
_FIELDS = 4
_GONE = "000000"


class Version(NamedTuple):
    """A file as the index has it; the mode is `000000` for one that it has not."""

    mode: str
    oid: str

    @classmethod
    def of(cls, change: Change) -> "Version":
        """Return the newer side of a change."""
        return cls(change.mode, change.oid)

    @property
    def is_gone(self) -> bool:
        """Whether there is no such file."""
        return self.mode == _GONE


class Made(NamedTuple):
    """What a merge made of the index, paths of the repository.

    `files` are those that it made otherwise than HEAD has them, and that were no conflict; `open`
    are the conflicts. `noted`: git left them so; else they are what both sides say of them, and
    `mixed`, which is in `open`, are those of which that says nothing. `new` are files that HEAD has
    not, as far as is known.
    """

    files: Mapping[str, Version]
    open: frozenset[str]
    noted: bool
    mixed: frozenset[str] = frozenset()
    new: frozenset[str] = frozenset()


NOTHING = Made(MappingProxyType({}), frozenset(), noted=True)


def otherwise(made: Made, now: Iterable[Change]) -> tuple[Change, ...]:
    """Return what a commit has otherwise than the merge was made; `now` is what it changes of HEAD.

    A hook did that, or somebody by hand. What git mixed of both sides is not known to differ.
    """
    found = {change.path: change for change in now}
    # What is as HEAD had it may be so by git's choice, where the merge was not noted.
    paths = sorted({*found, *(made.files if made.noted else ())} - made.open)
    return tuple(
        found.get(path) or _taken_back(path, made)
        for path in paths
        if (Version.of(found[path]) if path in found else None) != made.files.get(path)
    )


def _taken_back(path: str, made: Made) -> Change:
    """Return the change of a file that is as HEAD had it, and not as the merge made it."""
    version = made.files[path]
    status = "A" if version.is_gone else "D" if path in made.new else "M"
    return Change(path, status, version.mode, version.oid, "", "")


def note(vault: Vault, theirs: str) -> None:
    """Remember what a merge that stopped just now left in the index. StorageError, GitError."""
    found = plumbing.staged(vault.repository, vault.head)
    fields = [field for c in found for field in (c.status, c.mode, c.oid, c.path)]
    text = "\0".join([f"{vault.head} {theirs}", *fields])
    try:
        own_files.put(_place(vault), text.encode("utf-8", "surrogateescape"), flush=True)
    except OSError as error:
        said = f"{_place(vault)} cannot be written: {error.strerror or error}"
        raise StorageError(said) from error


def forget(vault: Vault) -> None:
    """Drop the note: the merge came to an end."""
    with suppress(OSError):
        disk.remove(_place(vault))


def staged(vault: Vault) -> Made:
    """Return what the index has, all settled."""
    found = plumbing.staged(vault.repository, vault.head)
    files = {change.path: Version.of(change) for change in found}
    return Made(files, frozenset(), noted=True, new=_new(found))


def taken_over(ours: Iterable[Change], theirs: Iterable[Change]) -> Made:
    """Return what a merge without a conflict makes of HEAD; both are changes since they parted.

    Where they parted more than once, git may have taken the other side of any file.
    """
    here = {change.path: change for change in ours}
    there = {change.path: Version.of(change) for change in theirs}
    both = {path for path, version in there.items() if path in here}
    files = {p: Version(c.old_mode, c.old_oid) for p, c in here.items() if p not in both}
    files |= {path: version for path, version in there.items() if path not in both}
    return Made(files, frozenset(both), noted=not here, mixed=frozenset(both), new=_new(theirs))


def made(
    vault: Vault, theirs: str, our_changes: Mapping[str, Change], incoming: Mapping[str, Change]
) -> Made:
    """Return what the merge of `theirs` that waits made of HEAD.

    `our_changes` and `incoming` are what each side changed, by path.
    """
    return _noted(vault, theirs) or _derived(vault, our_changes, incoming)


def sides(vault: Vault, theirs: str) -> tuple[dict[str, Change], dict[str, Change]]:
    """Return what this side and the other one changed since they parted, by path."""
    base = plumbing.merge_base(vault.repository, vault.head, theirs)
    ours = changes(vault.repository, base, vault.head, "")
    incoming = changes(vault.repository, base, theirs, "")
    return {c.path: c for c in ours}, {c.path: c for c in incoming}


def _noted(vault: Vault, theirs: str) -> Made | None:
    try:
        text = os.fsdecode(_place(vault).read_bytes())
    except OSError:
        return None
    first, *fields = text.split("\0")
    if first != f"{vault.head} {theirs}" or len(fields) % _FIELDS:
        return None
    records = list(zip(*[iter(fields)] * _FIELDS, strict=True))
    files = {path: Version(mode, oid) for status, mode, oid, path in records if status != "U"}
    conflicts = frozenset(path for status, _, _, path in records if status == "U")
    return Made(files, conflicts, noted=True)


def _derived(vault: Vault, ours: Mapping[str, Change], incoming: Mapping[str, Change]) -> Made:
    both = {p for p, c in incoming.items() if p in ours and Version.of(c) != Version.of(ours[p])}
    conflicts = frozenset(unmerged(vault.repository))
    # git's own record of what was settled (`ls-files --resolve-undo`) has also what it mixed.
    files = {p: Version.of(c) for p, c in incoming.items() if p not in ours and p not in conflicts}
    return Made(files, conflicts | both, noted=False, mixed=frozenset(both - conflicts))


def _place(vault: Vault) -> Path:
    return vault.state / _NAME


def _new(found: Iterable[Change]) -> frozenset[str]:
    return frozenset(change.path for change in found if change.status == "A")
