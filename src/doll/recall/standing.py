"""Standing: which records are current at a moment, and why the others are not. Pure.

A memory is current when it is active, reviewed where it is not the user's own, valid at the
moment, and replaced by no other active memory. An experience entry is current unless an entry of
the same project, of an assertion at least as strong, supersedes it. A reference that names two
records, or that closes a circle, replaces nothing: in doubt a record is shown.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Literal

from doll.recall.rows import Row, microseconds
from doll.recall.table import Table
from doll.records.names import fold

Reason = Literal[
    "archived",
    "superseded",
    "retracted",
    "rejected",
    "expired",
    "not_yet_valid",
    "not_reviewed",
    "current",
]

_STRENGTH = {
    "user_recorded": 3,
    "user_confirmed": 3,
    "deterministic_system": 2,
    "imported_external": 1,
    "model_proposed": 1,
}


class Standing:
    """The standing of every row at `as_of`."""

    def __init__(self, rows: Iterable[Row], as_of: datetime) -> None:
        moment = microseconds(as_of)
        assert moment is not None
        self._moment = moment
        self._replaced = self._find_replaced(rows if isinstance(rows, Table) else _Listed(rows))

    def of(self, row: Row) -> Reason:
        """Return `current`, or why the record is not."""
        reason = self._own(row)
        return "superseded" if reason == "current" and row.path in self._replaced else reason

    def at(self, table: Table, place: int) -> Reason:
        """Return what `of` says of a row of a table; most rows need not be decoded for it."""
        if not table.is_plainly_current(place, self._moment):
            return self.of(table[place])
        return "superseded" if table.paths[place] in self._replaced else "current"

    def _own(self, row: Row) -> Reason:
        if row.status in ("archived", "superseded", "retracted", "rejected"):
            return row.status  # type: ignore[return-value]
        if not row.reviewed:
            return "not_reviewed"
        if row.valid_until is not None and row.valid_until <= self._moment:
            return "expired"
        if row.valid_from is not None and row.valid_from > self._moment:
            return "not_yet_valid"
        return "current"

    def _find_replaced(self, rows: "Table | _Listed") -> frozenset[str]:
        replacing = [row for row in rows.replacing() if self._may_replace(row)]
        if not replacing:
            return frozenset()
        named = rows.named({name for row in replacing for name in row.replaces})
        edges: dict[str, set[str]] = {}
        for row in replacing:
            for name in row.replaces:
                found = named.get(name, ())
                if len(found) == 1 and _outranks(row, found[0]):
                    edges.setdefault(row.path, set()).add(found[0].path)
        return _targets(edges)

    def _may_replace(self, row: Row) -> bool:
        """Return whether what this record replaces is replaced; one that has ended still did."""
        return self._own(row) in ("current", "expired")


class _Listed:
    """Rows that are in no table, as one is asked."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows = list(rows)

    def replacing(self) -> list[Row]:
        return [row for row in self._rows if row.replaces]

    def named(self, names: Collection[str]) -> dict[str, list[Row]]:
        found: dict[str, list[Row]] = {name: [] for name in names}
        for row in self._rows:
            for name in found.keys() & {fold(row.id), *row.aliases}:
                found[name].append(row)
        return found


def _outranks(row: Row, target: Row) -> bool:
    if row.is_experience != target.is_experience or row.path == target.path:
        return False
    if not row.is_experience:
        return True
    strong_enough = _STRENGTH.get(row.assertion, 0) >= _STRENGTH.get(target.assertion, 0)
    return row.project == target.project and strong_enough


def _targets(edges: Mapping[str, set[str]]) -> frozenset[str]:
    """Return the targets of edges that lie in no circle."""
    component = _components(edges)
    return frozenset(
        target
        for source, targets in edges.items()
        for target in targets
        if component[source] != component[target]
    )


def _components(edges: Mapping[str, set[str]]) -> dict[str, str]:
    """Return for each node one name of its strongly connected component (Kosaraju, iterative)."""
    backward: dict[str, set[str]] = {}
    for source, targets in edges.items():
        for target in targets:
            backward.setdefault(target, set()).add(source)
    order: list[str] = []
    seen: set[str] = set()
    for start in sorted({*edges, *backward}):
        _finish(start, edges, seen, order)
    component: dict[str, str] = {}
    for root in reversed(order):
        waiting = [root]
        while waiting:
            node = waiting.pop()
            if node not in component:
                component[node] = root
                waiting += backward.get(node, ())
    return component


def _finish(start: str, edges: Mapping[str, set[str]], seen: set[str], order: list[str]) -> None:
    """Append to `order` every unseen node reachable from `start`, each after its successors."""
    if start in seen:
        return
    seen.add(start)
    path = [(start, iter(sorted(edges.get(start, ()))))]
    while path:
        node, rest = path[-1]
        following = next((other for other in rest if other not in seen), None)
        if following is None:
            order.append(node)
            path.pop()
        else:
            seen.add(following)
            path.append((following, iter(sorted(edges.get(following, ())))))
