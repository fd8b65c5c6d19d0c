"""What is wrong at HEAD that was not wrong before: on either side of a merge, at the remote.

Reads git alone.
"""

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
    """Errors of a commit that joins two sides.

    `new` are those that neither side had, `came` those that only theirs had, `own` those that only
    ours had.
    """

    new: tuple[Problem, ...]
    came: tuple[Problem, ...]
    own: tuple[Problem, ...]


def judge(vault: Vault, ours: str, theirs: str) -> Judged:
    """Return the errors that HEAD has and not both `ours` and `theirs` had.

    Where HEAD is `theirs`, all that is new came along.
    """
    errors = _Errors(vault)
    found = errors.since(ours)
    if vault.head == theirs:
        return Judged((), tuple(found), ())
    brought = errors.since(theirs)
    came = new_problems(found, brought)
    new = new_problems(found, came)
    return Judged(tuple(new), tuple(came), tuple(new_problems(brought, new)))


def brings(vault: Vault, before: str | None) -> tuple[Problem, ...]:
    """Return the errors that HEAD has and the commit `before` (None: no files) has not."""
    return tuple(_Errors(vault).since(before))


class _Errors:
    """The errors of the vault at HEAD; those between its records are looked for once."""

    def __init__(self, vault: Vault) -> None:
        self.vault = vault
        self.on_disk = vault.load(layout.LOCAL_AREAS).entries
        self.relations: list[Problem] | None = None

    def since(self, before: str | None) -> list[Problem]:
        """Return the errors that HEAD has and `before` had not."""
        vault = self.vault
        changed = _changed(vault, before)
        if not changed:
            return []
        problems = errors_in(look_at_changes(vault, changed).problems)
        if self.relations is None:
            self.relations = _relations(vault, vault.head, self.on_disk)
        if self.relations:
            problems += new_problems(self.relations, _relations(vault, before, self.on_disk))
        return sorted(set(problems))


def _changed(vault: Vault, before: str | None) -> dict[str, Change]:
    found = changes(vault.repository, before, vault.head, vault.prefix.rstrip("/"))
    return {path: c for c in found if (path := vault.in_vault(c.path)) is not None}


def _relations(vault: Vault, commit: str | None, on_disk: Sequence[Entry]) -> list[Problem]:
    wanted = [vault.in_git(name) for name in (*layout.LOCAL_AREAS, layout.MARKER)]
    items = plumbing.tree(vault.repository, commit, wanted)
    marker = settings_bytes(vault, items)
    settings = vault.parse_settings(marker)[0] if marker is not None else None
    return errors_in(relation_problems(entries_of(vault, items, on_disk), settings))
