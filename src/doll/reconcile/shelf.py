"""Where the recall index is kept: two files of the sealed cache, read and written whole.

The manifest names the file of its base segment, and two such files take turns, so that a process
that read the manifest a moment ago still finds its base. What the cache does not vouch for counts
as absent and is left alone; `notice` then says so.
"""

import os
from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from doll.recall.index import Index
from doll.reconcile import manifest as manifests
from doll.reconcile.manifest import Manifest
from doll.vault.sealed import CLOSED, Cache
from doll.vault.typed import typed

# A segment smaller than this travels with the manifest.
MIN_BASE = 64 * 1024

REBUILD = "doll index --rebuild"


class Searched(NamedTuple):
    """Which records one index is of: the folders that they lie in, and its own in the cache."""

    folders: tuple[str, ...]
    name: str


CURRENT = Searched(("confirmed", "experience"), "recall")
# Never searched but by who asks for them; made only then.
CANDIDATES = Searched(("staging",), "recall-staging")


class Notice(NamedTuple):
    """Something to say on stderr beside an answer, and what to type about it."""

    message: str
    hint: str


class Shelf:
    """One index in one vault's cache."""

    def __init__(self, cache: Cache, name: str = CURRENT.name) -> None:
        self._cache = cache
        self._head = f"{name}/index"
        self._slots = (f"{name}/base-a", f"{name}/base-b")
        self.notice: Notice | None = None
        if cache.fault:
            self.notice = Notice(
                f"the recall index in .doll/cache is not used: {cache.fault}; it was left alone, "
                "and an index was made for this answer",
                mend(cache.fault),
            )

    def load(self) -> tuple[Manifest, Index] | None:
        """Return the index and its manifest, None when there is none that can be used.

        Raises BrokenIndexError when Whoosh cannot open it.
        """
        for _ in range(2):
            head = self._load(self._head)
            manifest = manifests.decode(head) if head is not None else None
            if manifest is None:
                return None
            base = self._base(manifest)
            if base is not None:
                return manifest, Index({**manifest.files, **base}, manifest.serials)
            # Written anew between the two reads: look once more.
        return None

    def store(self, manifest: Manifest, index: Index, *, replace: bool = False) -> bool:
        """Keep an index; False when it could not be kept.

        `manifest` says what the base is now. Its file is not written again while its segments
        live and the others together are small beside it. Files that the cache does not vouch for
        are replaced only on `replace`.
        """
        if self.notice is not None and not replace:
            return False
        files = index.files
        base, slot = manifest.base, manifest.slot
        loose = sum(len(data) for name, data in files.items() if name not in base)
        if not files.keys() >= base.keys() or loose > max(MIN_BASE, sum(base.values()) // 2):
            base = {name: len(data) for name, data in files.items() if len(data) >= MIN_BASE}
            slot = self._slots[slot == self._slots[0]] if base else ""
            large = (files[name] for name in base)
            if base and not self._cache.store(slot, _label(base), *large):
                return False
        placed = msgspec.structs.replace(
            manifest,
            base=base,
            slot=slot,
            files={name: bytes(data) for name, data in files.items() if name not in base},
            serials=index.packed_serials(),
        )
        return self._cache.store(self._head, manifests.encode(placed))

    def version(self) -> tuple[int, ...]:
        """Return a mark that changes when another process stores an index."""
        try:
            found = os.lstat(self._cache.folder / self._head)
        except OSError:
            return ()
        return (found.st_ino, found.st_size, found.st_mtime_ns)

    def _base(self, manifest: Manifest) -> dict[str, memoryview] | None:
        """Return the base segments that the manifest means, None where the file has others."""
        if not manifest.base:
            return {}
        data = self._load(manifest.slot) if manifest.slot in self._slots else None
        at = len(label := _label(manifest.base))
        if data is None or data[:at] != label:
            return None
        found: dict[str, memoryview] = {}
        for name, size in manifest.base.items():
            found[name] = data[at : at + size]
            at += size
        return found

    def _load(self, name: str) -> memoryview | None:
        data = self._cache.view(name)
        if data is None and self.notice is None and os.path.lexists(self._cache.folder / name):
            fault = self._cache.in_the_way(name)
            self.notice = Notice(
                f".doll/cache/{name} is not used: {fault or 'doll did not write it here'}; "
                "it was left alone, and an index was made for this answer",
                mend(fault) if fault else f"{REBUILD}    replaces it",
            )
        return data


def _label(base: Mapping[str, int]) -> bytes:
    """Return the first line of a base's cache file: Whoosh's names for its segments, all unique."""
    return " ".join(base).encode() + b"\n"


def mend(fault: str) -> str:
    """Return what to type or do about a fault of the cache, so that an index can be kept."""
    if fault.endswith(CLOSED):
        return f"chmod u+rwx {typed(fault.removesuffix(CLOSED))}    if it is yours"
    if "cannot say" in fault:
        return "doll doctor    says what is wrong with git's index"
    if "tracked" in fault:
        return f"git rm -r -q --cached .doll/cache && {REBUILD}"
    if "symbolic link" in fault or "not a folder" in fault:
        return f"rm -- {_place(fault.partition(' is ')[0])} && {REBUILD}"
    if fault.endswith("is a folder"):
        return f"remove that folder, then {REBUILD}"
    if "another user" in fault:
        return f"make .doll/cache and what is in it your own, then {REBUILD}"
    return "check the permissions of .doll/cache, and free space"


def _place(name: str) -> str:
    """Return where the part of the cache lies that a fault names by its last name."""
    places = {".doll": ".doll", "cache": ".doll/cache"}
    return places.get(name) or typed(f".doll/cache/{name}")
