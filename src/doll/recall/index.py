"""The Whoosh index: one field of weighted terms, held in memory, read from and given as bytes.

This is the only module that opens an index. Whoosh unpickles when it opens (the schema and the
segments in the TOC, every block of postings), so the caller vouches for the bytes: they come from
the sealed cache or from this process, and Whoosh reads exactly the bytes that were checked.

A document is known by its serial, a number that is never given twice. Deleting is the caller's:
it knows which serials live and leaves the others out; `drop` merges all without them. So the
statistics behind scores are those of live documents, which Whoosh's own are not.
"""

import functools
from array import array
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import accumulate
from typing import Any

from doll.recall import engine
from doll.recall.pool import Pool
from doll.recall.storage import MemoryStorage
from doll.records.collector import without_collector

# With so many segments, the smallest become one when others are added, so that places are free.
MAX_SEGMENTS, FREE = 20, 4
_TERMS, _SERIAL = "terms", "serial"
_SEGMENT = ".seg"
# Measured: blocks of 1,024 at the lightest compression are smaller and faster than the defaults.
_BLOCK, _COMPRESSION = 1024, 1


class BrokenIndexError(Exception):
    """Whoosh could not open, read or write the index; it is to be built anew."""


class WeightedTerms(engine.FieldType):  # type: ignore[misc]
    """A field whose value is a mapping of term to weight, indexed as it stands."""

    def __init__(self) -> None:
        super().__init__(engine.Existence(), None)

    def index(
        self, value: Mapping[str, float], **_: object
    ) -> Iterator[tuple[bytes, int, float, bytes]]:
        """Yield (term, frequency, weight, payload), as Whoosh's writer takes them."""
        for term, weight in value.items():
            yield term.encode(), 1, weight, b""


class Index:
    """An index in memory.

    `files` are Whoosh's files by name, none for a new index. `serials` are those of each segment's
    documents, packed, to save looking them up one by one; they may be absent. Every method raises
    BrokenIndexError when Whoosh fails in any way.
    """

    def __init__(
        self,
        files: Mapping[str, bytes | memoryview] | None = None,
        serials: Mapping[str, bytes] | None = None,
    ) -> None:
        self._storage: Any = MemoryStorage()
        self._opened: list[tuple[Any, int]] | None = None
        self._serials = {name: array("I", packed) for name, packed in (serials or {}).items()}
        with _whoosh():
            if files:
                self._storage.files.update(files)
                self._index = self._storage.open_index(schema=_schema())
            else:
                self._index = self._storage.create_index(_schema())

    @property
    def files(self) -> dict[str, bytes | memoryview]:
        """Whoosh's files: one for each segment, and the TOC."""
        return dict(self._storage.files)

    def adopt(self, files: Mapping[str, bytes | memoryview], serials: Mapping[str, bytes]) -> None:
        """Take over the segments of another index, whose serials are others; then merge small ones.

        Their documents are not read, so this costs next to nothing.
        """
        if not files:
            return
        other = Index(files, serials)
        with _whoosh():
            adopted = [leaf.segment() for leaf, _ in other._leaves()]
        for segment in adopted:
            name = segment.make_filename(_SEGMENT)
            self._storage.files[name] = other._storage.files[name]
        self._serials |= other._serials
        self.writer().commit(adopted)

    def drop(self, dead: Collection[int]) -> None:
        """Make all segments one, without the documents whose serial is in `dead`."""
        self.writer().commit(dead=dead)

    def postings(self, term: str) -> list[tuple[int, float]]:
        """Return (serial, weight) of every document with `term`, deleted ones included."""
        found: list[tuple[int, float]] = []
        with _whoosh():
            for leaf, _ in self._leaves():
                if (_TERMS, term) in leaf:
                    found += _postings(leaf, term, self._serials_of(leaf))
        return found

    def serials(self) -> list[int]:
        """Return the serials of all documents, deleted ones included."""
        with _whoosh():
            return [serial for leaf, _ in self._leaves() for serial in self._serials_of(leaf)]

    def packed_serials(self) -> dict[str, bytes]:
        """Return what `serials` of a new Index may be: serials by segment."""
        with _whoosh():
            return {_segment(leaf): self._serials_of(leaf).tobytes() for leaf, _ in self._leaves()}

    def terms(self) -> list[str]:
        """Return every term, those of deleted documents included, in no order."""
        with _whoosh():
            found = {term for leaf, _ in self._leaves() for term in leaf.lexicon(_TERMS)}
            return [term.decode() for term in found]

    def segments(self) -> dict[str, Callable[[], list[str]]]:
        """Return what lists the terms of each segment, by Whoosh's name for it.

        A segment never changes under its name.
        """
        with _whoosh():
            return {_segment(leaf): functools.partial(_terms, leaf) for leaf, _ in self._leaves()}

    def writer(self) -> "Writer":
        """Return a writer; the index answers with its documents once they are committed."""
        return Writer(self)

    def _leaves(self) -> list[tuple[Any, int]]:
        if self._opened is None:
            reader = self._index.reader()
            self._opened = list(reader.leaf_readers()) if reader.doc_count_all() else []
        return self._opened

    def _serials_of(self, leaf: Any) -> "array[int]":
        name = _segment(leaf)
        if name not in self._serials:
            column = leaf.column_reader(_SERIAL, translate=False)
            self._serials[name] = array("I", column)
        return self._serials[name]


