"""Records that are not in the work tree because the user wants it so: a sparse checkout."""

from collections.abc import Collection, Mapping, Sequence

from doll.errors import Problem
from doll.services.accepted import entries_of
from doll.services.checking.kept import Version
from doll.services.opening import Vault
from doll.vault.entries import Entry
from doll.vcs import plumbing


def absent_by_choice(vault: Vault, missing: Collection[str]) -> frozenset[str]:
    """Return which of the missing paths git was told to leave out of the work tree."""
    if not missing:
        return frozenset()
    skipped = plumbing.skipped(vault.repository, [vault.in_git(path) for path in missing])
    return frozenset(path for path in missing if vault.in_git(path) in skipped)


def committed_entries(
    vault: Vault, head: Mapping[str, Version], paths: Collection[str]
) -> tuple[Entry, ...]:
    """Return the records among `paths` as they are at HEAD."""
    items = [
        plumbing.TreeEntry(vault.in_git(path), version.mode, version.oid)
        for path, version in head.items()
        if path in paths
    ]
    return entries_of(vault, items)


def absence_note(paths: Collection[str]) -> Sequence[Problem]:
    """Return the one note that says what is not checked out; none where everything is."""
    if not paths:
        return []
    others = f", like {len(paths) - 1:,} more" if len(paths) > 1 else ""
    message = f"not checked out, as git was told{others}: the committed bytes were checked"
    hint = "git sparse-checkout disable"
    return [Problem(min(paths), 0, 0, "file.not_checked_out", message, "note", hint)]
