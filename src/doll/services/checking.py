"""Validate: every record, the rules between them, and the work tree and index against HEAD.

Reads the files themselves, not the parse cache: what it says holds for the bytes on disk.
"""

import os
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from doll.errors import Problem
from doll.records.digest import blob_id
from doll.records.model import Record
from doll.services import kept, record_rules, review_rules
from doll.services.accepted import entries_at, entries_of
from doll.services.opening import Vault
from doll.services.secret_rules import secret_problems
from doll.vault import files, layout
from doll.vault.entries import Entry, parse_file
from doll.vault.settings import parse_settings
from doll.vault.snapshot import Found, snapshot
from doll.vcs import plumbing


class Checked(NamedTuple):
    """What validate found: all problems, sorted, and how many record files were looked at."""

    problems: tuple[Problem, ...]
    files: int


def validate(vault: Vault) -> Checked:
    """Check the work tree, then what is staged, both against HEAD."""
    found = snapshot(vault.root, layout.AREAS)
    entries, problems = _read_all(vault, found.files)
    problems += found.problems
    problems += _between(entries)
    problems += _settings_problems(files.read(vault.root, layout.MARKER))
    head = _versions(vault, plumbing.tree(vault.repository, vault.head, _kept_folder(vault)))
    problems += _kept(vault, head, _on_disk(vault, head, entries), staged=None)
    at_head = {item.path for item in plumbing.tree(vault.repository, vault.head, _areas(vault))}
    fresh = [e.record for e in entries if e.record and vault.in_git(e.path) not in at_head]
    problems += review_rules.fresh_review_problems(vault, fresh, _work_tree_bytes(vault))
    said = {(p.path, p.line, p.code, p.message) for p in problems}
    for problem in validate_staged(vault, entries).problems:
        if (problem.path, problem.line, problem.code, problem.message) not in said:
            problems.append(problem._replace(message=f"as staged: {problem.message}"))
    return Checked(tuple(sorted(problems)), len(found.files))


def validate_staged(vault: Vault, on_disk: Sequence[Entry] | None = None) -> Checked:
    """Check what the next commit would make of the vault.

    A problem that HEAD has already does not count, so that it can be mended step by step.
    """
    changes = [
        (change._replace(path=path), change.path)
        for change in plumbing.staged(vault.repository, vault.head)
        if (path := vault.in_vault(change.path)) is not None
    ]
    if not changes:
        return Checked((), 0)
    present = [change for change, _ in changes if change.status != "D"]
    blobs = plumbing.blobs(
        vault.repository, [c.oid for c in present if c.mode in ("100644", "100755")]
    )
    problems = _staged_files(vault, present, blobs)
    if any(layout.area_of(change.path) for change, _ in changes):
        problems += _staged_between(vault, on_disk)
    head = _versions(vault, plumbing.tree(vault.repository, vault.head, _kept_folder(vault)))
    index = _versions(vault, plumbing.tracked(vault.repository, _kept_folder(vault)))
    problems += _kept(vault, head, index, staged=[change.path for change, _ in changes])
    return Checked(tuple(sorted(set(problems))), len(present))


def _read_all(vault: Vault, found: Iterable[Found]) -> tuple[list[Entry], list[Problem]]:
    entries, problems = [], []
    for file in found:
        try:
            data = files.read(vault.root, file.path)
        except OSError:
            entry = vault.loader.read(file)
        else:
            record, faults = parse_file(data, file.path)
            oid = blob_id(data, vault.repository.algorithm)
            entry = Entry(file.path, file.stamp, oid, record, faults)
            problems += secret_problems(vault, file.path, data)
        entries.append(entry)
        problems += entry.problems
        problems += record_rules.folder_problems(entry.path, entry.record)
        if entry.record is not None:
            problems += record_rules.origin_problems(entry.record)
    return entries, problems


def _between(entries: Sequence[Entry]) -> list[Problem]:
    """Return the problems between records: names, references, circles."""
    records = record_rules.local(entry.record for entry in entries if entry.record)
    unreadable = [entry.path for entry in entries if entry.record is None]
    return [
        *record_rules.name_problems(records, unreadable),
        *record_rules.reference_problems(records),
        *record_rules.cycle_problems(records),
    ]


