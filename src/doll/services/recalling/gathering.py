"""Gathering what a recall searches: current records, and candidates where they are asked for."""

from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from doll.errors import Problem
from doll.recall.by_serial import Both, Listed, Rows, Tabled
from doll.recall.joining import Joined, of_second
from doll.recall.ranking import Corpus, Postings
from doll.recall.rows import Row
from doll.recall.table import Table
from doll.reconcile.refreshing import Fresh, Site, refresh
from doll.reconcile.sharing import Progress
from doll.reconcile.shelf import CANDIDATES, Notice
from doll.reconcile.words import words
from doll.services.opening import Vault
from doll.services.recalling.source import Source


class Gathered(NamedTuple):
    """What is searched, as it is on disk.

    `rows` are those of `confirmed/` and `experience/`, `candidates` those of `staging/`, none
    unless they are searched; the serials of the latter are negative. `words` are all that stand in
    any of them, and some of deleted ones; to list them takes a while, and may raise
    BrokenIndexError.
    """

    searchable: Postings
    words: Callable[[], Collection[str]]
    rows: Table
    candidates: tuple[Row, ...]
    unreadable: tuple[Problem, ...]
    notices: tuple[Notice, ...]

    @property
    def searched(self) -> tuple[Row, ...]:
        """Every row, of records that no index may hold too."""
        return (*self.rows, *self.candidates)


def gather(
    vault: Vault, *, staging: bool, progress: Progress | None, anew: bool = False
) -> Gathered:
    """Return what is searched, its index in step with the disk; with `anew`, one made from nothing.

    Raises NoVaultError when a folder of records is there and cannot be read.
    """
    site = site_of(vault)
    fresh = refresh(site, progress, anew=anew)

    def all_words() -> Collection[str]:
        return words(site, fresh.index)

    if not staging:
        return Gathered(fresh.index, all_words, fresh.rows, (), fresh.unreadable, fresh.notices)
    beside = candidates_of(vault)
    other = refresh(beside, progress, anew=anew)
    return Gathered(
        Joined(fresh.index, other.index),
        lambda: {*all_words(), *words(beside, other.index)},
        fresh.rows,
        of_second(other.rows),
        (*fresh.unreadable, *other.unreadable),
        _once(fresh, other),
    )


def corpus_of(vault: Vault, gathered: Gathered) -> tuple[Corpus, Source]:
    """Return what an algorithm ranks, and where the records are read again."""
    rows: Rows = Tabled(gathered.rows)
    if gathered.candidates:
        others = {row.serial: row for row in gathered.candidates if row.serial}
        rows = Both(rows, Listed(others))
    source = Source(vault.root, rows)
    return Corpus(gathered.searchable, rows, rows.lengths(), source.read), source


def site_of(vault: Vault) -> Site:
    """Return where a vault's recall index belongs."""
    return Site(vault.root, vault.cache, vault.state)


def candidates_of(vault: Vault) -> Site:
    """Return where the index of a vault's candidates belongs."""
    return site_of(vault)._replace(searched=CANDIDATES)


def one_each(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return the first problem of each file: so many files could not be searched."""
    first: dict[str, Problem] = {}
    for problem in problems:
        first.setdefault(problem.path, problem)
    return tuple(first.values())


def _once(fresh: Fresh, other: Fresh) -> tuple[Notice, ...]:
    return tuple(dict.fromkeys((*fresh.notices, *other.notices)))
