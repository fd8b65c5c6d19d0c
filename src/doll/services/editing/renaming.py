"""Renaming a record: its file, its aliases, and the references of confirmed memory and authority.

Written in an order in which the vault is whole after every step, so that a kill leaves no reference
unresolved and the same command finishes what was begun: first both names become aliases, then the
references change, then the file gets its name in one step, then the new id is no alias any more.
"""

import shlex
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from doll.errors import DollError, GitError, StorageError
from doll.records.codec import UnreadableError
from doll.records.digest import sha256
from doll.records.names import fold
from doll.records.repointing import repoint
from doll.services.checking.declarations import declarations, declare
from doll.services.checking.secret_places import secret_places
from doll.services.committing import require_committable
from doll.services.editing.renaming_plan import OWN, Plan, names_of, plan
from doll.services.opening import Vault
from doll.services.reading import referring
from doll.services.reading.referring import Known
from doll.services.recording import screening, writing
from doll.services.recording.authorship import require_user
from doll.services.recording.counting import branch_notes
from doll.services.recording.screening import Place
from doll.services.recording.writing import Manner
from doll.services.staged_texts import refuse_staged_text
from doll.services.trailers import FALSE_ALARM
from doll.services.uncommitted import former_paths, refuse_left_out, refuse_open_renames
from doll.vault import files, layout
from doll.vault.layout import record_id
from doll.vault.lock import writing as writer_lock
from doll.vcs import plumbing


