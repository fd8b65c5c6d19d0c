"""Snippets: the line of a text that answers a query best, cut to fit around the first match. Pure.

The caller masks secrets before and escapes invisible characters after; nothing is left out within
what is shown.
"""

from collections.abc import Collection

from doll.recall.scripts import normal
from doll.recall.tokens import spans

WIDTH = 160
_BEFORE = 50
_MAX_TEXT = 200_000
_GAP = "\u2026"


def snippet(text: str, terms: Collection[str], width: int = WIDTH) -> str:
    """Return the line with most of the terms, the first of them that has, "" where none has any."""
    best, place, most = "", 0, 0
    for line in text[:_MAX_TEXT].splitlines():
        found, start = _matches(line, terms)
        if found > most:
            best, place, most = line, start, found
    return cut(best, place, width)


def beginning(text: str, width: int = WIDTH) -> str:
    """Return the first line of a text that is not blank, cut to fit."""
    return next((cut(line, 0, width) for line in text[:_MAX_TEXT].splitlines() if line.strip()), "")


def cut(line: str, place: int, width: int) -> str:
    """Return `line`, or as much of it around `place` as fits into `width` characters."""
    lead = len(line) - len(line.lstrip())
    line, place = line.strip(), max(0, place - lead)
    if len(line) <= width:
        return line
    start = max(0, min(place - _BEFORE, len(line) - width))
    if start:
        space = line.find(" ", start, place)
        start = space + 1 if space >= 0 else start
    end = min(len(line), start + width)
    if end < len(line):
        space = line.rfind(" ", place + 1, end)
        end = space if space > start + width // 2 else end
    return (_GAP if start else "") + line[start:end].strip() + (_GAP if end < len(line) else "")


def _matches(line: str, terms: Collection[str]) -> tuple[int, int]:
    """Return how many of the terms a line has, and where the first of them stands in it."""
    whole = normal(line)
    found: set[str] = set()
    first = 0
    for start, end, piece, _ in spans(whole):
        matched = [term for terms_of in piece for term in terms_of if term in terms]
        if matched and not found:
            first = start + min(max(0, whole[start:end].find(term)) for term in matched)
        found.update(matched)
    return len(found), first if whole == line else _original(line, first)


def _original(line: str, place: int) -> int:
    """Return the place in `line` that `place` in its normal form stands for."""
    low, high = 0, len(line)
    while low < high:
        middle = (low + high) // 2
        if len(normal(line[:middle])) < place:
            low = middle + 1
        else:
            high = middle
    return low
