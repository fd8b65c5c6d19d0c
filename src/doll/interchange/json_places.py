"""Where things stand in a JSON text: line and column of pointers, and what `json` cannot place.

Used only when something is wrong. It reads tokens with a stack of its own and never fails; on
text that is no JSON its answers mean nothing. Pointers are put together only where one is wanted,
so that long names cost their length once.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from doll.errors import Problem
from doll.interchange.pointers import join, parts
from doll.interchange.refusals import MAX_PROBLEMS

_LEXEME = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}:,]|[^\s"\[\]{}:,]++', re.DOTALL)
_CONSTANTS = frozenset(["NaN", "Infinity", "-Infinity"])


class _Open:
    """A list or object that is being read, and which of its parts comes now."""

    __slots__ = ("index", "is_object", "name", "names")

    def __init__(self, *, is_object: bool) -> None:
        self.is_object = is_object
        self.index = 0
        self.name: str | None = None
        self.names: set[str] = set()

    @property
    def part(self) -> str:
        return (self.name or "") if self.is_object else str(self.index)

    @property
    def wants_name(self) -> bool:
        return self.is_object and self.name is None

    def take_name(self, name: str) -> bool:
        """Take the name of the next property; return whether the object has it already."""
        repeated = name in self.names
        self.name = name
        self.names.add(name)
        return repeated

    def go_on(self) -> None:
        self.index += 1
        self.name = None


class _Spot(NamedTuple):
    """A value or the name of a property; `stack` is alive: read it before the next spot."""

    offset: int
    lexeme: str
    is_name: bool
    repeated: bool
    stack: list[_Open]

    @property
    def pointer(self) -> str:
        return join("", *(level.part for level in self.stack))


def _spots(text: str) -> Iterator[_Spot]:
    stack: list[_Open] = []
    for found in _LEXEME.finditer(text):
        lexeme, offset = found.group(), found.start()
        if lexeme == ",":
            if stack:
                stack[-1].go_on()
        elif lexeme in "]}":
            del stack[-1:]
        elif lexeme == ":":
            pass
        elif stack and stack[-1].wants_name:
            repeated = stack[-1].take_name(_name(lexeme))
            yield _Spot(offset, lexeme, True, repeated, stack)
        else:
            yield _Spot(offset, lexeme, False, False, stack)
            if lexeme in "[{":
                stack.append(_Open(is_object=lexeme == "{"))


def _name(lexeme: str) -> str:
    try:
        return str(json.loads(lexeme))
    except ValueError:
        return lexeme


def faults(text: str, path: str, max_digits: int) -> tuple[list[Problem], int]:
    """Return the repeated names, NaN and infinities, and numbers of more than `max_digits`.

    At most 100, and how many there are beyond those.
    """
    found: list[tuple[int, Problem]] = []
    more = 0
    for spot in _spots(text):
        fault = _fault(spot, max_digits)
        if fault is None:
            continue
        if len(found) == MAX_PROBLEMS:
            more += 1
            continue
        code, message, hint = fault
        problem = Problem(path, 0, 0, code, message, hint=hint, pointer=spot.pointer)
        found.append((spot.offset, problem))
    places = _places(text, [offset for offset, _ in found])
    return [
        problem._replace(line=line, column=column)
        for (_, problem), (line, column) in zip(found, places, strict=True)
    ], more


def _fault(spot: _Spot, max_digits: int) -> tuple[str, str, str] | None:
    if spot.is_name:
        if not spot.repeated:
            return None
        message = f"the name {spot.lexeme[:80]} stands twice in one object"
        return "json.duplicate_key", message, "which value counts would be a guess: keep one"
    if spot.lexeme in _CONSTANTS:
        return "json.constant", f"{spot.lexeme} is no JSON value", "write null, or leave it out"
    if len(spot.lexeme) > max_digits and spot.lexeme.lstrip("-").isdigit():
        message = f"this number has {len(spot.lexeme):,} digits; {max_digits} are read"
        return "json.number", message, "write it as text"
    return None


def placed(problems: Iterable[Problem], data: bytes) -> list[Problem]:
    """Return the problems with line and column of their pointers in the JSON text `data`."""
    wanted = list(problems)
    if not wanted:
        return wanted
    text = data.decode("utf-8-sig")
    offsets = _offsets(text, {problem.pointer for problem in wanted})
    known = sorted(set(offsets.values()))
    at = dict(zip(known, _places(text, known), strict=True))
    result = []
    for problem in wanted:
        line, column = at.get(offsets.get(problem.pointer, -1), (0, 0))
        result.append(problem._replace(line=line, column=column))
    return result


class _Wanted(dict[str, "_Wanted"]):
    """A tree of the parts of pointers; `pointer` is set where one ends."""

    pointer: str | None = None


def _offsets(text: str, pointers: set[str]) -> dict[str, int]:
    """Return where each pointer stands: a property at its name, anything else at its value."""
    root = _Wanted()
    for pointer in pointers:
        node = root
        for part in parts(pointer):
            node = node.setdefault(part, _Wanted())
        node.pointer = pointer
    offsets: dict[str, int] = {}
    above: list[_Wanted | None] = []
    for spot in _spots(text):
        del above[len(spot.stack) :]
        parent = above[-1] if above else None
        node_here = parent.get(spot.stack[-1].part) if parent and spot.stack else None
        if not spot.stack:
            node_here = root
        if node_here is not None and node_here.pointer is not None:
            offsets.setdefault(node_here.pointer, spot.offset)
            if len(offsets) == len(pointers):
                break
        if not spot.is_name and spot.lexeme in "[{":
            above.append(node_here)
    return offsets


def place(text: str, offset: int) -> tuple[int, int]:
    """Return line and column, from 1, of an offset in `text`; only a line feed ends a line."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _places(text: str, offsets: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the place of each of the ascending `offsets`, reading the text once."""
    line, start, before = 1, 0, 0
    for offset in offsets:
        line += text.count("\n", before, offset)
        start = max(start, text.rfind("\n", before, offset) + 1)
        before = offset
        yield line, offset - start + 1
