"""What is not accepted: how the work tree differs from the accepted commit, path by path."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from doll.services.opening import Vault
from doll.vault import layout
from doll.vault.entries import Entry
from doll.vcs import plumbing


class Difference(NamedTuple):
    """One record file that differs from a commit; `what` is `new`, `changed` or `removed`."""

    path: str
    what: str


def between(before: Mapping[str, object], now: Mapping[str, object]) -> Iterator[Difference]:
    """Yield how the files `now` differ from those `before`, by path; sorted."""
    for path in sorted({*before, *now}):
        if path not in before:
            yield Difference(path, "new")
        elif path not in now:
            yield Difference(path, "removed")
        elif before[path] != now[path]:
            yield Difference(path, "changed")


def differences(on_disk: Iterable[Entry], committed: Mapping[str, str]) -> list[Difference]:
    """Return how entries on disk differ from `committed` (path → git blob id), sorted by path."""
    found = []
    seen = set()
    for entry in on_disk:
        seen.add(entry.path)
        oid = committed.get(entry.path)
        if oid is None:
            found.append(Difference(entry.path, "new"))
        elif oid != entry.oid:
            found.append(Difference(entry.path, "changed"))
    found += [Difference(path, "removed") for path in committed if path not in seen]
    return sorted(found)


def record_oids(vault: Vault, items: Iterable[plumbing.TreeEntry]) -> dict[str, str]:
    """Return the blob ids of the record files among the files of a commit, by vault path."""
    return {
        path: item.oid
        for item in items
        if (path := vault.in_vault(item.path)) is not None and layout.is_record(path)
    }


def settings_difference(vault: Vault, committed: bytes | None) -> str | None:
    """Return how `doll.yaml` on disk differs from the committed bytes in what it says, if it does.

    As `Difference.what`; None where both say the same.
    """
    if committed is None:
        return None if vault.marker is None else "new"
    if vault.marker is None:
        return "removed"
    same = vault.marker == committed
    same = same or vault.parse_settings(vault.marker) == vault.parse_settings(committed)
    return None if same else "changed"
