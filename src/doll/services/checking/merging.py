"""What a merge brings that was judged where it was made: what a merged commit has just so.

Without this a merge would be held to rules that its sides kept commit by commit.
"""

from collections.abc import Iterable, Mapping, Sequence

from doll.errors import Problem
from doll.records.model import Record
from doll.services.checking import kept
from doll.services.opening import Vault
from doll.vcs import plumbing

_HOMES = ("confirmed", "experience")


class Merge:
    """The commits that are merged into HEAD; none where the next commit is no merge."""

    def __init__(self, vault: Vault, commits: Sequence[str] = ()) -> None:
        self._vault = vault
        folders = [vault.in_git(area) for area in _HOMES]
        self._sides = [
            kept.versions(vault, plumbing.tree(vault.repository, commit, folders))
            for commit in commits
        ]

    def __bool__(self) -> bool:
        """Whether anything is merged."""
        return bool(self._sides)

    def not_brought(
        self, records: Iterable[Record], changes: Mapping[str, plumbing.Change]
    ) -> list[Record]:
        """Return the records that no merged commit has at their path with the same bytes."""
        return [r for r in records if not self._has(r.path, changes[r.path].oid)]

    def redactions(
        self, before: Mapping[str, kept.Version], after: Mapping[str, kept.Version]
    ) -> set[str]:
        """Return the kept files that a merged commit has redacted, and HEAD has not."""
        changed = kept.changed_files(before, after) if self._sides else ()
        paths = [path for path in changed if self._has(path, after[path].oid)]
        if not paths:
            return set()
        from doll.services.checking.redacting import is_redaction

        oids = [version.oid for path in paths for version in (before[path], after[path])]
        blobs = plumbing.blobs(self._vault.repository, oids)
        return {
            path for path in paths if is_redaction(blobs[before[path].oid], blobs[after[path].oid])
        }

    def lost(
        self, head: Mapping[str, kept.Version], after: Mapping[str, kept.Version]
    ) -> list[Problem]:
        """Return a problem for each kept path that a merged commit alone has, and the merge not."""
        problems = []
        for side in self._sides:
            only = {path: version for path, version in side.items() if path not in head}
            problems += kept.kept_problems(self._vault, only, after, source="MERGE_HEAD")
        return problems

    def _has(self, path: str, oid: str) -> bool:
        return any(path in side and side[path].oid == oid for side in self._sides)
