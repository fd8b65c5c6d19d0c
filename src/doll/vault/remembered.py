"""Entries of files that have not changed since they were judged: for who judges again and again.

Kept in memory alone. As git does with its index, a file whose times are not clearly older than the
moment of judging is judged again.
"""

import time
from collections.abc import Collection, Iterable

from doll.vault.entries import Entry
from doll.vault.snapshot import Found, is_racy


class Remembered:
    """Entries by path, with every problem of their files."""

    def __init__(self, again: Collection[str] = ()) -> None:
        """Take the codes of problems that do not lie in the bytes of a file alone."""
        self._again = frozenset(again)
        self._entries: dict[str, Entry] = {}
        self._seen_ns = 0
        self._began_ns = 0

    def begin(self) -> None:
        """Say that files are looked at from now on."""
        self._began_ns = time.time_ns()

    def get(self, found: Found) -> Entry | None:
        """Return the entry of a file that is as it was, None where it has to be judged."""
        entry = self._entries.get(found.path)
        if entry is None or entry.stamp != found.stamp or is_racy(found.stamp, self._seen_ns):
            return None
        return entry

    def keep(self, entries: Iterable[Entry]) -> None:
        """Remember these entries, which were judged after `begin`, and no others."""
        self._entries = {
            entry.path: entry
            for entry in entries
            if entry.oid and not any(problem.code in self._again for problem in entry.problems)
        }
        self._seen_ns = self._began_ns
