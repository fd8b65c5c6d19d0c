"""What is not accepted: how the work tree differs from the accepted commit, path by path."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from doll.services.opening import Vault
from doll.vault import layout
from doll.vault.entries import Entry
from doll.vcs import plumbing


class Difference(NamedTuple):
    """One record file that differs from a commit; `what` is `new`, `changed` or `removed`."""

    path: str
    what: str


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


def settings_differ(vault: Vault, committed: bytes | None) -> bool:
    """Return whether `doll.yaml` on disk says something else than the committed bytes."""
    if committed is None or vault.marker == committed:
        return committed is None
    return vault.parse_settings(vault.marker) != vault.parse_settings(committed)
