"""Which memories may be exported, and why the others may not: by what is accepted.

A change that is not accepted lifts nothing: what an accepted record supersedes stays superseded,
and a file that differs from its committed version is not exported in either.
"""

import functools
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import NamedTuple, cast

import msgspec

from doll.errors import Problem
from doll.recall.rows import Row, row
from doll.recall.standing import Standing
from doll.records.model import Memory, Record
from doll.records.names import fold
from doll.render.export_values import Elsewhere, Reason
from doll.services.accepted import Accepted, entries_of
from doll.services.opening import Vault
from doll.services.signing.effect import unsigned_reviews
from doll.vault import layout
from doll.vault.entries import Entry
from doll.vcs import plumbing

_AREA = "confirmed"


class Memories(NamedTuple):
    """The memories of a vault by path, as accepted or else as on disk, and what bars some.

    `elsewhere` counts the accepted records of other kinds; `problems` are those of files that
    cannot be read or looked at.
    """

    entries: Mapping[str, Entry]
    barred: Mapping[str, Reason]
    elsewhere: Elsewhere
    problems: tuple[Problem, ...]

    def record(self, path: str) -> Record | None:
        """Return the record at a path, None where there is none that can be read."""
        entry = self.entries.get(path)
        return entry.record if entry else None


def memories(
    vault: Vault, accepted: Accepted, as_of: datetime, progress: Callable[[str, int, int], None]
) -> Memories:
    """Return the memories of a vault and their standing at `as_of`.

    `progress` is told a stage, how far it is, and how far it goes. GitError when git fails, also
    where it cannot be looked at which reviews are signed.
    """
    vault.loader.progress = functools.partial(progress, "looking at")
    disk = vault.load([_AREA])
    vault.loader.progress = None
    tree = plumbing.tree(
        vault.repository, accepted.commit, [vault.in_git(area) for area in layout.LOCAL_AREAS]
    )
    paths = [path for item in tree if (path := vault.in_vault(item.path)) is not None]
    records = [path for path in paths if layout.is_record(path)]
    area = f"{vault.in_git(_AREA)}/"
    items = [item for item in tree if item.path.startswith(area)]
    committed = {entry.path: entry for entry in entries_of(vault, items, disk.entries)}
    unsigned = unsigned_reviews(vault, accepted.commit)
    here = {entry.path: entry for entry in disk.entries}
    judge = _Judge(
        committed,
        here,
        frozenset(change.path for change in unsigned.changes),
        _names(records, committed),
        as_of,
    )
    entries = dict(sorted((here | committed).items()))
    barred = {path: reason for path in entries if (reason := judge.reason(path)) is not None}
    problems = [p for e in entries.values() if e.record is None for p in e.problems]
    return Memories(
        entries,
        barred,
        Elsewhere(_number(records, "experience/"), _number(records, "authority/")),
        tuple(sorted({*problems, *disk.problems, *unsigned.problems})),
    )


def _number(paths: list[str], area: str) -> int:
    return sum(path.startswith(area) for path in paths)


def _names(paths: list[str], committed: Mapping[str, Entry]) -> Counter[str]:
    """Return how many accepted records are called by each folded name."""
    names = Counter(fold(layout.record_id(path)) for path in paths)
    for entry in committed.values():
        if entry.record is not None:
            own = fold(entry.record.id)
            names.update({fold(alias) for alias in entry.record.fields.aliases} - {own})
    return names


class _Judge:
    """Says of each file of `confirmed/` why it is not exported."""

    def __init__(
        self,
        committed: Mapping[str, Entry],
        here: Mapping[str, Entry],
        unsigned: frozenset[str],
        names: Counter[str],
        as_of: datetime,
    ) -> None:
        self._committed, self._here = committed, here
        self._unsigned, self._names = unsigned, names
        rows = [
            found
            for path, entry in committed.items()
            if path not in unsigned
            and entry.record is not None
            and (found := row(entry.record, 0, 0)) is not None
        ]
        standing = Standing(rows, as_of)
        self._standing = {each.path: _not_active(standing, each) for each in rows}

    def reason(self, path: str) -> Reason | None:
        """Return why the memory at a path is not exported, None where it is."""
        committed, here = self._committed.get(path), self._here.get(path)
        seen = [entry for entry in (committed, here) if entry is not None]
        records = [entry.record for entry in seen if entry.record is not None]
        if label := _label(records):
            return label
        if len(records) < len(seen):
            return "unreadable"
        if committed is None or here is None or committed.oid != here.oid:
            return "not_committed"
        if path in self._unsigned:
            return "not_signed"
        if self._names[fold(records[0].id)] > 1:
            return "ambiguous_id"
        if records[0].fields.origin != "user" and records[0].fields.reviewed_by is None:
            return "not_reviewed"
        return self._standing.get(path)


def _label(records: list[Record]) -> Reason | None:
    """Return what a record's own words forbid, be they committed or not."""
    fields = [cast("Memory", record.fields) for record in records]
    if any(each.sensitivity == "secret" for each in fields):
        return "secret"
    return None if all(each.exportable for each in fields) else "not_exportable"


def _not_active(standing: Standing, found: Row) -> Reason | None:
    """Return why an accepted memory is not active; its validity goes along and bars nothing."""
    reason = standing.of(msgspec.structs.replace(found, valid_from=None, valid_until=None))
    return None if reason == "current" else cast("Reason", reason)
