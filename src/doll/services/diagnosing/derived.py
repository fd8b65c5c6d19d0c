"""The cache and the recall index: whether they are used, whole, and in step with the disk."""

from collections.abc import Iterator

from doll.errors import Problem
from doll.reconcile.comparing import Compared, compare
from doll.reconcile.shelf import REBUILD, mend
from doll.render.text import count
from doll.services.diagnosing.subject import Subject
from doll.services.recalling.gathering import site_of
from doll.vault import layout
from doll.vault.typed import typed
from doll.vcs import plumbing


def derived(subject: Subject) -> Iterator[Problem]:
    """Yield what is wrong with the cache, then with the index. Nothing is made."""
    cache = subject.vault.cache
    if cache.fault:
        # Where git cannot say it, this raises why.
        if plumbing.tracks(subject.vault.repository, subject.vault.in_git(layout.CACHE)):
            return  # which the area of the vault tells, with the line that ends it
        message = f"the cache is not used: {cache.fault}; every read is slower"
        # Its paths are those of the vault, and the line is typed anywhere.
        hint = mend(cache.fault).replace("rm -- ", f"rm -- {typed(str(subject.vault.root))}/", 1)
        yield Problem(layout.CACHE, 0, 0, "cache.unused", message, "warning", hint)
        return
    found = compare(site_of(subject.vault))
    place = f"{layout.CACHE}/recall"
    yield from _index(place, found)
    if found.seen_ns > subject.now.timestamp() * 10**9 + 120 * 10**9:
        message = "the index was made at a time that is still to come: the clock was set back"
        yield Problem(place, 0, 0, "clock.index", message, "warning", REBUILD)


def _index(place: str, found: Compared) -> Iterator[Problem]:
    if found.notice is not None:
        said, hint = found.notice
        yield Problem(place, 0, 0, "index.unusable", said, "warning", hint or REBUILD)
    elif not found.there:
        if found.differing:
            message = "there is no index yet; the first recall makes it"
            yield Problem(place, 0, 0, "index.behind", message, "note", "doll index")
    elif found.differing:
        behind, them = count(found.differing, "file"), "it" if found.differing == 1 else "them"
        message = f"the index is behind by {behind}; the next recall reads {them}"
        yield Problem(place, 0, 0, "index.behind", message, "note", "doll index")
