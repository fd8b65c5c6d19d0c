"""Judging a pair: the user says that two records are distinct, or takes that back.

It is the user's alone. One file is written or removed, and no record is touched.
"""

import shlex
from typing import NamedTuple

from doll.errors import ConflictError, GitError, UsageError
from doll.recall.rows import is_searchable
from doll.recall.similarity import text_digest
from doll.records.digest import blob_id, sha256
from doll.records.model import Record, with_article
from doll.records.references import Names
from doll.render.duplicates_values import Judged
from doll.services.committing import require_committable
from doll.services.consolidating import judgements
from doll.services.consolidating.gathering import TYPES, text_of
from doll.services.editing.against_head import at_head
from doll.services.identity import require_identity
from doll.services.opening import Vault
from doll.services.reading import finding, referring
from doll.services.reading.referring import Known
from doll.services.recording import writing
from doll.services.recording.authorship import require_user
from doll.services.recording.writing import Manner
from doll.services.staged_texts import refuse_staged_text
from doll.services.writer import writing as writer_lock
from doll.vault import files, judged
from doll.vault.judged import Judgement
from doll.vcs import plumbing


class _Judged(NamedTuple):
    """A record of the pair, and the digest of its text now."""

    record: Record
    text: str


def judge(vault: Vault, names: tuple[str, str], manner: Manner, *, undo: bool = False) -> Judged:
    """Say that the two records that `names` name are distinct; `undo`: take that back.

    What is so already stays as it is. Raises UsageError (no such record, one record twice, records
    that are never compared), ConflictError (a model at work, no judgement to take back, a text that
    only git's index has),
    InvalidDocumentError, BusyError, StorageError: then nothing was changed. GitError when the
    commit failed.
    """
    what = "take a judgement back" if undo else "judge a pair"
    require_user(manner.author, what, "tell the user: doll duplicates    shows what is alike")
    require = require_committable if manner.commit else require_identity
    identity = require(vault.repository)
    with writer_lock(vault):
        for fault in judgements.folder_problems(vault.root):
            raise ConflictError(f"{fault.path}: {fault.message}", hint=fault.hint)
        known = referring.load(vault)
        pair = _pair(vault, known, names)
        there = _there(vault, known, pair, manner)
        if undo:
            return _undone(vault, pair, there, manner)
        ids = [(each.record.id, each.text) for each in pair]
        said = judged.judgement(ids[0], ids[1], identity, manner.now.replace(microsecond=0))
        return _written(vault, said, there, manner)


def _pair(vault: Vault, known: Known, names: tuple[str, str]) -> tuple[_Judged, _Judged]:
    entries = [finding.find(vault, known, name, "A B") for name in names]
    pair = []
    for entry in entries:
        data, record, _ = finding.read(vault, entry)
        if record.type not in TYPES or entry.path.startswith("staging/"):
            kind = "a candidate" if entry.path.startswith("staging/") else with_article(record.type)
            raise UsageError(
                f"{record.id} is {kind}, and only memories and experience are compared",
                hint="doll duplicates    shows what is alike",
            )
        if not is_searchable(record):
            raise UsageError(f"{record.id} is about a secret, and is never compared")
        pair.append(_Judged(record, text_digest(text_of(record, data))))
    one, other = pair
    if one.record.path == other.record.path:
        raise UsageError(f"both names are those of {one.record.id}", hint="name two records")
    if one.record.type != other.record.type:
        raise UsageError("a memory is never compared with experience", hint="name two of one type")
    return one, other


def _there(
    vault: Vault, known: Known, pair: tuple[_Judged, _Judged], manner: Manner
) -> list[Judgement]:
    """Return the judgements of a pair that are there, under old names of it too."""
    wanted = {each.record.path for each in pair}
    names = Names(known.records)
    found = []
    for said in judgements.read_all(vault.root, manner.now).judgements:
        resolved = judgements.resolved(said, names)
        if resolved is not None and {record.path for record in resolved} == wanted:
            found.append(said)
    return found


