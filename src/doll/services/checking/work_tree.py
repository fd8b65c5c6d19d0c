"""Validate: every record, the rules between them, and the work tree and index against HEAD.

Reads the files themselves, not the parse cache: what it says holds for the bytes on disk.
"""

import os
import stat
from collections.abc import Iterable, Mapping, Sequence

from doll.errors import Problem
from doll.records.digest import blob_id
from doll.records.limits import MAX_FILE_BYTES
from doll.services.checking import file_rules, kept, review_rules
from doll.services.checking.moves import tracked_among, with_git_mv
from doll.services.checking.near_names import near_names
from doll.services.checking.relations import relation_problems
from doll.services.checking.staged import Checked, validate_staged
from doll.services.opening import Vault
from doll.vault import files, layout
from doll.vault.entries import Entry
from doll.vault.snapshot import Found, snapshot
from doll.vcs import plumbing

__all__ = ["Checked", "validate", "validate_staged"]


def validate(vault: Vault) -> Checked:
    """Check the work tree, then what is staged, both against HEAD."""
    found = snapshot(vault.root, layout.AREAS)
    entries, problems = _read_all(vault, found.files)
    problems += found.problems
    problems += _settings_problems(vault)
    problems += relation_problems(entries, vault.settings)
    folders = [vault.in_git(area) for area in layout.AREAS]
    head = kept.versions(vault, plumbing.tree(vault.repository, vault.head, folders))
    problems += _experience(vault, head, entries)
    problems += _reviews(vault, head, entries)
    problems += near_names(vault, {path for path in head if layout.is_kept(path)})
    problems = with_git_mv(problems, tracked_among(vault, problems))
    said = {(p.path, p.line, p.code, p.message) for p in problems}
    for problem in validate_staged(vault, entries).problems:
        if (problem.path, problem.line, problem.code, problem.message) not in said:
            problems.append(problem._replace(message=f"as staged: {problem.message}"))
    return Checked(tuple(sorted(set(problems))), len(found.files))


def _read_all(vault: Vault, found: Iterable[Found]) -> tuple[list[Entry], list[Problem]]:
    entries, problems = [], list[Problem]()
    for place in found:
        try:
            data = files.read(vault.root, place.path)
        except OSError:
            entry = vault.loader.read(place)
            problems += entry.problems
        else:
            record, faults = file_rules.look_at(vault, place.path, data)
            whole = len(data) <= MAX_FILE_BYTES
            oid = blob_id(data, vault.repository.algorithm) if whole else ""
            entry = Entry(place.path, place.stamp, oid, record, faults)
            problems += faults
        entries.append(entry)
    return entries, problems


def _settings_problems(vault: Vault) -> tuple[Problem, ...]:
    assert vault.marker is not None, "a vault without settings is not opened"
    return file_rules.look_at(vault, layout.MARKER, vault.marker).problems


def _experience(
    vault: Vault, head: Mapping[str, kept.Version], entries: Sequence[Entry]
) -> list[Problem]:
    """Return what became of the experience that HEAD has."""
    now, problems = _on_disk(vault, {p: v for p, v in head.items() if layout.is_kept(p)}, entries)
    changed = kept.changed_files(head, now)
    redacted = set()
    if len(changed) == 1:
        path, oid = changed[0], head[changed[0]].oid
        before = plumbing.blobs(vault.repository, [oid])[oid]
        if kept.is_redaction(before, _bytes(vault, path)):
            redacted.add(path)
    return problems + kept.kept_problems(head, now, frozenset(redacted))


def _reviews(
    vault: Vault, head: Mapping[str, kept.Version], entries: Sequence[Entry]
) -> list[Problem]:
    committed = {path: version.oid for path, version in head.items() if version.mode in kept.FILES}
    records = [e.record for e in entries if e.record and committed.get(e.path) != e.oid]
    gone = committed.keys() - {entry.path for entry in entries}
    fresh = review_rules.entering(vault, records, committed, gone)
    return review_rules.review_problems(vault, fresh, lambda path: _bytes(vault, path))


def _on_disk(
    vault: Vault, head: Mapping[str, kept.Version], entries: Iterable[Entry]
) -> tuple[dict[str, kept.Version], list[Problem]]:
    """Return the versions on disk of the paths of `head`, without those that are gone.

    A file that cannot be read counts as it is at HEAD, and is a problem of its own.
    """
    known = {entry.path: entry.oid for entry in entries}
    has_modes = plumbing.config(vault.repository, "core.fileMode", kind="bool") != "false"
    versions, problems = {}, []
    for path, before in head.items():
        try:
            status = os.lstat(vault.root / path)
            oid = known.get(path) or _oid(vault, path, status)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            versions[path] = before
            if path not in known:
                message = f"the file cannot be read: {error.strerror}"
                problems.append(Problem(path, 0, 0, "file.unreadable", message))
            continue
        mode = _mode(status)
        if not has_modes and mode in kept.FILES and before.mode in kept.FILES:
            mode = before.mode
        versions[path] = kept.Version(mode, oid or before.oid)
    return versions, problems


def _mode(status: os.stat_result) -> str:
    """Return the mode that git gives a file; a folder where a submodule can be."""
    if stat.S_ISLNK(status.st_mode):
        return "120000"
    if stat.S_ISDIR(status.st_mode):
        return "160000"
    return "100755" if status.st_mode & stat.S_IXUSR else "100644"


def _oid(vault: Vault, path: str, status: os.stat_result) -> str:
    """Return the blob id of a file or a link; "" for what has none, such as a folder."""
    if stat.S_ISLNK(status.st_mode):
        target = (vault.root / path).readlink()
        return blob_id(os.fsencode(target), vault.repository.algorithm)
    if not stat.S_ISREG(status.st_mode):
        return ""
    return blob_id(_bytes(vault, path, status.st_size), vault.repository.algorithm)


def _bytes(vault: Vault, path: str, size: int = 0) -> bytes:
    return files.read(vault.root, path, max(size, MAX_FILE_BYTES))
