"""The recall index by hand: bring it up to date, make it anew, or compare it with a clean one."""

from collections.abc import Iterator
from typing import NamedTuple

from doll.errors import Problem
from doll.recall.rows import Row
from doll.reconcile.applying import Progress
from doll.reconcile.refreshing import Fresh, clean, rebuild, refresh
from doll.reconcile.shelf import Notice
from doll.services.opening import Vault
from doll.services.recalling.gathering import site_of


class IndexReport(NamedTuple):
    """The state of the index: searched records, files that cannot be read, and differences.

    `differences` names records and terms in which a checked index is not what a clean one is;
    None when it was not checked.
    """

    records: int
    unreadable: tuple[Problem, ...]
    notices: tuple[Notice, ...]
    differences: tuple[str, ...] | None = None


def bring_up_to_date(vault: Vault, progress: Progress | None = None) -> IndexReport:
    """Refresh the index against the disk."""
    return _report(refresh(site_of(vault), progress))


def make_anew(vault: Vault, progress: Progress | None = None) -> IndexReport:
    """Make the index from nothing and keep it. Raises BusyError."""
    return _report(rebuild(site_of(vault), progress))


def check(vault: Vault, progress: Progress | None = None) -> IndexReport:
    """Refresh the index and compare it with one made from nothing for this comparison."""
    fresh = refresh(site_of(vault), progress)
    made = clean(site_of(vault), progress)
    return _report(fresh, tuple(_differences(fresh, made)))


def _report(fresh: Fresh, differences: tuple[str, ...] | None = None) -> IndexReport:
    searched = sum(row.serial > 0 for row in fresh.rows)
    return IndexReport(searched, fresh.unreadable, fresh.notices, differences)


def _differences(fresh: Fresh, made: Fresh) -> Iterator[str]:
    """Yield what differs: paths whose rows do, then terms whose live postings do."""
    ours = {row.path: _substance(row) for row in fresh.rows}
    theirs = {row.path: _substance(row) for row in made.rows}
    for path in sorted(ours.keys() | theirs.keys()):
        if ours.get(path) != theirs.get(path):
            yield path
    paths, others = _paths(fresh), _paths(made)
    for term in sorted({*fresh.index.terms(), *made.index.terms()}):
        if _live(fresh, term, paths) != _live(made, term, others):
            yield f"term {term}"


def _substance(row: Row) -> tuple[object, ...]:
    return row.digest, row.length, row.serial > 0


def _paths(fresh: Fresh) -> dict[int, str]:
    return {row.serial: row.path for row in fresh.rows if row.serial}


def _live(fresh: Fresh, term: str, paths: dict[int, str]) -> list[tuple[str, float]]:
    postings = fresh.index.postings(term)
    return sorted((paths[serial], weight) for serial, weight in postings if serial in paths)
