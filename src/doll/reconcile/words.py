"""The vocabulary of an index, kept beside it: Whoosh takes a second to list half a million terms.

Made when it is first asked for. A segment of an index never changes, so its words are listed once;
what is kept of segments that are gone is dropped. Losing the file loses nothing.
"""

import os
from collections.abc import Collection

import msgspec

from doll.recall.index import Index
from doll.recall.widening import is_word
from doll.reconcile.refreshing import Site

# Whoosh's name of a segment, which is random and never given twice, to its words in one text.
_Words = dict[str, str]
_FORMAT = 1
_GAP = "\n"  # no term has one


def words(site: Site, index: Index) -> Collection[str]:
    """Return every term of an index that is of a text, those of deleted documents included.

    They come in no order, each once. Raises BrokenIndexError.
    """
    name = f"{site.searched.name}/words"
    kept = _decoded(site.cache.load(name))
    found = {
        segment: kept[segment] if segment in kept else _GAP.join(filter(is_word, terms()))
        for segment, terms in index.segments().items()
    }
    # Not beside an index that is kept nowhere; and what is there and was not written here is left
    # alone, as an index is.
    is_kept = os.path.lexists(site.cache.folder / site.searched.name / "index")
    if is_kept and found != kept and (kept or not os.path.lexists(site.cache.folder / name)):
        site.cache.store(name, msgspec.msgpack.encode((_FORMAT, found)))
    lists = [text.split(_GAP) for text in found.values() if text]
    return lists[0] if len(lists) == 1 else set[str]().union(*lists)


def forget(site: Site) -> None:
    """Replace what is kept by nothing, whoever wrote it."""
    name = f"{site.searched.name}/words"
    if os.path.lexists(site.cache.folder / name):
        site.cache.store(name, msgspec.msgpack.encode((_FORMAT, {})))


def _decoded(data: bytes | None) -> _Words:
    if data is None:
        return {}
    try:
        form, found = msgspec.msgpack.decode(data, type=tuple[int, _Words])
    except msgspec.DecodeError:
        return {}
    return found if form == _FORMAT else {}
