"""Approvals of which one half is missing: the record is there, and its candidate is not gone."""

from collections.abc import Iterable, Mapping

from doll.errors import Problem
from doll.records.digest import sha256
from doll.records.limits import MAX_FILE_BYTES
from doll.services.opening import Vault
from doll.vault.entries import Entry
from doll.vault.typed import typed
from doll.vcs import plumbing
from doll.vcs.plumbing import Change

_REVIEWED = ("confirmed/", "experience/")


def half_approved(
    vault: Vault, chosen: Mapping[str, Change], on_disk: Iterable[Entry]
) -> list[Problem]:
    """Return the problems of new reviewed records whose candidate a commit of `chosen` would keep.

    It is the file of that name that HEAD has under `staging/` with the reviewed bytes.
    """
    new = {path for path, change in chosen.items() if change.status == "A"}
    reviewed = {
        entry.path: entry.record.fields.reviewed_sha256
        for entry in on_disk
        if entry.path in new and entry.path.startswith(_REVIEWED) and entry.record
    }
    reviewed = {path: digest for path, digest in reviewed.items() if digest is not None}
    if not reviewed:
        return []
    kept = _candidates(vault, chosen, {_name(path) for path in reviewed})
    oids = [oid for found in kept.values() for _, oid in found]
    blobs = plumbing.blobs(vault.repository, oids, MAX_FILE_BYTES)
    problems = []
    for path, digest in reviewed.items():
        for candidate, oid in kept.get(_name(path), ()):
            if sha256(blobs[oid]) == digest:
                problems.append(_half(path, candidate))
                if candidate in chosen:
                    message = f"it was approved as {path}, which is held back"
                    problems.append(Problem(candidate, 0, 0, "sync.needs", message, hint=""))
    return problems


def _candidates(
    vault: Vault, chosen: Mapping[str, Change], names: set[str]
) -> dict[str, list[tuple[str, str]]]:
    """Return path and blob, by file name, of the candidates of HEAD that a commit would keep."""
    found = dict[str, list[tuple[str, str]]]()
    for item in plumbing.tree(vault.repository, vault.head, [vault.in_git("staging")]):
        path = vault.in_vault(item.path)
        if path is None or _name(path) not in names:
            continue
        if path not in chosen or chosen[path].status != "D":
            found.setdefault(_name(path), []).append((path, item.oid))
    return found


def _half(path: str, candidate: str) -> Problem:
    message = f"it was approved, and its candidate {candidate} is still there"
    hint = (
        f"rm -- {typed(candidate)}    finishes it, or, to take the approval back:\n"
        f"git add -- {typed(path)} && git rm -qf -- {typed(path)}"
    )
    return Problem(path, 0, 0, "sync.needs", message, hint=hint)


def _name(path: str) -> str:
    return path.rpartition("/")[2]
