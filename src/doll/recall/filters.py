"""Filters: which of the records that match are wanted. Pure; decided on rows.

A filter chooses among matches and changes no score: the statistics behind scores are those of
all searched records, whatever is wanted of them.
"""

from collections.abc import Iterable
from typing import NamedTuple

from doll.recall.rows import Row


class Wanted(NamedTuple):
    """What a record has to be: one of the values of each filter that has any.

    `types` are `memory` and `experience`, `projects` and `tags` folded as in rows. Times are
    microseconds since 1970: `since` is the first that passes, `before` the first that does not. A
    record that says no time passes neither.
    """

    types: frozenset[str] = frozenset()
    projects: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    outcomes: frozenset[str] = frozenset()
    since: int | None = None
    before: int | None = None

    def passes(self, row: Row) -> bool:
        """Return whether a record passes every filter."""
        return (
            (not self.types or type_of(row) in self.types)
            and (not self.projects or row.project in self.projects)
            and (not self.kinds or row.kind in self.kinds)
            and (not self.outcomes or row.outcome in self.outcomes)
            and (not self.tags or not self.tags.isdisjoint(row.tags))
            and self._in_time(row.moment)
        )

    def _in_time(self, moment: int | None) -> bool:
        if self.since is None and self.before is None:
            return True
        if moment is None:
            return False
        begun = self.since is None or self.since <= moment
        return begun and (self.before is None or moment < self.before)


def type_of(row: Row) -> str:
    """Return the type of a searched record."""
    return "experience" if row.is_experience else "memory"


def unknown_tags(wanted: Iterable[str], rows: Iterable[Row]) -> tuple[tuple[str, ...], set[str]]:
    """Return the tags that no record has, and those that there are."""
    known = {tag for row in rows for tag in row.tags}
    return tuple(tag for tag in wanted if tag not in known), known
