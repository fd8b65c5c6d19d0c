"""Experience as preflight reads it: entries by id, what is superseded, what resolves what.

History can be corrected by history, never by something weaker: a link counts only when it is
committed, of the same project, on no circle, and from an assertion at least as strong as that of
the entry it names.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, cast

from doll.preflight.inputs import Entry
from doll.preflight.links import Link, by_target, sound
from doll.preflight.resolver import Resolver
from doll.preflight.strength import assertion_of, strength
from doll.records.model import Experience, Record
from doll.records.names import fold

LinkField = Literal["supersedes", "resolves"]


class History:
    """The entries of a vault and the links between them that count."""

    def __init__(self, entries: Iterable[Entry], resolver: Resolver) -> None:
        self.entries = _distinct(entries)
        self._resolver = resolver
        self._projects: dict[str, tuple[str, ...]] = {}
        self._committed = _single(entry.record for entry in self.entries if entry.committed)
        superseding = self._links("supersedes")
        self._superseding = by_target(superseding)
        self._superseded = by_target(Link(target, source) for source, target in superseding)
        self._resolving = by_target(self._links("resolves"))

    def is_superseded(self, record: Record) -> bool:
        """Return whether a committed entry that may do so supersedes this one."""
        return next(self._above(record, self._superseding), None) is not None

    def resolutions(self, record: Record) -> list[Record]:
        """Return the entries that resolve this one and are not superseded, sorted by id.

        One that resolves an entry which this one corrects, straight or through others, resolves
        this one too, where it may speak for it.
        """
        found = {
            fold(source.id): source
            for each in self._corrected_by(record)
            for source in self._above(each, self._resolving)
            if self._may_speak_for(source, record) and not self.is_superseded(source)
        }
        found.pop(fold(record.id), None)
        return [found[name] for name in sorted(found)]

    def current(self) -> Iterator[Entry]:
        """Yield the entries that are not superseded: by path, the committed one first."""
        return (entry for entry in self.entries if not self.is_superseded(entry.record))

    def _corrected_by(self, record: Record) -> Iterator[Record]:
        """Yield the entry and all that it supersedes, straight or through others."""
        yield record
        name = fold(record.id)
        # Links count from committed bytes only.
        waiting, seen = [record] if self._committed.get(name) is record else [], {name}
        while waiting:
            for name in self._superseded.get(fold(waiting.pop().id), ()):
                target = self._committed.get(name)
                if target is not None and name not in seen:
                    seen.add(name)
                    waiting.append(target)
                    yield target

    def _above(self, record: Record, links: Mapping[str, list[str]]) -> Iterator[Record]:
        for name in links.get(fold(record.id), ()):
            source = self._committed[name]
            if self._may_speak_for(source, record):
                yield source

    def _links(self, field: LinkField) -> frozenset[Link]:
        links = (
            Link(name, fold(target))
            for name, record in self._committed.items()
            for target in getattr(record.fields, field)
        )
        return sound(link for link in links if self._counts(link))

    def _counts(self, link: Link) -> bool:
        """Return whether a link to a committed entry counts; others are judged when met."""
        target = self._committed.get(link.target)
        return target is None or self._may_speak_for(self._committed[link.source], target)

    def _may_speak_for(self, source: Record, target: Record) -> bool:
        same = self._project(source) == self._project(target)
        return same and strength(assertion_of(source)) >= strength(assertion_of(target))

    def _project(self, record: Record) -> tuple[str, ...]:
        """Return what the entry's project names; its own text where no record has that name."""
        name = cast("Experience", record.fields).project
        if name not in self._projects:
            ids = self._resolver.resolve(name, "project").ids
            self._projects[name] = ids or (fold(name),)
        return self._projects[name]


def _distinct(entries: Iterable[Entry]) -> Sequence[Entry]:
    """Return the entries by path, committed bytes first and once."""
    found: dict[tuple[str, str], Entry] = {}
    for entry in sorted(entries, key=_place):
        found.setdefault((entry.record.path, entry.record.digest), entry)
    return tuple(found.values())


def _place(entry: Entry) -> tuple[str, bool, str]:
    return entry.record.path, not entry.committed, entry.record.digest


def _single(records: Iterable[Record]) -> dict[str, Record]:
    """Return the records by folded id.

    Where several share an id it names the strongest, so that a weaker twin breaks no link of it;
    two of the same strength leave it without meaning.
    """
    named: dict[str, list[Record]] = {}
    for record in records:
        named.setdefault(fold(record.id), []).append(record)
    return {name: best[0] for name, found in named.items() if len(best := _strongest(found)) == 1}


def _strongest(records: Sequence[Record]) -> Sequence[Record]:
    most = max(strength(assertion_of(record)) for record in records)
    return [record for record in records if strength(assertion_of(record)) == most]