def _written(vault: Vault, said: Judgement, there: list[Judgement], manner: Manner) -> Judged:
    """Write a judgement in the place of those that are there, unless one of them says the same."""
    subject = writing.bounded(f"duplicates: {said.ids[0]} and {said.ids[1]} are distinct")
    for each in there:
        if (each.ids, each.texts) == (said.ids, said.texts):
            return _recorded(vault, _done(vault, each, subject, changed=False), manner)
    data = judged.render(said)
    old = [each.path for each in there if each.path != said.path]
    refuse_staged_text(vault, [said.path, *old])
    if (vault.root / said.path).exists():
        files.replace(vault.root, said.path, data, _digest(vault, said.path))
    else:
        files.create(vault.root, said.path, data)
    for path in old:
        files.remove(vault.root, path, _digest(vault, path))
    done = _done(vault, said, subject, changed=True)
    return _recorded(vault, done._replace(pending=(*done.pending, *_tracked(vault, old))), manner)


def _undone(
    vault: Vault, pair: tuple[_Judged, _Judged], there: list[Judgement], manner: Manner
) -> Judged:
    one, other = (each.record.id for each in pair)
    paths = [each.path for each in there]
    # A damaged file of the pair goes as well.
    place = judged.path_of(one, other)
    if place not in paths and (vault.root / place).is_file():
        paths.append(place)
    if not paths:
        raise ConflictError(
            f"{one} and {other} are not judged; nothing was changed",
            hint="doll duplicates --judged    shows the judgements",
        )
    refuse_staged_text(vault, paths)
    for path in paths:
        files.remove(vault.root, path, _digest(vault, path))
    subject = writing.bounded(f"duplicates: {one} and {other} are open again")
    pending = _tracked(vault, paths)
    return _recorded(vault, Judged((one, other), paths[0], True, True, pending, subject), manner)


def _done(vault: Vault, said: Judgement, subject: str, *, changed: bool) -> Judged:
    data = files.read(vault.root, said.path)
    is_at_head = at_head(vault, said.path) == blob_id(data, vault.repository.algorithm)
    pending = () if is_at_head else (said.path,)
    return Judged(said.ids, said.path, changed, undone=False, pending=pending, subject=subject)


def _tracked(vault: Vault, paths: list[str]) -> tuple[str, ...]:
    """Return those of the paths that git knows: there is nothing to commit of the others."""
    if not paths:
        return ()
    found = plumbing.tracked(vault.repository, [vault.in_git(path) for path in paths])
    ours = (vault.in_vault(item.path) for item in found)
    return tuple(dict.fromkeys(path for path in ours if path is not None))


def _digest(vault: Vault, path: str) -> str:
    try:
        return sha256(files.read(vault.root, path))
    except OSError as error:
        raise ConflictError(f"{path} cannot be read: {error.strerror}") from error


def _recorded(vault: Vault, done: Judged, manner: Manner) -> Judged:
    """Commit just the files of a judgement where that is wanted."""
    if not (manner.commit and done.pending):
        return done
    from doll.vcs import porcelain

    said: list[str] = []
    paths = [vault.in_git(path) for path in done.pending]
    try:
        commit = porcelain.commit(vault.repository, paths, done.subject, tell=said.append)
    except GitError as error:
        raise GitError(
            f"the judgement is {'taken back' if done.undone else 'written'} and not committed: "
            f"{error.message}",
            hint=f"mend what git names, then: {commit_line(vault, done)}",
        ) from error
    return done._replace(commit=commit, said=tuple(said), pending=())


def commit_line(vault: Vault, done: Judged) -> str:
    """Return the line to type that commits a judgement."""
    git = f"git -C {shlex.quote(str(vault.root))}"
    paths = shlex.join(done.pending)
    return f"{git} add -A -- {paths} && {git} commit -m {shlex.quote(done.subject)} -- {paths}"
