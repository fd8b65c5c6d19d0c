"""Snippets: the line of a text that answers a query best, cut to fit around the first match. Pure.

The caller masks secrets before and escapes invisible characters after; nothing is left out within
what is shown.
"""

import unicodedata
from collections import Counter
from collections.abc import Collection
from typing import NamedTuple

from doll.recall.scripts import normal
from doll.recall.tokens import having, spans

WIDTH = 160
_BEFORE = 50
# Characters: after these no line is looked for.
MAX_TEXT = 200_000
_GAP = "\u2026"
_JOINER = "\u200d"
# More marks than this on one letter are no writing.
_LONGEST = 16


class _Match(NamedTuple):
    """Where one term stands in a line in normal form."""

    place: int
    term: str


def snippet(text: str, terms: Collection[str], width: int = WIDTH) -> str:
    """Return the line with most of the terms, the first of them that has, "" where none has any.

    A line too long to show is cut to where most of the terms stand close together.
    """
    best, matches, most = "", list[_Match](), 0
    text = text[:MAX_TEXT]
    pieces = having(text, terms)
    for line in text.splitlines() if pieces else ():
        whole = normal(line)
        # Most lines hold none.
        if not any(piece in whole for piece in pieces):
            continue
        found = _matches(whole, terms)
        number = len({match.term for match in found})
        if number > most:
            best, matches, most = line, found, number
    return cut(best, _original(best, _densest(matches, width - _BEFORE)), width)


def beginning(text: str, width: int = WIDTH) -> str:
    """Return the first line of a text that is not blank, cut to fit."""
    return next((cut(line, 0, width) for line in text[:MAX_TEXT].splitlines() if line.strip()), "")


def cut(line: str, place: int, width: int) -> str:
    """Return `line`, or as much of it around `place` as fits into `width` characters."""
    lead = len(line) - len(line.lstrip())
    line, place = line.strip(), max(0, place - lead)
    if len(line) <= width:
        return line
    start = max(0, min(place - _BEFORE, len(line) - width))
    if start:
        space = line.find(" ", start, place)
        start = space + 1 if space >= 0 else _between(line, start, 1)
    end = min(len(line), start + width)
    if end < len(line):
        space = line.rfind(" ", place + 1, end)
        end = space if space > start + width // 2 else _between(line, end, -1)
    return (_GAP if start else "") + line[start:end].strip() + (_GAP if end < len(line) else "")


def _between(line: str, place: int, step: int) -> int:
    """Return the next place, to the right or left, that stands between two whole characters.

    No mark is shown apart from its letter, and no joined emoji in halves.
    """
    for _ in range(_LONGEST):
        joined = line[place - 1 : place + 1].find(_JOINER) >= 0
        if not (joined or unicodedata.category(line[place]).startswith("M")):
            break
        place += step
        if not 0 < place < len(line):
            break
    return place


def _matches(line: str, terms: Collection[str]) -> list[_Match]:
    """Return where the terms stand in a line of normal text, from left to right."""
    found: list[_Match] = []
    for start, end, piece, _ in spans(line):
        held = {term for terms_of in piece for term in terms_of if term in terms}
        found += [_Match(start + max(0, line[start:end].find(term)), term) for term in held]
    return sorted(found)


def _densest(matches: list[_Match], room: int) -> int:
    """Return the first place after which most different terms stand within `room` characters."""
    place, most = 0, 0
    inside: Counter[str] = Counter()
    end = 0
    for start, match in enumerate(matches):
        while end < len(matches) and matches[end].place - match.place < room:
            inside[matches[end].term] += 1
            end += 1
        if len(inside) > most:
            place, most = match.place, len(inside)
        inside[match.term] -= 1
        if not inside[match.term]:
            del inside[match.term]
        end = max(end, start + 1)
    return place


def _original(line: str, place: int) -> int:
    """Return the place in `line` that `place` in its normal form stands for."""
    if normal(line) == line:
        return place
    low, high = 0, len(line)
    while low < high:
        middle = (low + high) // 2
        if len(normal(line[:middle])) < place:
            low = middle + 1
        else:
            high = middle
    return low
