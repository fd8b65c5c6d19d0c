"""What one commit lost that another has: entries of experience, or most of the records."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from doll.services.missing import AT_LEAST
from doll.services.opening import Vault
from doll.vault import layout
from doll.vcs import plumbing
from doll.vcs.plumbing import Change
from doll.vcs.plumbing.history import changes

_CODES = ("experience.removed", "experience.changed")


class Lost(NamedTuple):
    """What is lost: entries that are gone, entries that were changed, and how many of all records.

    `records` and `of` are 0 unless most of those outside `staging/` are gone.
    """

    gone: tuple[str, ...]
    changed: tuple[str, ...]
    records: int = 0
    of: int = 0

    @property
    def paths(self) -> tuple[str, ...]:
        """The entries, relative to the vault."""
        return (*self.gone, *self.changed)


def lost(vault: Vault, before: str, after: str) -> Lost | None:
    """Return what the commit `after` has lost of what `before` has; None where nothing is.

    A redaction that `verify` accepts is no loss, nor is an edit that is taken back.
    """
    found = changes(vault.repository, before, after, vault.prefix.rstrip("/"))
    inside = [
        (path, change)
        for change in found
        if change.status != "A" and (path := vault.in_vault(change.path)) is not None
    ]
    kept = [(path, change) for path, change in inside if layout.is_kept(path)]
    gone = tuple(path for path, change in kept if change.status == "D")
    changed = _not_redacted(vault, [path for path, c in kept if c.status != "D"], before, after)
    records, of = _records(vault, found, before)
    result = Lost(gone, changed, records, of)
    return result if gone or changed or records else None


def both(one: Lost, other: Lost | None) -> Lost | None:
    """Return what is lost in both ways alike; None where nothing is."""
    if other is None:
        return None
    gone = tuple(path for path in one.gone if path in other.gone)
    changed = tuple(path for path in one.changed if path in other.changed)
    records, of = (one.records, one.of) if other.records else (0, 0)
    return Lost(gone, changed, records, of) if gone or changed or records else None


def _not_redacted(vault: Vault, paths: Sequence[str], before: str, after: str) -> tuple[str, ...]:
    """Return which of the changed entries are changed by more than redactions."""
    if not paths:
        return ()
    from doll.services.verifying.verifying import Range, verify

    found = verify(vault, Range(before, after))
    faulty = {f.problem.path for f in found.faults if f.problem.code in _CODES}
    doubtful = [path for path in paths if found.gaps or path in faulty]
    restored = _restored(vault, doubtful, before, after) if doubtful else frozenset[str]()
    return tuple(path for path in doubtful if path not in restored)


def _restored(vault: Vault, paths: Sequence[str], before: str, after: str) -> frozenset[str]:
    """Return the entries that are again as before the first commit that changed them unduly."""
    from doll.services.verifying.ground import Ground
    from doll.services.verifying.steps import steps
    from doll.services.verifying.verifying import judge

    due = dict[str, set[tuple[str, str]]]()
    with Ground(vault, ()) as ground:
        for step in steps(vault.repository, vault.prefix, (before,), ()):
            for path in {f.problem.path for f in judge(step, ground)}.intersection(paths):
                sides = (change for side in step.sides for change in side if change.path == path)
                due.setdefault(path, {(change.old_mode, change.old_oid) for change in sides})
    now = plumbing.tree(vault.repository, after, [vault.in_git(path) for path in due])
    as_due = ((vault.in_vault(each.path), (each.mode, each.oid)) for each in now)
    return frozenset(path for path, is_ in as_due if path is not None and is_ in due.get(path, ()))


def _records(vault: Vault, found: Sequence[Change], before: str) -> tuple[int, int]:
    """Return how many of how many records are gone, 0 and 0 where that is not most of them."""
    gone = _count(vault, (c.path for c in found if c.status == "D"))
    gone -= _count(vault, (c.path for c in found if c.status == "A"))
    if gone < AT_LEAST:
        return 0, 0
    folders = [vault.in_git(area) for area in layout.LOCAL_AREAS]
    of = _count(vault, (e.path for e in plumbing.tree(vault.repository, before, folders)))
    return (gone, of) if 2 * gone > of else (0, 0)


def _count(vault: Vault, paths: Iterable[str]) -> int:
    inside = (path for each in paths if (path := vault.in_vault(each)) is not None)
    return sum(layout.is_record(p) and not p.startswith("staging/") for p in inside)
