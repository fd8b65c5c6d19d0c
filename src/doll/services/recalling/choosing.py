"""Choosing among the records that match: the current ones that are wanted, and why not the others.

A candidate is judged by what it says of itself alone: it replaces nothing and nothing replaces it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from doll.recall.filters import Wanted
from doll.recall.rows import Row
from doll.recall.standing import Reason, Standing
from doll.recall.table import Table
from doll.services.recalling.shown import Shown


class Chosen(NamedTuple):
    """The records to show, in no order, and what else matched.

    `reasons` has why a chosen record is not current, by serial. `left_out` counts those that are
    wanted and not current, by reason; `filtered_out` those that no filter wants and that would else
    be shown. `tags` are all tags of what matched.
    """

    rows: Shown
    reasons: Mapping[int, Reason]
    left_out: Mapping[str, int]
    filtered_out: int
    tags: frozenset[str]


class Chooser:
    """Which records an answer may show: at a moment, of those wanted; `everything`: not current.

    `rows` are all records that can replace one another, `searched` those in the index by serial.
    """

    def __init__(
        self,
        rows: Table,
        searched: Mapping[int, Row],
        as_of: datetime,
        wanted: Wanted,
        *,
        everything: bool,
    ) -> None:
        self._rows = rows
        self._searched = searched
        self._standing = Standing(rows, as_of)
        self._alone = Standing((), as_of)
        self._wanted = wanted
        self._everything = everything

    def choose(self, matching: Iterable[int]) -> Chosen:
        """Choose among the records whose serials these are."""
        reasons: dict[int, Reason] = {}
        left_out: Counter[str] = Counter()
        tags: set[str] = set()
        filtered_out = 0
        filtering = self._wanted != Wanted()
        for serial, reason in self._judged(matching):
            shown = self._everything or reason == "current"
            if filtering:
                row = self._searched[serial]
                tags.update(row.tags)
                if not self._wanted.passes(row):
                    filtered_out += shown
                    continue
            if shown:
                reasons[serial] = reason
            else:
                left_out[reason] += 1
        rows = Shown(list(reasons), self._searched)
        return Chosen(rows, reasons, dict(sorted(left_out.items())), filtered_out, frozenset(tags))

    def _judged(self, matching: Iterable[int]) -> Iterator[tuple[int, Reason]]:
        places, at = self._rows.places, self._standing.at
        for serial in matching:
            place = places.get(serial)
            if place is None:
                yield serial, self._alone.of(self._searched[serial])
            else:
                yield serial, at(self._rows, place)
