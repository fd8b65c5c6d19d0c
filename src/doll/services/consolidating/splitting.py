"""Splitting: no group holds two records of which a person, or one of them, says: not the same.

A group is made around its leader, with which each member was compared; the members were not judged
against each other. Pure.
"""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import combinations

from doll.recall.pairing import Group

# For each text those that it stands apart from, both ways.
Apart = Mapping[int, AbstractSet[int]]


def split(group: Group, apart: Apart) -> Iterator[Group]:
    """Yield a group as it is, or as groups with the same leader in which none stand apart.

    Each member is in one of them, and so are any two that do not stand apart.
    """
    held = {number for number, _ in group.members}
    disputed = [n for n, _ in group.members if not held.isdisjoint(apart.get(n, ()))]
    more = group.more
    for kept in _classes(disputed, apart):
        out = set(disputed) - kept
        yield Group(group.leader, tuple(m for m in group.members if m[0] not in out), more)
        more = 0


def _classes(disputed: list[int], apart: Apart) -> Iterator[set[int]]:
    """Yield the members of a group that stay together, the first ones first."""
    if not disputed:
        yield set()
        return
    classes: list[set[int]] = []
    pairs = ({one, other} for one, other in combinations(disputed, 2) if other not in apart[one])
    for wanted in (*({number} for number in disputed), *pairs):
        if any(wanted <= kept for kept in classes):
            continue
        kept = set(wanted)
        for number in disputed:
            if apart[number].isdisjoint(kept):
                kept.add(number)
        classes.append(kept)
        yield kept
