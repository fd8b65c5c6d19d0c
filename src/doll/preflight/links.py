"""`supersedes` and `resolves` between records: which of them count.

A link in a circle counts for nothing: whoever supersedes whom would be a guess.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Link(NamedTuple):
    """One record names another: ids in folded form."""

    source: str
    target: str


def sound(links: Iterable[Link]) -> frozenset[Link]:
    """Return the links that lie on no circle and on no way between two circles.

    Takes time linear in the number of links: records that nobody names, or that name nobody, are
    peeled off until only circles and what joins them is left.
    """
    every = frozenset(links)
    outgoing, incoming = _grouped(every), _grouped(Link(b, a) for a, b in every)
    names = {name for link in every for name in link}
    knotted = set(names)
    loose = [name for name in names if not outgoing.get(name) or not incoming.get(name)]
    while loose:
        name = loose.pop()
        if name not in knotted:
            continue
        knotted.discard(name)
        for here, there in ((outgoing, incoming), (incoming, outgoing)):
            for other in here.pop(name, set()):
                there[other].discard(name)
                if not there[other]:
                    loose.append(other)
    return frozenset(link for link in every if not knotted.issuperset(link))


def _grouped(links: Iterable[Link]) -> dict[str, set[str]]:
    grouped: dict[str, set[str]] = {}
    for source, target in links:
        grouped.setdefault(source, set()).add(target)
    return grouped


def by_target(links: Iterable[Link]) -> Mapping[str, list[str]]:
    """Return the sources of each target, sorted."""
    return {
        target: sorted(sources)
        for target, sources in _grouped(Link(b, a) for a, b in links).items()
    }
