"""Dropping: what an import brought and nobody reviewed leaves staging; its ledger stays.

What was dropped does not come again by itself. Only what git can give back is removed, byte for
byte as it is at HEAD; approved and rejected candidates are left alone.
"""

import os
import shlex
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from doll.errors import ConflictError, GitError, Problem
from doll.records.digest import blob_id, sha256
from doll.records.names import fold
from doll.render.imports_values import Dropped, ImportEntry
from doll.render.text import count
from doll.services.committing import first, require_committable
from doll.services.importing import history, managing
from doll.services.importing.ledger import REPORT, Ledger
from doll.services.opening import Vault
from doll.services.putting_back import not_back, put_back
from doll.services.recording.authorship import Author, require_user
from doll.services.reviewing import candidates
from doll.services.staged_texts import refuse_staged_text
from doll.services.writer import writing
from doll.vault import files, layout
from doll.vault.entries import Entry
from doll.vcs import plumbing

Progress = Callable[[str, int, int], None]

_TOLD = 100


class _Waiting(NamedTuple):
    """A candidate that waits for review: its path and its bytes."""

    path: str
    data: bytes


def drop(vault: Vault, name: str, author: Author, progress: Progress, *, commit: bool) -> Dropped:
    """Remove from staging what an import brought and nobody reviewed, and stage that.

    `progress` is told a stage, how far it is, and how far it goes. Raises UsageError for a name
    that means no import, ConflictError (a model at work, a candidate that is not committed as it
    is, a text that only git's index has, a ledger that cannot be read), BusyError, GitError; then
    nothing was changed.
    """
    require_user(author, "drop an import", "tell the user: doll imports drop NAME")
    if commit:
        require_committable(vault.repository)
    with writing(vault):
        entry, ledger = managing.find(vault, name)
        history.require_whole(history.known(vault, plumbing.head(vault.repository)))
        waiting, others = _waiting(vault, entry, ledger)
        _require_committed(vault, entry, waiting)
        gone = [] if commit else _gone(vault, entry, ledger)
        refuse_staged_text(vault, [*(each.path for each in waiting), *gone])
        undo = _remove(vault, waiting, progress)
        paths = tuple(each.path for each in waiting)
        made = _tracked(vault, entry, paths, undo, commit=commit) if paths else ""
        if gone:
            _stage(vault, gone)
        now = managing.entry_of(vault, ledger, managing.places(vault))
        return Dropped(now, paths, others, made)


def _waiting(vault: Vault, entry: ImportEntry, ledger: Ledger) -> tuple[list[_Waiting], int]:
    """Return what the import brought and is still open, and how many files are not its own."""
    if not entry.folder:
        return [], 0
    stems = {fold(line.stem) for line in ledger.lines if line.state == "staged"}
    found, others = [], 0
    for each in vault.load([entry.folder]).entries:
        if fold(_stem(each)) not in stems:
            others += 1
        elif each.record is None or not managing.is_rejected(each.record):
            found.append(_Waiting(each.path, _read(vault, each.path)))
    return found, others


def _stem(entry: Entry) -> str:
    return layout.record_id(entry.path).rpartition("/")[2]


def _read(vault: Vault, path: str) -> bytes:
    try:
        return files.read(vault.root, path)
    except OSError as error:
        raise ConflictError(f"{path} cannot be read: {error.strerror}") from error


def _require_committed(vault: Vault, entry: ImportEntry, waiting: Sequence[_Waiting]) -> None:
    """Raise ConflictError for what git could not give back."""
    if not waiting:
        return
    head = candidates.at_head(vault, [entry.folder])
    algorithm = vault.repository.algorithm
    lacking = [
        each.path
        for each in waiting
        if not candidates.is_committed(head.get(each.path), blob_id(each.data, algorithm))
    ]
    if not lacking:
        return
    git, folder = f"git -C {shlex.quote(str(vault.root))}", shlex.quote(entry.folder)
    subject = shlex.quote(f"import {entry.name}")
    before = first(vault.repository)
    keep = f"{git} add -- {folder} && {git} commit -m {subject} -- {folder}"
    if f"{entry.folder}/{REPORT}" not in head:
        whole = shlex.quote(str(vault.root / entry.folder))
        raise ConflictError(
            f"import {entry.name} is not committed, so git could not give it back; "
            "nothing was changed",
            hint=f"{before}commit it first: {keep}\n"
            f"or undo it, as if it had never been: rm -r -- {whole}",
        )
    message = "it is not at HEAD as it is on disk, so git could not give it back"
    raise ConflictError(
        f"{count(len(lacking), 'candidate is', 'candidates are')} not committed; "
        "nothing was changed",
        hint=f"{before}commit them first: {keep}",
        problems=[Problem(path, 0, 0, "import.not_committed", message) for path in lacking[:_TOLD]],
    )


def _remove(vault: Vault, waiting: Sequence[_Waiting], progress: Progress) -> Callable[[], None]:
    """Remove every candidate, or none; return what undoes it.

    That raises StorageError where one cannot be put back, as on a full disk.
    """

    def undo() -> None:
        if gone := put_back(vault, [(each.path, each.data) for each in waiting]):
            raise not_back(vault, gone, "they are dropped, and that is not committed")

    def told(number: int) -> None:
        if number % 200 == 0:
            progress("dropping", number, len(waiting))

    try:
        files.remove_all(vault.root, [(e.path, sha256(e.data)) for e in waiting], told)
    except BaseException:
        undo()
        raise
    return undo


def _tracked(
    vault: Vault,
    entry: ImportEntry,
    paths: Sequence[str],
    undo: Callable[[], None],
    *,
    commit: bool,
) -> str:
    """Stage the removals, and commit just them where that is wanted; return the commit, or ""."""
    from doll.vcs import porcelain

    inside = [vault.in_git(path) for path in paths]
    before = plumbing.head(vault.repository)
    try:
        if commit:
            return porcelain.commit(vault.repository, inside, _message(entry, len(paths)))
        porcelain.stage(vault.repository, inside)
    except BaseException as error:
        if plumbing.head(vault.repository) != before:
            raise  # the commit is made, and what failed came after it
        undo()
        with suppress(GitError):
            porcelain.stage(vault.repository, inside)
        if isinstance(error, GitError):
            raise GitError(
                f"git failed, so nothing was dropped: {error.message}",
                hint="mend what git names, then drop it again",
            ) from error
        raise
    return ""


def _gone(vault: Vault, entry: ImportEntry, ledger: Ledger) -> list[str]:
    """Return what a drop that was killed had removed, and perhaps not staged yet."""
    if not entry.folder:
        return []
    stems = {fold(line.stem) for line in ledger.lines if line.state == "staged"}
    return [
        path
        for path in candidates.at_head(vault, [entry.folder])
        if fold(layout.record_id(path).rpartition("/")[2]) in stems
        and not os.path.lexists(vault.root / path)
    ]


def _stage(vault: Vault, paths: Sequence[str]) -> None:
    from doll.vcs import porcelain

    porcelain.stage(vault.repository, [vault.in_git(path) for path in paths])


def _message(entry: ImportEntry, number: int) -> str:
    return f"drop import {entry.name}\n\n{count(number, 'candidate')} left staging unreviewed\n"
