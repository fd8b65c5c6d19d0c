"""Choosing what fits: the budget shared between the sections, counted on the text as it is shown.

Each section has a first share of what the head leaves. Its best record gets it in the longest of
its forms that fits; where none does, the shortest, out of the shares of those that are served after
it: what failed before comes first, then open work, decisions, memory. The others follow, in their
order, where their longest form fits into what is left of the share. What then is left goes to the
best records that had no room in their share, then to those that were shortened, and then goes
round: the best record left of each section in turn, in the order of the sections, each in the
longest of its forms that fits.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

from doll.render.context_markdown import (
    head_lines,
    item_lines,
    left_out_line,
    left_out_lines,
    nothing_lines,
    section_line,
    tiny_line,
)
from doll.render.context_values import TITLES, Head, Item, LeftOut, Section, Source
from doll.render.tokens import tokens
from doll.services.packing.asked import Tally
from doll.services.packing.candidates import Candidate

# Percent of what there is for records.
SHARES: Mapping[Section, int] = {"work": 20, "decisions": 15, "failures": 30, "memory": 35}
# In this order the best of each is served: what is to be avoided before what only fits in.
_SERVED: Sequence[Section] = ("failures", "work", "decisions", "memory")
# For what is left out an eighth of the budget is kept, within these bounds.
_LEAST, _MOST = 30, 240

Found = Mapping[Section, Sequence[Candidate]]


def choose(head: Head, found: Found, tally: Tally) -> tuple[tuple[Item, ...], str]:
    """Return the items that fit, by section and in order, and the text of the pack.

    What does not fit is counted. The text takes at most the budget's tokens, whatever it is about.
    """
    top = [*head_lines(head)]
    kept = min(max(head.budget // 8, _LEAST), _MOST)
    room = head.budget - _cost(top) - kept
    chosen = _Chosen(found, room)
    chosen.serve_the_best()
    chosen.fill_shares()
    chosen.lengthen_the_best()
    chosen.go_round()
    for source in chosen.rest():
        tally.add("over_budget", source.id)
    items = chosen.items()
    left_out = tuple(tally.all())
    numbers = {section: len(some) for section, some in found.items()}
    if room < 0:
        return (), tiny_line(head.budget, numbers)
    lines = [*top, *_sections(items, numbers)]
    if not items and not left_out:
        lines += nothing_lines()
    lines += _ending(left_out, head.budget - _cost(lines))
    return items, "\n".join(lines)


def limit_of(budget: int) -> int:
    """Return the most tokens that the text of one record takes: an eighth of the budget."""
    return max(budget // 8, 60)


class _Chosen:
    """What has been chosen, and the room that is left."""

    def __init__(self, found: Found, room: int) -> None:
        self._found = found
        self._room = room
        self._whole = room
        self._taken: dict[tuple[Section, int], Item] = {}
        self._opened: set[Section] = set()

    def serve_the_best(self) -> None:
        """Give the best of each section the section's share, or as much of others as it needs."""
        for section in _SERVED:
            for best in self._found[section][:1]:
                share = self._share(section)
                if not self._take(section, 0, best.forms(), share):
                    self._take(section, 0, [best.least], self._room)

    def fill_shares(self) -> None:
        """Give the others of each section what is left of its share."""
        for section, candidates in self._found.items():
            best = self._taken.get((section, 0))
            share = self._share(section) - (self._needed(section, best) if best else 0)
            for place, candidate in enumerate(candidates[1:], 1):
                if _floor(candidate) <= share:
                    share -= self._take(section, place, [candidate.long], share)

    def lengthen_the_best(self) -> None:
        """Give the best of each section room beyond its share."""
        for section, some in self._found.items():
            if taken := self._taken.get((section, 0)):
                room = self._room + _cost(item_lines(taken))
                longest = next(each for each in some[0].forms() if _cost(item_lines(each)) <= room)
                self._taken[section, 0] = longest
                self._room = room - _cost(item_lines(longest))

    def go_round(self) -> None:
        """Give what is left to the best that is left of each section in turn."""
        waiting = (
            [(section, place) for place in range(len(some)) if (section, place) not in self._taken]
            for section, some in self._found.items()
        )
        for turn in zip_longest(*waiting):
            for section, place in filter(None, turn):
                candidate = self._found[section][place]
                if _floor(candidate) > self._room:
                    continue
                if self._needed(section, candidate.least) <= self._room:
                    self._take(section, place, candidate.forms(), self._room)

    def items(self) -> tuple[Item, ...]:
        """Return what was taken, by section and in order."""
        order = list(self._found)
        places = sorted(self._taken, key=lambda each: (order.index(each[0]), each[1]))
        return tuple(self._taken[each] for each in places)

    def rest(self) -> Iterator[Source]:
        """Yield what was not taken."""
        for section, some in self._found.items():
            for place, candidate in enumerate(some):
                if (section, place) not in self._taken:
                    yield candidate.source

    def _share(self, section: Section) -> int:
        return self._whole * SHARES[section] // 100

    def _take(self, section: Section, place: int, forms: Iterable[Item], room: int) -> int:
        """Take the first form that fits into `room` tokens; return how many it takes, else 0."""
        for item in forms:
            needed = self._needed(section, item)
            if needed <= min(room, self._room):
                self._opened.add(section)
                self._taken[section, place] = item
                self._room -= needed
                return needed
        return 0

    def _needed(self, section: Section, item: Item) -> int:
        """Return the tokens of a record, with the section's heading where it is the first."""
        needed = _cost(item_lines(item))
        if section not in self._opened:
            number = len(self._found[section])
            needed += _cost(_heading(section, number, number))
        return needed


def _sections(items: Sequence[Item], numbers: Mapping[Section, int]) -> Iterable[str]:
    for section in TITLES:
        some = [item for item in items if item.section == section]
        if some:
            yield from _heading(section, len(some), numbers[section])
            for item in some:
                yield from item_lines(item)


def _floor(candidate: Candidate) -> int:
    """Return tokens that every form of a record takes: no text has to be cut to know them."""
    return _cost(item_lines(candidate.bare._replace(settled=())))


def _heading(section: Section, shown: int, found: int) -> list[str]:
    return ["", section_line(section, shown, found)]


def _ending(left_out: Sequence[LeftOut], room: int) -> list[str]:
    """Return the fullest account of what is left out that fits."""
    if not left_out:
        return []
    forms = [[*left_out_lines(left_out, ids=ids)] for ids in (True, False)]
    forms.append(["", left_out_line(left_out)])
    return next((lines for lines in forms if _cost(lines) <= room), [])


def _cost(lines: Iterable[str]) -> int:
    return sum(tokens(line) + 1 for line in lines)
