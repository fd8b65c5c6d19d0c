"""Refreshing the recall index: the disk is looked at, and only what changed is read again.

The one flow: load what is kept, one stat pass, read the changed files, one commit, keep it. It
writes nothing when nothing changed. One process builds at a time; another waits, or makes the
index in memory for its own answer. Records are never written.
"""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from doll.errors import Problem, StorageError
from doll.recall.index import BrokenIndexError, Index
from doll.recall.table import Table
from doll.reconcile.applying import State, apply
from doll.reconcile.building import building, building_alone
from doll.reconcile.changes import Changes, changes
from doll.reconcile.sharing import Progress
from doll.reconcile.shelf import CURRENT, Notice, Searched, Shelf, mend
from doll.vault.sealed import Cache
from doll.vault.snapshot import Scan, scan

# So many changed files are read for one's own answer sooner than waited for.
FEW = 200
PATIENCE = 60.0


class Site(NamedTuple):
    """Where an index belongs: the vault's root, its cache, its state folder `<git dir>/doll`.

    `searched` says which of the vault's records it is of.
    """

    root: Path
    cache: Cache
    state: Path
    searched: Searched = CURRENT


class Fresh(msgspec.Struct, frozen=True):
    """An index that agrees with the disk, its rows, what cannot be read, and what to say."""

    index: Index
    rows: Table
    unreadable: tuple[Problem, ...]
    notices: tuple[Notice, ...]

    def with_notice(self, notice: Notice) -> "Fresh":
        """Return the same with one more thing to say."""
        return msgspec.structs.replace(self, notices=(*self.notices, notice))


def refresh(site: Site, progress: Progress | None = None, *, anew: bool = False) -> Fresh:
    """Return an index that agrees with the disk; with `anew`, one made from nothing.

    Raises NoVaultError when a folder of records is there and cannot be read.
    """
    return _Run(site, progress).run(anew=anew)


def rebuild(site: Site, progress: Progress | None = None) -> Fresh:
    """Make the index anew and keep it, in place of whatever lies in an own, untracked cache.

    Raises BusyError when another process builds for a minute, StorageError when it cannot be kept,
    NoVaultError as `refresh`.
    """
    run = _Run(site, progress)
    if site.cache.fault:
        raise _not_kept(site.cache.fault)  # before it is made for nothing
    with building_alone(site.state, PATIENCE):
        state, found = run.made_anew()
        if not run.keep(state, replace=True):
            raise _not_kept(site.cache.refused)
    return run.fresh(state, found)


def _not_kept(reason: str) -> StorageError:
    return StorageError(f"the recall index cannot be kept: {reason}", hint=mend(reason))


def clean(site: Site, progress: Progress | None = None) -> Fresh:
    """Return an index made from nothing that is kept nowhere."""
    run = _Run(site, progress)
    return run.fresh(*run.made_anew())


class _Run:
    """One refresh."""

    def __init__(self, site: Site, progress: Progress | None) -> None:
        self._site = site
        self._progress = progress
        self._shelf = Shelf(site.cache, site.searched.name)
        self._notices: list[Notice] = []

    def run(self, *, anew: bool) -> Fresh:
        version = self._shelf.version()
        # Reading what is kept and looking at the disk hardly need the interpreter: both at once.
        kept = _meanwhile(State.empty if anew else self._load)
        try:
            seen_ns, found = self._scan()
        finally:
            state = kept()
        todo = changes(found, state.known())
        if todo.nothing:
            return self.fresh(state, found)
        if self._shelf.notice is not None:
            return self.fresh(self._applied(state, todo, seen_ns), found)
        with building(self._site.state, 0.0 if todo.differing < FEW else PATIENCE) as alone:
            if alone and not anew and self._shelf.version() != version:
                state = self._load()
                seen_ns, found, todo = self._look(state)
            state = self._applied(state, todo, seen_ns)
            if alone and state.changed:
                self.keep(state)
        return self.fresh(state, found)

    def made_anew(self) -> tuple[State, Scan]:
        state = State.empty()
        seen_ns, found, todo = self._look(state)
        return apply(self._site.root, state, todo, seen_ns, self._progress), found

    def keep(self, state: State, *, replace: bool = False) -> bool:
        if self._shelf.store(state.manifest(), state.index, replace=replace):
            return True
        reason = self._site.cache.refused
        message = f"the recall index could not be kept, so each recall makes it: {reason}"
        self._notices.append(Notice(message, mend(reason)))
        return False

    def fresh(self, state: State, found: Scan) -> Fresh:
        kept = [self._shelf.notice] if self._shelf.notice else []
        problems = [problem for fault in state.faults for problem in fault.problems]
        unreadable = tuple(sorted([*found.problems, *problems]))
        return Fresh(state.index, state.table, unreadable, (*kept, *self._notices))

    def _load(self) -> State:
        try:
            loaded = self._shelf.load()
        except BrokenIndexError as error:
            self._say_broken(error)
            return State.empty()
        return State.of(*loaded) if loaded else State.empty()

    def _look(self, state: State) -> tuple[int, Scan, Changes]:
        seen_ns, found = self._scan()
        return seen_ns, found, changes(found, state.known())

    def _scan(self) -> tuple[int, Scan]:
        return time.time_ns(), scan(self._site.root, self._site.searched.folders)

    def _applied(self, state: State, todo: Changes, seen_ns: int) -> State:
        try:
            return apply(self._site.root, state, todo, seen_ns, self._progress)
        except BrokenIndexError as error:
            self._say_broken(error)
            return self.made_anew()[0]

    def _say_broken(self, error: BrokenIndexError) -> None:
        message = f"the recall index could not be used and was made anew ({error})"
        self._notices.append(Notice(message, ""))


_T = TypeVar("_T")


def _meanwhile(work: Callable[[], _T]) -> Callable[[], _T]:
    """Begin `work` in a thread; return what waits for it and gives its result or its exception."""
    done: list[_T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            done.append(work())
        except BaseException as error:  # noqa: BLE001 - it is raised where the result is asked for
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()

    def result() -> _T:
        thread.join()
        if failed:
            raise failed[0]
        return done[0]

    return result