def _settings_problems(data: bytes) -> tuple[Problem, ...]:
    return parse_settings(data)[1]


def _staged_files(
    vault: Vault, changes: Iterable[plumbing.Change], blobs: dict[str, bytes]
) -> list[Problem]:
    problems: list[Problem] = []
    records: list[Record] = []
    contents: dict[str, bytes] = {}
    for change in changes:
        data = blobs.get(change.oid)
        if data is None:
            if layout.is_record(change.path):
                message = "this is a symbolic link or unmerged, not a record"
                problems.append(Problem(change.path, 0, 0, "file.symlink", message))
            continue
        if change.path == layout.MARKER:
            problems += _settings_problems(data)
        if layout.is_record(change.path):
            record, faults = parse_file(data, change.path)
            problems += faults
            problems += record_rules.folder_problems(change.path, record)
            contents[change.path] = data
            if record is not None:
                problems += record_rules.origin_problems(record)
                if change.status == "A":
                    records.append(record)
        problems += secret_problems(vault, change.path, data)
    problems += review_rules.fresh_review_problems(vault, records, contents.__getitem__)
    return problems


def _staged_between(vault: Vault, on_disk: Sequence[Entry] | None) -> list[Problem]:
    """Return what the commit would newly break between records."""
    if on_disk is None:
        on_disk = vault.load(layout.LOCAL_AREAS).entries
    areas = [vault.in_git(area) for area in layout.LOCAL_AREAS]
    items = [item for item in plumbing.tracked(vault.repository, areas) if item.stage == 0]
    after = _between(entries_of(vault, items, on_disk))
    before = set(_between(entries_at(vault, vault.head, layout.LOCAL_AREAS, on_disk)))
    return [problem for problem in after if problem not in before]


def _kept(
    vault: Vault,
    head: dict[str, kept.Version],
    now: dict[str, kept.Version],
    staged: Sequence[str] | None,
) -> list[Problem]:
    changed = kept.changed_paths(head, now)
    redacted = set()
    if len(changed) == 1 and (staged is None or list(staged) == changed):
        path = changed[0]
        oid = head[path].oid
        before = plumbing.blobs(vault.repository, [oid])[oid]
        if staged is None:
            after = files.read(vault.root, path)
        else:
            after = plumbing.blobs(vault.repository, [now[path].oid])[now[path].oid]
        if kept.is_redaction(before, after):
            redacted.add(path)
    return kept.kept_problems(head, now, frozenset(redacted))


def _kept_folder(vault: Vault) -> list[str]:
    return [vault.in_git("experience")]


def _areas(vault: Vault) -> list[str]:
    return [vault.in_git(area) for area in layout.AREAS]


def _versions(vault: Vault, items: Iterable[plumbing.TreeEntry]) -> dict[str, kept.Version]:
    return {
        path: kept.Version(item.mode, item.oid)
        for item in items
        if (path := vault.in_vault(item.path)) is not None
    }


def _on_disk(
    vault: Vault, head: Iterable[str], entries: Iterable[Entry]
) -> dict[str, kept.Version]:
    """Return the versions on disk of the paths that HEAD keeps; a file that is gone is left out."""
    known = {entry.path: entry.oid for entry in entries}
    versions = {}
    for path in head:
        place = vault.root / path
        try:
            mode = _mode(place)
            oid = known.get(path) or _oid(vault, path)
        except OSError:
            continue
        versions[path] = kept.Version(mode, oid)
    return versions


def _mode(place: Path) -> str:
    status = os.lstat(place)
    if stat.S_ISLNK(status.st_mode):
        return "120000"
    return "100755" if status.st_mode & stat.S_IXUSR else "100644"


def _oid(vault: Vault, path: str) -> str:
    return blob_id(files.read(vault.root, path), vault.repository.algorithm)


def _work_tree_bytes(vault: Vault) -> review_rules.Reader:
    return lambda path: files.read(vault.root, path)
