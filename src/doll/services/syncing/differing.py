"""What commits change in the vault, as a report names it: what counts for every machine first."""

from collections.abc import Iterable

from doll.services.opening import Vault
from doll.services.pending import Difference
from doll.vault import layout
from doll.vcs.plumbing import Change

_WHAT = {"A": "new", "D": "removed"}


def as_differences(vault: Vault, found: Iterable[Change]) -> tuple[Difference, ...]:
    """Return changes by path of the vault, or else of the repository; what is a rule first."""
    named = (
        Difference(vault.in_vault(change.path) or change.path, _WHAT.get(change.status, "changed"))
        for change in found
    )
    return tuple(sorted(named, key=lambda each: (not layout.is_rule(each.path), each.path)))
