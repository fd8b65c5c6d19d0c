"""How far the kept index is from the disk, told without making or keeping anything."""

from typing import NamedTuple

from doll.recall.index import BrokenIndexError
from doll.reconcile.applying import State
from doll.reconcile.changes import changes
from doll.reconcile.refreshing import Site
from doll.reconcile.shelf import REBUILD, Notice, Shelf
from doll.vault.snapshot import scan


class Compared(NamedTuple):
    """Whether an index is kept, how many files differ from it, when it was made (ns since 1970).

    `notice` says why what is kept is not used, None where it is or nothing is there.
    """

    there: bool
    differing: int
    seen_ns: int
    notice: Notice | None = None


def compare(site: Site) -> Compared:
    """Compare one stat pass with the index as it is kept.

    Raises NoVaultError when a folder of records is there and cannot be read.
    """
    found = scan(site.root, site.searched.folders)
    shelf = Shelf(site.cache, site.searched.name)
    try:
        kept = shelf.load()
    except BrokenIndexError as error:
        return Compared(False, len(found.stamps), 0, Notice(f"it is damaged ({error})", REBUILD))
    if kept is None:
        return Compared(False, len(found.stamps), 0, shelf.notice)
    state = State.of(*kept)
    todo = changes(found, state.known())
    return Compared(True, todo.differing + len(todo.gone), state.seen_ns)
