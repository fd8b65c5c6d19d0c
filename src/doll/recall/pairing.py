"""Pairing: which of many texts are equal, extended or near, without comparing all with all. Pure.

Texts that can be alike are found by their rarest terms (prefix filtering): two texts that share
so much must share one of them. Each pair so found is compared exactly before it is told. Texts
that are all alike are told as one group with a leader, never as all their pairs.
Source: Bayardo, Ma, Srikant, "Scaling Up All Pairs Similarity Search" (2007); Sandes, Teodoro,
Melo, "Bitmap Filter" (2020) for the signatures.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from doll.recall.similarity import CONTAINED, FEWEST, FEWEST_PART, LONGER, NEAR, Texts

# For one text at most so many others that share a rare term with it are looked at, the rarest
# terms first, and so many compared (those that are near do not count): what shares its rare words
# with thousands of others would else cost the square of their number.
MOST_LOOKED_AT = 500
MOST_COMPARED = 100
# So many of the texts that extend one are kept.
MOST_EXTENDING = 50

# A text that is near to one that is not shorter shares this much of its own terms, in permille.
_NEAR_TO_LONGER = 2000 * NEAR // (1000 + NEAR)

# Whether a pair of texts was settled by a person and is not to be told.
Settled = Callable[[int, int], bool]


class Group(NamedTuple):
    """Texts that belong together: each member was compared with the leader.

    `members` are (number of the text, likeness in permille); `more` are left out.
    """

    leader: int
    members: tuple[tuple[int, int], ...]
    more: int = 0


class Paired(NamedTuple):
    """The groups of one kind; `cut` texts shared rare terms with more others than are looked at."""

    groups: tuple[Group, ...]
    cut: int = 0


def equal(digests: Sequence[str], settled: Settled) -> Paired:
    """Return the groups of texts with the same digest, in the order of their first."""
    alike: dict[str, list[int]] = {}
    for number, digest in enumerate(digests):
        alike.setdefault(digest, []).append(number)
    found = (group for numbers in alike.values() for group in stars(numbers, settled))
    return Paired(tuple(found))


def stars(numbers: Sequence[int], settled: Settled) -> Iterator[Group]:
    """Yield the group of equal texts, and one more for each text that is settled with a leader."""
    waiting = [numbers[0]] if len(numbers) > 1 else []
    led: set[int] = set()
    while waiting:
        leader = waiting.pop(0)
        led.add(leader)
        others = [number for number in numbers if number not in led]
        members = [number for number in others if not settled(leader, number)]
        waiting += [n for n in others if settled(leader, n) and n not in waiting]
        if members:
            yield Group(leader, tuple((number, 1000) for number in members))


def extending(texts: Texts, numbers: Sequence[int], settled: Settled) -> Paired:
    """Return, for each of these texts that others extend, those others; the text itself leads."""
    order = _by_size(texts, numbers)
    sizes = [len(texts.sets[number]) for number in order]
    signatures = [texts.signatures[number] for number in order]
    asked = {n: _prefix(texts, n, CONTAINED) for n in order if len(texts.sets[n]) >= FEWEST_PART}
    having = _postings(texts, order, {term for terms in asked.values() for term in terms})
    groups: list[Group] = []
    cut = 0
    for number, terms in asked.items():
        size, mine = len(texts.sets[number]), texts.signatures[number]
        begin = bisect_left(sizes, -(-size * LONGER // 1000))
        places, more = _having(map(having.__getitem__, terms), begin)
        # Each bit that the longer one lacks is a term that it lacks.
        lacking = size - CONTAINED * size // 1000
        likely = [p for p in places if (mine & ~signatures[p]).bit_count() <= lacking]
        likely, untried = likely[:MOST_COMPARED], likely[MOST_COMPARED:]
        found = [(o, texts.extends(o, number)) for o in (order[p] for p in likely)]
        found = [(o, share) for o, share in found if share and not settled(o, number)]
        cut += more or bool(untried)
        if found:
            found.sort(key=lambda each: (-each[1], len(texts.sets[each[0]]), each[0]))
            kept = tuple(found[:MOST_EXTENDING])
            groups.append(Group(number, kept, len(found) - len(kept)))
    return Paired(tuple(sorted(groups)), cut)


def near(texts: Texts, numbers: Sequence[int], settled: Settled) -> Paired:
    """Return groups of near texts among these.

    Of every near pair one text leads the other, or one group has both.
    """
    order = _by_size(texts, numbers)
    sizes = [len(texts.sets[number]) for number in order]
    signatures = [texts.signatures[number] for number in order]
    having: dict[int, list[int]] = {}
    stars = _Stars(texts, settled)
    cut = 0
    for here, (number, size) in enumerate(zip(order, sizes, strict=True)):
        if size < FEWEST:
            continue
        mine = texts.signatures[number]
        begin = bisect_left(sizes, -(-size * NEAR // 1000))
        lists = (having.get(term, ()) for term in _prefix(texts, number, NEAR))
        places, more = _having(lists, begin)
        # Each bit that differs is a term that is not shared, and few of them are in near texts.
        apart = 2 * size * (1000 - NEAR) // (1000 + NEAR)
        likely = [p for p in places if (mine ^ signatures[p]).bit_count() <= apart]
        in_vain = 0
        tried: set[int] = set()
        for place in likely:
            in_vain += stars.meet(number, order[place], tried)
            if in_vain > MOST_COMPARED:
                break
        cut += more or in_vain > MOST_COMPARED
        for term in _prefix(texts, number, _NEAR_TO_LONGER):
            having.setdefault(term, []).append(here)
    return Paired(tuple(stars.groups()), cut)


def _having(lists: Iterable[Sequence[int]], begin: int) -> tuple[Iterable[int], bool]:
    """Return the places that the lists hold from `begin` on, each once, and whether some are not.

    The lists come with the rarest terms first, and of each list the last places.
    """
    found: dict[int, None] = {}
    left = MOST_LOOKED_AT
    for places in lists:
        number = len(places) - bisect_left(places, begin)
        if number > left:
            found.update(dict.fromkeys(places[len(places) - left :]) if left else {})
            return found, True
        if number:
            found.update(dict.fromkeys(places[-number:]))
            left -= number
    return found, False


class _Stars:
    """Groups as they grow: each leader with those near to it."""

    def __init__(self, texts: Texts, settled: Settled) -> None:
        self._texts = texts
        self._settled = settled
        self._members: dict[int, dict[int, int]] = {}
        # The leaders of the groups that a text is in, its own too.
        self._homes: dict[int, list[int]] = {}

    def meet(self, number: int, other: int, tried: set[int]) -> bool:
        """Take in a pair if it is near; return whether it was compared for nothing.

        `tried` are the leaders that the first of the two was compared with in vain.
        """
        mine = self._homes.get(number, [])
        theirs = self._homes.get(other, [])
        if any(leader in mine for leader in theirs):
            return False
        likeness = self._likeness(number, other)
        if not likeness:
            return True
        for leader in theirs:
            if leader == other or leader in tried:
                continue
            if share := self._likeness(number, leader):
                self._join(leader, number, share)
                return False
            tried.add(leader)
        self._join(other, number, likeness)
        return False

    def groups(self) -> Iterator[Group]:
        """Yield the groups in the order of their leaders, the most alike first."""
        for leader, members in sorted(self._members.items()):
            alike = sorted(members.items(), key=lambda each: (-each[1], each[0]))
            yield Group(leader, tuple(alike))

    def _likeness(self, one: int, other: int) -> int:
        return 0 if self._settled(one, other) else self._texts.near(one, other)

    def _join(self, leader: int, number: int, likeness: int) -> None:
        if leader not in self._members:
            self._members[leader] = {}
            self._homes.setdefault(leader, []).append(leader)
        self._members[leader][number] = likeness
        self._homes.setdefault(number, []).append(leader)


def _by_size(texts: Texts, numbers: Sequence[int]) -> list[int]:
    return sorted(numbers, key=lambda number: (len(texts.sets[number]), number))


def _prefix(texts: Texts, number: int, share: int) -> Sequence[int]:
    """Return the rarest terms of a text of which another one that has `share` of it has one."""
    held = texts.sets[number]
    return held[: len(held) + share * len(held) // -1000 + 1]


def _postings(texts: Texts, order: Sequence[int], wanted: set[int]) -> dict[int, list[int]]:
    """Return, for each wanted term, the places in `order` of the texts that have it."""
    having: dict[int, list[int]] = {term: [] for term in wanted}
    for place, number in enumerate(order):
        for term in wanted.intersection(texts.sets[number]):
            having[term].append(place)
    return having
