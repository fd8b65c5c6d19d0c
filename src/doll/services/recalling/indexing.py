"""The recall index by hand: bring it up to date, make it anew, or compare it with a clean one."""

import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from doll.errors import Problem
from doll.recall.rows import Row
from doll.reconcile import words
from doll.reconcile.refreshing import Fresh, Site, clean, rebuild, refresh
from doll.reconcile.sharing import Progress
from doll.reconcile.shelf import CANDIDATES, Notice
from doll.services.opening import Vault
from doll.services.recalling.gathering import candidates_of, one_each, site_of


class IndexReport(NamedTuple):
    """The state of the index: searched records, files that cannot be read, and differences.

    `unreadable` has one problem for each file. `differences` names records and terms in which a
    checked index is not what a clean one is; None when it was not checked.
    """

    records: int
    unreadable: tuple[Problem, ...]
    notices: tuple[Notice, ...]
    differences: tuple[str, ...] | None = None


def bring_up_to_date(vault: Vault, progress: Progress | None = None) -> IndexReport:
    """Refresh the index against the disk, that of candidates too where there is one."""
    return _report([refresh(site, progress) for site in _sites(vault)])


def make_anew(vault: Vault, progress: Progress | None = None) -> IndexReport:
    """Make the same from nothing and keep them. Raises BusyError."""
    sites = _sites(vault)
    made = [rebuild(site, progress) for site in sites]
    for site in sites:
        words.forget(site)
    return _report(made)


def check(vault: Vault, progress: Progress | None = None) -> IndexReport:
    """Refresh the same and compare them with ones made from nothing for this comparison."""
    found = [(refresh(site, progress), clean(site, progress)) for site in _sites(vault)]
    differences = (name for fresh, made in found for name in _differences(fresh, made))
    return _report([fresh for fresh, _ in found], tuple(differences))


def _sites(vault: Vault) -> list[Site]:
    """Return where there is an index to look after: that of candidates is made by who asks."""
    there = os.path.lexists(vault.cache.folder / CANDIDATES.name)
    return [site_of(vault), candidates_of(vault)] if there else [site_of(vault)]


def _report(found: Sequence[Fresh], differences: tuple[str, ...] | None = None) -> IndexReport:
    """Return the report; records are counted where every recall searches them."""
    searched = sum(row.serial > 0 for row in found[0].rows)
    unreadable = one_each(problem for fresh in found for problem in fresh.unreadable)
    notices = dict.fromkeys(notice for fresh in found for notice in fresh.notices)
    return IndexReport(searched, unreadable, tuple(notices), differences)


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
