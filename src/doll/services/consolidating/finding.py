"""Finding what may be told twice: groups of records, each pair under the first kind that holds.

A pair that a person found distinct is not told as alike, and stands in no group; that one says it
contradicts the other is told in any case. Two memories are of one subject when their `kind`
and their title (the summary where there is no title), letter case and white space aside, are the
same: what the records themselves say, and nothing else. Reads no file.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from doll.recall import pairing
from doll.recall.pairing import Group
from doll.recall.similarity import normal_form
from doll.records.model import Memory, Record
from doll.render.duplicates_values import KINDS, Kind
from doll.services.consolidating.gathering import Gathered, Pool
from doll.services.consolidating.judgements import Settled
from doll.services.consolidating.splitting import split


class Raw(NamedTuple):
    """A finding by the numbers of records in their pool."""

    kind: Kind
    pool: Pool
    group: Group

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of the leader and the members."""
        numbers = (self.group.leader, *(number for number, _ in self.group.members))
        return tuple(self.pool.records[number].path for number in numbers)


class Found(NamedTuple):
    """All findings in their order; `cut` as in `pairing.Paired`."""

    raws: tuple[Raw, ...]
    cut: int


def find(gathered: Gathered, settled: Settled) -> Found:
    """Return what is found in all pools."""
    raws: list[Raw] = []
    cut = 0
    for pool in gathered.pools:
        search = _Search(pool, gathered, settled)
        raws += search.found()
        cut += search.cut
    return Found(tuple(sorted(raws, key=_order)), cut)


def _order(raw: Raw) -> tuple[int, int, int, str]:
    """Return the key of the order: by kind, the most alike first, then large groups, then path."""
    likeness = max(each for _, each in raw.group.members)
    leader = raw.pool.records[raw.group.leader]
    return KINDS.index(raw.kind), -likeness, -len(raw.group.members), leader.path


class _Search:
    """The search in one pool. `cut` counts texts that were not compared with all that they could
    be like.
    """

    def __init__(self, pool: Pool, gathered: Gathered, settled: Settled) -> None:
        self.cut = 0
        self._pool = pool
        self._names = gathered.names
        # Those of which it was said that they are two things: never in one group.
        self._apart: dict[int, set[int]] = {}
        self._places = {record.path: number for number, record in enumerate(pool.records)}
        for one, other in settled.pairs(zip(self._places, pool.digests, strict=True)):
            self._keep_apart(self._places[one], self._places[other])
        # The groups that a record is in already, as far as they are told.
        self._homes: dict[int, set[int]] = {}
        self._groups = 0
        self._pairs: set[tuple[int, int]] = set()

    def found(self) -> Iterator[Raw]:
        """Yield all findings of the pool."""
        pool, texts = self._pool, self._pool.texts
        yield from self._told("contradiction", self._contradictions())
        yield from self._told("exact", pairing.equal(pool.digests, self._settled).groups)
        # Of equal texts the first stands for all.
        firsts: dict[str, int] = {}
        for number, digest in enumerate(pool.digests):
            firsts.setdefault(digest, number)
        numbers = list(firsts.values())
        longer = pairing.extending(texts, numbers, self._settled)
        yield from self._told("extending", longer.groups)
        alike = pairing.near(texts, numbers, self._settled)
        yield from self._told("near", alike.groups)
        yield from self._told("overlap", self._overlaps(numbers))
        self.cut = max(longer.cut, alike.cut)

    def _settled(self, one: int, other: int) -> bool:
        if (min(one, other), max(one, other)) in self._pairs:
            return True
        return other in self._apart.get(one, ())

    def _keep_apart(self, one: int, other: int) -> None:
        self._apart.setdefault(one, set()).add(other)
        self._apart.setdefault(other, set()).add(one)

    def _told(self, kind: Kind, groups: tuple[Group, ...]) -> Iterator[Raw]:
        for group in (part for whole in groups for part in split(whole, self._apart)):
            self._groups += 1
            for number in (group.leader, *(number for number, _ in group.members)):
                self._homes.setdefault(number, set()).add(self._groups)
            if kind == "extending":
                pairs = ((group.leader, number) for number, _ in group.members)
                self._pairs.update((min(pair), max(pair)) for pair in pairs)
            yield Raw(kind, self._pool, group)

    def _contradictions(self) -> tuple[Group, ...]:
        """Return the pairs of which one says that it contradicts the other."""
        pairs: set[tuple[int, int]] = set()
        for number, record in enumerate(self._pool.records):
            for name in record.fields.contradicts if isinstance(record.fields, Memory) else ():
                named = self._names.named(name)
                other = self._places.get(named[0].path) if len(named) == 1 else None
                if other not in (None, number):
                    pairs.add((min(number, other), max(number, other)))
        for one, other in pairs:
            self._keep_apart(one, other)
        return tuple(Group(one, ((other, 0),)) for one, other in sorted(pairs))

    def _overlaps(self, numbers: Sequence[int]) -> tuple[Group, ...]:
        """Return memories of one subject that are told as nothing else yet.

        All are current, so their validities overlap at least at that moment.
        """
        about: dict[str, list[int]] = {}
        taken: dict[str, set[int]] = {}
        for number in numbers:
            key = subject(self._pool.records[number])
            homes = self._homes.get(number, set())
            if key and homes.isdisjoint(taken.setdefault(key, set())):
                taken[key] |= homes
                about.setdefault(key, []).append(number)
        found = (group for alike in about.values() for group in pairing.stars(alike, self._settled))
        return tuple(
            Group(group.leader, tuple((number, 0) for number, _ in group.members))
            for group in found
        )


def subject(record: Record) -> str:
    """Return what a memory says it is about, "" where it does not say: kind and title."""
    fields = record.fields
    if not isinstance(fields, Memory):
        return ""
    said = normal_form(fields.title or fields.summary or "")
    return f"{fields.kind or ''}\n{said}" if said else ""
