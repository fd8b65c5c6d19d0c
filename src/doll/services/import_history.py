"""Every ledger that a vault has or had: on disk, at HEAD, and in the history of HEAD.

A folder in `staging/` may be deleted with all that is in it; what was met once stays known as long
as git knows it. Reads only.
"""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from doll.errors import ConflictError, NoVaultError, Problem
from doll.records.names import fold
from doll.services import import_ledger
from doll.services.import_ledger import REPORT, Ledger, LedgerError
from doll.services.opening import Vault
from doll.vault import files
from doll.vcs import plumbing
from doll.vcs.plumbing.repository import ask

MAX_BYTES = 256 * 1024 * 1024


class Known(NamedTuple):
    """All ledgers, the names that imports have, and what could not be read but has an older form.

    `taken` gives the digest of an import's source by its folded name, None where nobody knows it.
    """

    ledgers: tuple[Ledger, ...]
    taken: Mapping[str, str | None]
    problems: tuple[Problem, ...]


def known(vault: Vault, commit: str | None) -> Known:
    """Return what the vault knows of its imports, with the history of `commit`.

    Raises ConflictError for a ledger on disk that cannot be read and has no readable form at
    `commit`: what it knew would be forgotten.
    """
    folders = _folders(vault)
    there = {f"{folder}/{REPORT}": folder for folder in folders}
    at_head, gone = _in_git(vault, commit)
    in_git = _readable(vault, {*at_head.values(), *gone})
    ledgers = set(in_git.values())
    problems = []
    for path in there:
        try:
            data = files.read(vault.root, path, MAX_BYTES)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise _unreadable(path, error.strerror or str(error)) from error
        try:
            ledgers.add(import_ledger.read(data))
        except LedgerError as error:
            if at_head.get(path) not in in_git:
                raise _unreadable(path, str(error), error.line) from error
            problems.append(_stale(path, error))
    taken: dict[str, str | None] = {fold(path.rpartition("/")[2]): None for path in folders}
    taken |= {fold(name): digest for name, digest in import_ledger.names(sorted(ledgers)).items()}
    return Known(tuple(sorted(ledgers)), taken, tuple(problems))


def _folders(vault: Vault) -> list[str]:
    """Return the folders of imports that are on disk, `staging/<adapter>/<import>`."""
    found = []
    staging = vault.root / "staging"
    try:
        for adapter in staging.iterdir() if staging.is_dir() else ():
            if _is_folder(adapter):
                found += [
                    f"staging/{adapter.name}/{place.name}"
                    for place in adapter.iterdir()
                    if _is_folder(place)
                ]
    except OSError as error:
        raise NoVaultError(
            f"staging/ cannot be read: {error.strerror}",
            hint="check its permissions, and that its disk is mounted",
        ) from error
    return sorted(found)


def _is_folder(place: Path) -> bool:
    return place.is_dir() and not place.is_symlink() and not place.name.startswith(".")


def _in_git(vault: Vault, commit: str | None) -> tuple[dict[str, str], list[str]]:
    """Return the blob of each `_import.md` of a commit by path, and those that its history lost."""
    if commit is None:
        return {}, []
    staging = vault.in_git("staging")
    at_head = {
        path: item.oid
        for item in plumbing.tree(vault.repository, commit, [staging])
        if (path := _report_path(vault, item.path)) and item.mode.startswith("100")
    }
    commits = ask(vault.repository, "rev-list", "--full-history", commit, "--", staging).stdout
    arguments = ("diff-tree", "--stdin", "-r", "-z", "--raw", "--no-abbrev", "--no-commit-id")
    chosen = ("--no-renames", "--diff-filter=D", "--", staging)
    raw = ask(vault.repository, *arguments, *chosen, feed=commits).stdout
    fields = os.fsdecode(raw).split("\0")[:-1]
    gone = [
        facts.split(" ")[2]
        for facts, path in zip(fields[::2], fields[1::2], strict=True)
        if _report_path(vault, path) and facts.startswith(":100")
    ]
    return at_head, gone


def _report_path(vault: Vault, path: str) -> str | None:
    inside = vault.in_vault(path)
    parts = inside.split("/") if inside else []
    return inside if len(parts) == 4 and parts[3] == REPORT else None


def _readable(vault: Vault, oids: Iterable[str]) -> dict[str, Ledger]:
    """Return the ledgers among these blobs; what is none in the past is passed over."""
    found = {}
    for oid, data in plumbing.blobs(vault.repository, sorted(oids)).items():
        try:
            found[oid] = import_ledger.read(data)
        except LedgerError:
            continue
    return found


def _unreadable(path: str, reason: str, line: int = 0) -> ConflictError:
    problem = Problem(path, line, int(line > 0), "import.ledger", reason)
    return ConflictError(
        f"{path} cannot be read, so doll does not know what it has met already",
        hint=f"git restore -- {path}    or mend the line; nothing was written",
        problems=[problem],
    )


def _stale(path: str, error: LedgerError) -> Problem:
    message = f"it cannot be read ({error}); what it says at HEAD counts"
    hint = f"git restore -- {path}"
    at = (path, error.line, int(error.line > 0))
    return Problem(*at, "import.ledger", message, "warning", hint)
