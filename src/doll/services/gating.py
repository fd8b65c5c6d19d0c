"""Gating: gathers what preflight evaluates, from the accepted commit and the work tree.

Authority, settings and the path → action map are read at the accepted commit; experience also
from the work tree, where it can only add. Never reaches the recall index.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

from doll.errors import ConfigurationError, DollError, Problem
from doll.preflight import CAP, Entry, Inputs, Pending, Report, Request, evaluate
from doll.records.model import Record
from doll.records.names import fold
from doll.records.references import Names
from doll.services.accepted import accepted_commit, entries_of, settings_bytes
from doll.services.opening import Vault
from doll.services.pending import differences, record_oids, settings_differ
from doll.vault import entries as vault_entries
from doll.vault import layout
from doll.vault.settings import Settings
from doll.vcs import plumbing

_WHAT = {
    "new": "new in the work tree, not committed",
    "changed": "changed in the work tree; the committed text counts",
    "removed": "removed from the work tree; the committed text counts",
}


class _Tree(NamedTuple):
    """The accepted commit's files below `authority/`, and the bytes of its `doll.yaml`."""

    authority: Sequence[plumbing.TreeEntry]
    marker: bytes | None


def check(
    vault: Vault, request: Request, as_of: datetime, *, draft: bool = False, cap: int = CAP
) -> Report:
    """Evaluate a request against a vault at a moment.

    `draft` evaluates the work tree instead of the accepted commit.
    """
    return evaluate(gather(vault, request.project, draft=draft), request, as_of, cap=cap)


def gather(vault: Vault, project: str | None, *, draft: bool = False) -> Inputs:
    """Return everything that the answer about `project` depends on."""
    accepted = accepted_commit(vault)
    tree = _tree(vault, accepted.commit)
    on_disk = vault.load(["authority"])
    committed = entries_of(vault, tree.authority, on_disk.entries)
    counted = on_disk.entries if draft else committed
    authority = [entry.record for entry in counted if entry.record is not None]
    unreadable = _unreadable(counted)
    settings = _settings(vault, tree.marker, unreadable, draft=draft)
    folders = _project_folders(vault, project, authority)
    experience, unreadable_experience = _experience(vault, accepted.commit, folders)
    return Inputs(
        authority=authority,
        experience=experience,
        action_map=settings.actions if settings else (),
        head=vault.head,
        commit=accepted.commit,
        unreadable=unreadable,
        unreadable_experience=unreadable_experience,
        pending=_pending(vault, tree, on_disk.entries),
        draft=draft,
    )


def _tree(vault: Vault, commit: str) -> _Tree:
    wanted = [vault.in_git("authority"), vault.in_git(layout.MARKER)]
    items = plumbing.tree(vault.repository, commit, wanted)
    return _Tree(items, settings_bytes(vault, items))


def _settings(
    vault: Vault, committed: bytes | None, unreadable: list[Problem], *, draft: bool
) -> Settings | None:
    """Return the settings that count; their problems join `unreadable`."""
    if draft:
        return vault.settings
    if committed is None:
        message = f"the accepted commit has no {layout.MARKER}"
        unreadable.append(Problem(layout.MARKER, 0, 0, "file.missing", message))
        return None
    settings, problems = vault.parse_settings(committed)
    if settings is None and any(problem.code == "settings.newer" for problem in problems):
        raise ConfigurationError("the vault was written by a newer doll", problems=problems)
    unreadable.extend(problems)
    return settings


def _unreadable(entries: Iterable[vault_entries.Entry]) -> list[Problem]:
    """Return the errors of the entries that cannot be read."""
    return [
        problem
        for entry in entries
        if entry.record is None
        for problem in entry.problems
        if problem.severity == "error"
    ]


def _pending(
    vault: Vault, tree: _Tree, on_disk: Iterable[vault_entries.Entry]
) -> tuple[Pending, ...]:
    found = differences(on_disk, record_oids(vault, tree.authority))
    pending = [Pending(difference.path, _WHAT[difference.what]) for difference in found]
    if settings_differ(vault, tree.marker):
        pending.append(Pending(layout.MARKER, _WHAT["changed"]))
    return tuple(pending)


def _project_folders(vault: Vault, project: str | None, authority: Iterable[Record]) -> list[str]:
    """Return the folders of a project's experience: named by its id or an alias, in any case.

    Without a project, or with one that does not resolve, all experience is looked at.
    """
    projects = [record for record in authority if record.type == "project"]
    found = Names(projects).named(project) if project else ()
    if len(found) != 1:
        return ["experience"]
    names = {found[0].id, *found[0].fields.aliases}
    folded = {fold(name) for name in names}
    with suppress(OSError):
        on_disk = (place.name for place in (vault.root / "experience").iterdir())
        names.update(name for name in on_disk if fold(name) in folded)
    return sorted(f"experience/{name}" for name in names)


def _experience(
    vault: Vault, commit: str, folders: Sequence[str]
) -> tuple[list[Entry], list[Problem]]:
    """Return the entries of some folders: as committed, and those of the work tree that differ."""
    on_disk = vault.load(folders)
    items = plumbing.tree(vault.repository, commit, [vault.in_git(folder) for folder in folders])
    committed = entries_of(vault, items, on_disk.entries)
    oids = {(entry.path, entry.oid) for entry in committed}
    added = [entry for entry in on_disk.entries if (entry.path, entry.oid) not in oids]
    entries = [Entry(entry.record, committed=True) for entry in committed if entry.record]
    entries += [Entry(entry.record, committed=False) for entry in added if entry.record]
    return entries, [*on_disk.problems, *_unreadable([*committed, *added])]


def unchecked(error: DollError, request: Request, as_of: datetime) -> Report:
    """Return the report for a vault that cannot be used: not checked, with the reason."""
    obstacle = Problem("", 0, 0, "vault.unusable", error.message, hint=error.hint)
    inputs = Inputs(obstacles=(obstacle, *error.problems))
    return evaluate(inputs, request, as_of)
