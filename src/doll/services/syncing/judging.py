"""What is wrong after a merge that was not wrong before it, on either side. Reads git alone."""

from collections.abc import Sequence
from typing import NamedTuple

from doll.errors import Problem, errors_in
from doll.services.accepted import entries_of, settings_bytes
from doll.services.checking.changed_files import look_at_changes, new_problems
from doll.services.checking.relations import relation_problems
from doll.services.opening import Vault
from doll.vault import layout
from doll.vault.entries import Entry
from doll.vcs import plumbing
from doll.vcs.plumbing import Change
from doll.vcs.plumbing.history import changes


class Judged(NamedTuple):
    """Errors of a commit: `new` ones that none of its sides had, and those that `came` along."""

    new: tuple[Problem, ...]
    came: tuple[Problem, ...]


def judge(vault: Vault, ours: str, theirs: str) -> Judged:
    """Return the errors that HEAD has and `ours` had not, apart by whether `theirs` has them.

    Where HEAD is `theirs`, all that is new came along.
    """
    on_disk = vault.load(layout.LOCAL_AREAS).entries
    found = _since(vault, ours, on_disk)
    if vault.head == theirs or not found:
        return Judged((), tuple(found))
    new = new_problems(found, _all(vault, theirs, found, on_disk))
    came = new_problems(found, new)
    return Judged(tuple(new), tuple(came))


def _since(vault: Vault, before: str, on_disk: Sequence[Entry]) -> list[Problem]:
    """Return the errors that HEAD has and `before` had not."""
    changed = _changed(vault, before)
    if not changed:
        return []
    problems = errors_in(look_at_changes(vault, changed).problems)
    after = _relations(vault, vault.head, on_disk)
    if after:
        problems += new_problems(after, _relations(vault, before, on_disk))
    return sorted(set(problems))


def _all(
    vault: Vault, commit: str, found: Sequence[Problem], on_disk: Sequence[Entry]
) -> list[Problem]:
    """Return the errors that a commit has in the files that `found` names, and between records."""
    wanted = [vault.in_git(path) for path in {problem.path for problem in found}]
    files = {
        path: Change(item.path, "A", "000000", "", item.mode, item.oid)
        for item in plumbing.tree(vault.repository, commit, wanted)
        if (path := vault.in_vault(item.path)) is not None
    }
    problems = errors_in(look_at_changes(vault, files).problems)
    return problems + _relations(vault, commit, on_disk)


def _changed(vault: Vault, before: str) -> dict[str, Change]:
    found = changes(vault.repository, before, vault.head, vault.prefix.rstrip("/"))
    return {path: c for c in found if (path := vault.in_vault(c.path)) is not None}


def _relations(vault: Vault, commit: str, on_disk: Sequence[Entry]) -> list[Problem]:
    wanted = [vault.in_git(name) for name in (*layout.LOCAL_AREAS, layout.MARKER)]
    items = plumbing.tree(vault.repository, commit, wanted)
    marker = settings_bytes(vault, items)
    settings = vault.parse_settings(marker)[0] if marker is not None else None
    return errors_in(relation_problems(entries_of(vault, items, on_disk), settings))