class Writer:
    """One change of an index: added documents, then a commit."""

    def __init__(self, index: Index) -> None:
        self._of = index
        with _whoosh():
            codec = engine.W3Codec(_BLOCK, _COMPRESSION)
            self._writer = engine.segment_writer(index._index, codec)  # noqa: SLF001
            self._writer.pool = Pool()

    def add(self, serial: int, terms: Mapping[str, float]) -> None:
        """Add a document; serials count from 1 and are never used twice."""
        with _whoosh():
            self._writer.add_document(terms=terms, serial=serial)

    def commit(self, adopted: Sequence[Any] = (), *, dead: Collection[int] | None = None) -> None:
        """Make the added documents and the segments `adopted` part of the index.

        With `dead`, all segments become one, without the documents whose serial is in it.
        """
        with _whoosh(), without_collector():
            if dead is not None:
                self._delete(dead)

            def segments(writer: Any, held: list[Any]) -> list[Any]:
                found = [*held, *adopted]
                absorbed = found if dead is not None else _small_ones(found)
                _absorb(writer, absorbed)
                return [segment for segment in found if segment not in absorbed]

            self._writer.commit(mergetype=segments)
            self._of._opened = None  # noqa: SLF001

    def _delete(self, dead: Collection[int]) -> None:
        for leaf, offset in self._of._leaves():  # noqa: SLF001
            for place, serial in enumerate(self._of._serials_of(leaf)):  # noqa: SLF001
                if serial in dead:
                    self._writer.delete_document(offset + place)


def _terms(leaf: Any) -> list[str]:
    with _whoosh():
        return [term.decode() for term in leaf.lexicon(_TERMS)]


def _postings(leaf: Any, term: str, serials: "array[int]") -> list[tuple[int, float]]:
    matcher = leaf.postings(_TERMS, term)
    if isinstance(matcher, engine.BlockMatcher):
        return [found for block in _blocks(matcher) for found in _in_block(block, serials)]
    found: list[tuple[int, float]] = []
    while matcher.is_active():
        found.append((serials[matcher.id()], matcher.weight()))
        matcher.next()
    return found


def _blocks(matcher: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each block's differences of document numbers, and weights (None: all are 1).

    A block at a time takes a third of what Whoosh's calls for each posting do.
    """
    while matcher.is_active():
        matcher._read_data()  # noqa: SLF001
        yield matcher._data[:2]  # noqa: SLF001
        matcher._next_block()  # noqa: SLF001


def _in_block(block: tuple[Any, Any], serials: "array[int]") -> Iterator[tuple[int, float]]:
    differences, weights = block
    if weights is None or isinstance(weights, float):
        weights = [1.0 if weights is None else weights] * len(differences)
    return zip(map(serials.__getitem__, accumulate(differences)), weights, strict=True)


def _segment(leaf: Any) -> str:
    """Return the name of a leaf's segment: random, made once, never given to other documents."""
    name: str = leaf.segment().segment_id()
    return name


def _schema() -> Any:
    serial = engine.COLUMN(engine.NumericColumn("I"))
    return engine.Schema(**{_TERMS: WeightedTerms(), _SERIAL: serial})


def _small_ones(segments: list[Any]) -> list[Any]:
    """Return the segments to make one: none while there are few.

    Where the number allows, none that is larger than twice the others together, so that a large
    one is not written again for the sake of a few documents.
    """
    if len(segments) < MAX_SEGMENTS:
        return []
    taken: list[Any] = []
    documents = 0
    for segment in sorted(segments, key=lambda segment: segment.doc_count_all()):
        enough = len(segments) - len(taken) < MAX_SEGMENTS - FREE
        if enough and segment.doc_count_all() > 2 * documents:
            break
        taken.append(segment)
        documents += segment.doc_count_all()
    return taken


def _absorb(writer: Any, segments: list[Any]) -> None:
    for segment in segments:
        reader = engine.SegmentReader(writer.storage, writer.schema, segment)
        writer.add_reader(reader)
        reader.close()


@contextmanager
def _whoosh() -> Iterator[None]:
    try:
        yield
    except (BrokenIndexError, MemoryError):
        raise
    except Exception as error:
        # Whoosh raises bare Exceptions, and whatever a damaged file leads to.
        raise BrokenIndexError(f"{type(error).__name__}: {error}") from error
