"""Every ledger that a vault has or had: on disk, at HEAD, and in the history of HEAD.

A folder in `staging/` may be deleted with all that is in it; what was met once stays known as long
as git knows it. Reads only.
"""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from doll.errors import ConflictError, NoVaultError, Problem, Severity, errors_in
from doll.interchange.base import Decoded
from doll.records.names import fold
from doll.services.importing import ledger as import_ledger
from doll.services.importing.ledger import REPORT, Ledger, LedgerError
from doll.services.opening import Vault
from doll.vault import files
from doll.vault.typed import typed
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

    A ledger on disk that cannot be read is a warning where `commit` has a readable form of it,
    else an error: what it knew is forgotten then (see `require_whole`).
    """
    folders = _folders(vault)
    at_head, gone = _in_git(vault, commit)
    in_git = _readable(vault, {*at_head.values(), *gone})
    ledgers = set(in_git.values())
    problems = []
    for path in (f"{folder}/{REPORT}" for folder in folders):
        try:
            ledgers.add(import_ledger.read(files.read(vault.root, path, MAX_BYTES)))
        except FileNotFoundError:
            continue
        except (LedgerError, OSError) as error:
            problems.append(_unreadable(path, error, spare=at_head.get(path) in in_git))
    taken: dict[str, str | None] = {fold(path.rpartition("/")[2]): None for path in folders}
    taken |= {fold(name): digest for name, digest in import_ledger.names(sorted(ledgers)).items()}
    return Known(tuple(sorted(ledgers)), taken, tuple(problems))


def folders(vault: Vault, earlier: Known, decoded: Decoded, source: str) -> tuple[str, ...]:
    """Return where the imports are that brought a document: those of its bytes, else of its source.

    A folder `staging/<adapter>/<import>` that is there, else the import's bare name.
    """
    alike = [e for e in earlier.ledgers if (e.adapter, e.source) == (decoded.adapter, source)]
    same = [each for each in alike if each.source_digest == decoded.source_digest]
    found = dict.fromkeys((each.adapter, each.name) for each in same or alike)
    places = ((f"staging/{adapter}/{name}", name) for adapter, name in found)
    return tuple(place if (vault.root / place).is_dir() else name for place, name in places)


def require_whole(known_imports: Known) -> None:
    """Raise ConflictError when a ledger is lost: what it has met would come again."""
    lost = errors_in(known_imports.problems)
    if lost:
        raise ConflictError(
            f"{lost[0].path} cannot be read, so doll does not know what it has met already; "
            "nothing was written",
            hint=f"git restore -- {lost[0].path}    or mend the line",
            problems=lost,
        )


def _folders(vault: Vault) -> list[str]:
    """Return the folders of imports that are on disk, `staging/<adapter>/<import>`."""
    found = []
    staging = vault.root / "staging"
    try:
        for adapter in staging.iterdir() if _is_folder(staging) else ():
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


def _unreadable(path: str, error: LedgerError | OSError, *, spare: bool) -> Problem:
    """Return the problem of a ledger on disk; `spare` says that HEAD has a readable form."""
    line = error.line if isinstance(error, LedgerError) else 0
    reason = str(error) if isinstance(error, LedgerError) else error.strerror or str(error)
    message = f"the ledger cannot be read: {reason}"
    if spare:
        message += "; what it says at HEAD counts"
    severity: Severity = "warning" if spare else "error"
    hint = f"git restore -- {typed(path)}"
    return Problem(path, line, int(line > 0), "import.ledger", message, severity, hint)
