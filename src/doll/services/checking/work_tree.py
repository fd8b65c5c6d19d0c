"""Validate: every record, the rules between them, and the work tree and index against HEAD.

Reads the files themselves, not the parse cache: what it says holds for the bytes on disk.
"""

import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from doll.errors import ConfigurationError, Problem
from doll.records.digest import blob_id, blob_id_of
from doll.records.limits import MAX_FILE_BYTES
from doll.services import nested
from doll.services.checking import file_rules, kept, review_rules
from doll.services.checking.absent import absence_note, absent_by_choice, committed_entries
from doll.services.checking.alike_names import on_disk_alike
from doll.services.checking.git_files import git_file_problems
from doll.services.checking.moves import tracked_among, with_git_mv
from doll.services.checking.near_names import near_names
from doll.services.checking.redacting import is_redaction
from doll.services.checking.relations import relation_problems
from doll.services.checking.secret_places import listed
from doll.services.checking.staged import Checked, validate_staged
from doll.services.checking.wholeness import refuse_newer
from doll.services.consolidating import judgements
from doll.services.opening import Vault, read_marker, require_records
from doll.services.signing.effect import unsigned_problems
from doll.vault import files, layout
from doll.vault.entries import Entry
from doll.vault.remembered import Remembered
from doll.vault.settings import Settings
from doll.vault.snapshot import Found, snapshot
from doll.vcs import plumbing

__all__ = ["Checked", "validate", "validate_staged"]


def validate(vault: Vault, now: datetime | None = None, known: Remembered | None = None) -> Checked:
    """Check the work tree, then what is staged, both against HEAD.

    With `now` a judgement dated after that is a problem. With `known` files that are as they were
    at the last call are not read again; what is said is the same.

    Settings that cannot be read are problems among the others. Raises NoVaultError for a vault
    that is empty against HEAD or without a `doll.yaml`, ConfigurationError for one that a newer
    doll wrote.
    """
    require_records(vault)
    settings, problems = _settings(vault)
    known = known or Remembered()
    known.begin()
    found = snapshot(vault.root, layout.AREAS)
    entries = [known.get(place) or _read(vault, place) for place in found.files]
    known.keep(entries)
    faults = [problem for entry in entries for problem in entry.problems]
    folders = [vault.in_git(area) for area in layout.AREAS]
    head = kept.versions(vault, plumbing.tree(vault.repository, vault.head, folders))
    absent = absent_by_choice(vault, _missing(vault, head, entries))
    entries += committed_entries(vault, head, absent)
    problems += [*faults, *found.problems, *absence_note(absent)]
    problems += relation_problems(entries, settings)
    problems += _experience(vault, head, entries, absent)
    problems += _within(vault, head)
    problems += _reviews(vault, head, entries)
    committed = {path for path in head if layout.is_kept(path)}
    problems += [*near_names(vault, committed), *on_disk_alike(vault, committed)]
    problems += git_file_problems(vault)
    problems += _judgements(vault, now)
    problems += unsigned_problems(vault, vault.head)
    problems = with_git_mv(listed(problems), tracked_among(vault, problems))
    said = {(p.path, p.line, p.code, p.message) for p in problems}
    for problem in _staged(vault, entries):
        if (problem.path, problem.line, problem.code, problem.message) not in said:
            problems.append(problem._replace(message=f"as staged: {problem.message}"))
    files = len(found.files)
    return Checked(tuple(sorted(set(problems))), files, configured=settings is not None)


def _judgements(vault: Vault, now: datetime | None) -> list[Problem]:
    problems = list(judgements.read_all(vault.root, now).problems)
    for path in judgements.paths(vault.root):
        try:
            problems += file_rules.secrets_in(vault, path, files.read(vault.root, path))
        except OSError:
            continue
    return problems


def _settings(vault: Vault) -> tuple[Settings | None, list[Problem]]:
    """Return the settings of the work tree, None where they cannot be read, and all problems."""
    marker = read_marker(vault.root) if vault.marker is None else vault.marker
    problems = file_rules.look_at(vault, layout.MARKER, marker).problems
    refuse_newer(problems)
    return vault.parse_settings(marker)[0], list(problems)


def _staged(vault: Vault, entries: Sequence[Entry]) -> tuple[Problem, ...]:
    try:
        return validate_staged(vault, entries).problems
    except ConfigurationError as error:
        return error.problems


def _missing(
    vault: Vault, head: Mapping[str, kept.Version], entries: Iterable[Entry]
) -> frozenset[str]:
    """Return the files of HEAD that are not on disk."""
    others = head.keys() - {entry.path for entry in entries}
    return frozenset(path for path in others if not os.path.lexists(vault.root / path))


def _read(vault: Vault, place: Found) -> Entry:
    try:
        data = files.read(vault.root, place.path)
    except OSError:
        return vault.loader.read(place)
    record, faults = file_rules.look_at(vault, place.path, data)
    whole = len(data) <= MAX_FILE_BYTES
    oid = blob_id(data, vault.repository.algorithm) if whole else ""
    return Entry(place.path, place.stamp, oid, record, faults)


def _experience(
    vault: Vault,
    head: Mapping[str, kept.Version],
    entries: Sequence[Entry],
    absent: frozenset[str],
) -> list[Problem]:
    """Return what became of the experience that HEAD has, but for what is `absent` by choice."""
    head = {p: v for p, v in head.items() if layout.is_kept(p) and p not in absent}
    now, problems = _on_disk(vault, head, entries)
    changed = kept.changed_files(head, now)
    redacted = set()
    if len(changed) == 1:
        path, oid = changed[0], head[changed[0]].oid
        before = plumbing.blobs(vault.repository, [oid], MAX_FILE_BYTES)[oid]
        if is_redaction(before, _bytes(vault, path)):
            redacted.add(path)
    return problems + kept.kept_problems(vault, head, now, frozenset(redacted))


def _within(vault: Vault, head: Mapping[str, kept.Version]) -> list[Problem]:
    """Return the folders below those of the vault that HEAD has as repositories of their own."""
    found = (p for p, version in head.items() if version.mode == nested.MODE and "/" in p)
    return [nested.repository_within(vault, path, "head") for path in found]


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
    pieces = files.parts(vault.root, path)
    return blob_id_of(pieces, status.st_size, vault.repository.algorithm)


def _bytes(vault: Vault, path: str) -> bytes:
    return files.read(vault.root, path)
