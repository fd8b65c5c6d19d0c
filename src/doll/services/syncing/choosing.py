"""Which of the changed files a commit can take: those with which it breaks no rule.

The rules are those of `validate --staged`, asked of a draft: HEAD with the chosen files as they are
on disk. What has an error is taken out of it, and what needs what was taken out, until it stands.
"""

import copy
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from doll.errors import Problem, errors_in
from doll.records.names import fold
from doll.records.references import references
from doll.services.accepted import entries_of
from doll.services.checking.moves import on_disk
from doll.services.checking.staged import validate_staged
from doll.services.opening import Vault
from doll.services.syncing.approving import half_approved
from doll.services.syncing.values import Chosen
from doll.services.trailers import REDACTS
from doll.vault import layout
from doll.vault.entries import Entry
from doll.vault.typed import typed
from doll.vcs import plumbing, porcelain
from doll.vcs.plumbing import Change

_WHAT = {"A": "new", "D": "removed"}


class Choice(NamedTuple):
    """What can be committed, and the problems of the rest; both sorted by path."""

    commit: tuple[Chosen, ...]
    held: tuple[Problem, ...]


def choose(vault: Vault, wanted: Sequence[str]) -> Choice:
    """Return which of the `wanted` paths of the vault a commit on HEAD can take as they are now.

    Raises GitError; ConfigurationError where a newer doll wrote the `doll.yaml` of HEAD.
    """
    if not wanted:
        return Choice((), ())
    # What is gone first: a file may stand where a folder was.
    there = sorted(wanted, key=lambda path: ((vault.root / path).exists(), path))
    paths = [vault.in_git(path) for path in there]
    with porcelain.draft(vault.repository, vault.head, paths, vault.state) as repository:
        drafted = copy.copy(vault)
        drafted.repository = repository
        choice = _Sieve(drafted).result()
    return choice._replace(held=tuple(on_disk(vault, choice.held)))


class _Sieve:
    def __init__(self, drafted: Vault) -> None:
        self.vault = drafted
        changes = plumbing.staged(drafted.repository, drafted.head)
        inside = ((drafted.in_vault(change.path), change) for change in changes)
        self.chosen = {path: change for path, change in inside if path is not None}
        self.held: list[Problem] = []
        self.on_disk: tuple[Entry, ...] = ()
        if self.chosen:
            self.on_disk = drafted.load(layout.LOCAL_AREAS).entries

    def result(self) -> Choice:
        """Take out what cannot stay, until nothing is left to object to."""
        self._drop(_redactions(self.chosen))
        self._drop(half_approved(self.vault, self.chosen, self.on_disk))
        while self.chosen:
            errors = errors_in(self._problems())
            if not errors:
                break
            self._drop(self._blamed(errors))
        chosen = (
            Chosen(path, _WHAT.get(c.status, "changed"), *(("", "") if gone else (c.oid, c.mode)))
            for path, c in self.chosen.items()
            for gone in (c.status == "D",)
        )
        return Choice(tuple(sorted(chosen)), tuple(sorted(set(self.held))))

    def _problems(self) -> tuple[Problem, ...]:
        return validate_staged(self.vault, self.on_disk, warnings=False).problems

    def _drop(self, problems: Sequence[Problem]) -> None:
        """Take the files of these problems out of the draft, and what they are one half of."""
        dropped = {problem.path for problem in problems}
        if not dropped:
            return
        halves = list(_other_halves(self.chosen, dropped))
        self.held += [*problems, *halves]
        out = [self.chosen.pop(path) for path in {*dropped, *(half.path for half in halves)}]
        before = [plumbing.TreeEntry(c.path, c.old_mode, c.old_oid) for c in out if c.status != "A"]
        porcelain.put_back(self.vault.repository, before, [c.path for c in out if c.status == "A"])

    def _blamed(self, errors: Sequence[Problem]) -> list[Problem]:
        """Return the problems of the files to take out for `errors`; never none.

        An error can stand in a file that does not change, for one that it needs and that goes.
        """
        own = [error for error in errors if error.path in self.chosen]
        if own:
            return own
        guilty = self._named_in({error.path for error in errors})
        guilty = guilty or [path for path, c in self.chosen.items() if c.status == "D"]
        guilty = guilty or list(self.chosen)
        return [_needed(path, self.chosen[path], errors) for path in guilty]

    def _named_in(self, faulty: Collection[str]) -> list[str]:
        """Return the chosen files that had, or get, a name that the faulty files mention."""
        head = plumbing.tree(
            self.vault.repository,
            self.vault.head,
            [self.vault.in_git(path) for path in (*faulty, *self.chosen)],
        )
        records = {e.path: e.record for e in entries_of(self.vault, head, self.on_disk) if e.record}
        mentioned = {
            fold(reference.name)
            for path in faulty
            if (record := records.get(path)) is not None
            for reference in references(record)
        }
        found = []
        for path in self.chosen:
            record = records.get(path)
            names = {layout.record_id(path), *(record.fields.aliases if record else ())}
            if not mentioned.isdisjoint(map(fold, names)):
                found.append(path)
        return found


def _redactions(chosen: dict[str, Change]) -> list[Problem]:
    """Return the entries of experience that change: `doll redact` commits them, and nobody else.

    One that is no redaction is a problem of validate's, and has better words there.
    """
    edits = [p for p, c in chosen.items() if layout.is_kept(p) and c.status == "M"]
    if len(edits) != 1:
        return []
    path = edits[0]
    trailer = f"{REDACTS}: {layout.record_id(path)}"
    message = "this entry is committed history; as a redaction it is committed by itself"
    hint = (
        f"git commit -m {typed('redact: ' + layout.record_id(path))} --trailer {typed(trailer)} "
        f"-- {typed(path)}    if it is one, else:\n"
        f"git restore --source=HEAD --staged --worktree -- {typed(path)}    drops the change"
    )
    return [Problem(path, 0, 0, "experience.changed", message, hint=hint)]


def _other_halves(chosen: dict[str, Change], dropped: Collection[str]) -> Iterable[Problem]:
    """Yield the files that are one half of a move whose other half stays out."""
    for path in dropped:
        change = chosen[path]
        for other, each in chosen.items():
            moved = change.status == "D" and each.status == "A" and each.oid == change.old_oid
            left = change.status == "A" and each.status == "D" and each.old_oid == change.oid
            if other not in dropped and (moved or left):
                where = "from" if moved else "to"
                message = f"it was moved {where} {path}, which is held back"
                yield Problem(other, 0, 0, "sync.needs", message, hint="")


def _needed(path: str, change: Change, errors: Sequence[Problem]) -> Problem:
    """Return why a file cannot be committed that others need as it is at HEAD."""
    first = errors[0]
    others = f", like {len(errors) - 1:,} more" if len(errors) > 1 else ""
    done = {"D": "it is gone", "A": "it is new"}.get(change.status, "it was changed")
    message = f"{done}, and without it as it was {first.path} breaks: {first.message}{others}"
    return Problem(path, 0, 0, "sync.needs", message, hint=first.hint)