class Renamed(NamedTuple):
    """A record that has its new id.

    `rewritten` are the records whose references name it now. `changed` is False where all of it
    was so already. `former` are the other paths under which HEAD has it: those of earlier renames
    that are not committed, and `path_before` where the rename was made before. `staged` are the
    paths that differ from HEAD in git's index now, or did before the commit; `commit` is its id, ""
    where none was made.
    """

    was: str
    id: str
    path_before: str
    path: str
    changed: bool
    rewritten: tuple[str, ...]
    entries: int
    linking: tuple[str, ...]
    notes: tuple[str, ...]
    subject: str
    trailers: tuple[str, ...] = ()
    commit: str = ""
    staged: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    former: tuple[str, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether git has still to learn of it: something changed, or HEAD has an old name."""
        return self.changed or bool(self.former)


def rename(vault: Vault, name: str, new: str, manner: Manner) -> Renamed:
    """Give the record `name` the id `new`, and stage what that changes.

    Raises what `plan` raises, ConflictError for a model and for a file that changed on disk,
    BusyError, StorageError: then nothing is renamed. GitError when staging or committing failed:
    the rename is made then, and the message says so.
    """
    require_user(manner.author, "rename a record", "tell the user: doll mv OLD NEW")
    screening.screen({"id": new}, None)
    if manner.commit:
        require_committable(vault.repository)
    with writer_lock(vault.state):
        known = referring.load(vault)
        made = plan(vault, known, name, new)
        rewritten = [each.record.path for each in made.rewrites]
        gone = _former(vault, made) if made.is_made else ()
        refuse_staged_text(vault, [made.record.path, made.path, *gone, *rewritten])
        if manner.commit:
            _refuse_open(vault, known, made)
        _write(vault, made)
        done = _done(vault, made)
        done = done._replace(rewritten=(*done.rewritten, *_earlier(vault, known, done)))
        return _recorded(vault, done, commit=manner.commit) if done.is_open else done


def _refuse_open(vault: Vault, known: Known, made: Plan) -> None:
    """Raise ConflictError where what would be committed needs what HEAD does not have."""
    others = [rewrite.record for rewrite in made.rewrites]
    refuse_open_renames(vault, others)
    refuse_left_out(vault, known, [made.record, *others])


def _done(vault: Vault, made: Plan) -> Renamed:
    folder = made.path.rpartition("/")[0]
    former = _former(vault, made)
    # Of a chain of renames git sees the two ends.
    begun = record_id(former[0]) if len(former) == 1 else made.was
    return Renamed(
        made.was,
        made.id,
        f"{folder}/{made.was}.md" if made.is_made else made.record.path,
        made.path,
        not made.is_made or made.final != made.data or bool(made.rewrites),
        tuple(rewrite.record.path for rewrite in made.rewrites),
        made.entries,
        made.linking,
        tuple(_notes(vault, made)),
        writing.bounded(f"mv: {begun} to {made.id}"),
        tuple(_alarms(vault, made)),
        former=former,
    )


def _former(vault: Vault, made: Plan) -> tuple[str, ...]:
    return former_paths(vault, made.path, (*made.record.fields.aliases, made.was))


def _alarms(vault: Vault, made: Plan) -> list[str]:
    """Keep what the user declared to be no secret under the new path; return the trailers for it.

    It was declared for the old path, and stands in the commits that changed that.
    """
    path, new = made.record.path, made.path
    if made.is_made or secret_places(vault, path, made.data.decode()):
        return []
    if not secret_places(vault, new, made.final.decode()):
        return []
    found = declarations(vault).detectors(vault.in_git(path), made.data)
    declare(vault, made.final, [Place(detector, "") for detector in sorted(found)])
    return [f"{FALSE_ALARM}: {detector}" for detector in sorted(found)]


def _write(vault: Vault, made: Plan) -> None:
    """Make the steps of a rename; undo those that were made when one fails."""
    undo: list[Callable[[], None]] = []
    root, path = vault.root, made.record.path

    def replace(at: str, before: bytes, after: bytes) -> None:
        if before != after:
            files.replace(root, at, after, sha256(before))
            undo.append(partial(files.replace, root, at, before, sha256(after)))

    try:
        if not made.is_made:
            replace(path, made.data, made.bridge)
        for each in made.rewrites:
            replace(each.record.path, each.before, each.after)
        if made.is_made:
            replace(path, made.data, made.final)
        else:
            digest = sha256(made.bridge)
            files.rename(root, path, made.path, digest)
            undo.append(partial(files.rename, root, made.path, path, digest))
            replace(made.path, made.bridge, made.final)
    except BaseException:
        _take_back(undo)
        raise


def _take_back(undo: list[Callable[[], None]]) -> None:
    """Undo the steps of a rename; StorageError where one cannot be, as on a full disk."""
    failed: list[DollError] = []
    for step in reversed(undo):
        try:
            step()
        except DollError as error:
            failed.append(error)
    if failed:
        raise StorageError(
            f"the rename is half made, and could not be taken back: {failed[0].message}",
            hint="the vault is whole as it is; once the disk takes files again, the same command "
            "finishes it",
        ) from failed[0]


def _earlier(vault: Vault, known: Known, done: Renamed) -> Iterator[str]:
    """Yield the records that an earlier rename to it changed, and HEAD does not have so yet.

    Only those in which nothing else differs from HEAD.
    """
    if not done.is_open:
        return
    oids = {entry.path: entry.oid for entry in known.entries}
    wanted = {r.path: names_of(r, done.id) for r in known.records if r.path.startswith(OWN)}
    paths = [path for path, fields in wanted.items() if fields and path not in done.rewritten]
    tree = plumbing.tree(vault.repository, vault.head, [vault.in_git(path) for path in paths])
    head = {vault.in_vault(item.path): item.oid for item in tree}
    changed = {path: head[path] for path in paths if head.get(path, oids[path]) != oids[path]}
    blobs = plumbing.blobs(vault.repository, list(changed.values()))
    names = dict.fromkeys((*map(record_id, done.former), done.was))
    for path, oid in changed.items():
        with suppress(DollError, UnreadableError):
            text = blobs[oid]
            for name in names:
                text = repoint(text, wanted[path], name, done.id)
            if text == files.read(vault.root, path):
                yield path


def _notes(vault: Vault, made: Plan) -> Iterator[str]:
    if made.record.path.startswith("authority/"):
        yield from branch_notes(vault)
    for path in made.passed_over:
        yield f"{path} keeps the old name: its review is not committed yet"
    named = [rule.project for rule in vault.settings.actions if rule.project]
    if made.record.type == "project" and fold(made.was) in map(fold, named):
        yield f"{layout.MARKER} keeps the old name, which goes on resolving"
    if made.record.type == "capability":
        yield "rules and experience name actions, not records: they keep the old action"


def _recorded(vault: Vault, done: Renamed, *, commit: bool) -> Renamed:
    """Stage both sides and the rewritten records, and commit just them where that is wanted."""
    from doll.vcs import porcelain

    ours = (done.path_before, done.path, *done.former, *done.rewritten)
    paths = [vault.in_git(path) for path in dict.fromkeys(ours)]
    said: list[str] = []
    message = "\n".join([done.subject, "", *done.trailers]).rstrip()
    try:
        porcelain.stage(vault.repository, paths)
        changes = plumbing.staged(vault.repository, vault.head)
        pending = [change.path for change in changes if change.path in paths]
        done = done._replace(staged=tuple(path[len(vault.prefix) :] for path in pending))
        if not pending or not commit:
            return done
        made = porcelain.commit(vault.repository, pending, message, tell=said.append)
    except GitError as error:
        what = "committed" if commit else "staged"
        names = f"{shlex.quote(done.was)} {shlex.quote(done.id)}{' --commit' if commit else ''}"
        raise GitError(
            f"the rename is made, and could not be {what}: {error.message}",
            hint=f"mend what git names, then: doll mv {names}    which finishes it",
        ) from error
    return done._replace(commit=made, said=tuple(said))
