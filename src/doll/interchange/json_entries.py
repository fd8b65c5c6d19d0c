"""Large JSON documents read piece by piece, so that their text is never held as a whole.

A foreign store is one object with long lists of objects in it. Its brackets are found in the bytes,
and the lists are decoded a few entries at a time. Whatever is not plainly of this form, or wrong in
any way, is left to whoever reads the whole text: nothing is refused here.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

_PIECE = 256 * 1024
_SPACE = b" \t\r\n"
_UP_TO_A_BRACKET = re.compile(
    rb'(?:[^"\[\]{}]++|"[^"\\]*+(?:\\.[^"\\]*+)*+")*+([\[\]{}])', re.DOTALL
)
_OBJECT, _LIST = b"{", b"["


class _List(NamedTuple):
    """A list of the document's object: where it begins and ends, and the objects in it."""

    start: int
    end: int
    entries: tuple[tuple[int, int], ...]


def read(data: bytes, decode: Callable[[str], Any], max_depth: int) -> dict[str, Any] | None:
    """Return the object that JSON bytes hold, or None where the text has to be read whole.

    `decode` turns JSON text into its value; ValueError for text that is none.
    """
    found: dict[str, Any] | None = None
    try:
        for name, entries in parts(data, decode, max_depth):
            if found is None:
                found = entries[0]
            else:
                found[name].extend(entries)
    except ValueError:
        return None
    return found


def parts(
    data: bytes, decode: Callable[[str], Any], max_depth: int
) -> Iterator[tuple[str, list[Any]]]:
    """Yield the object itself with its lists of objects emptied, under the name "".

    Then some entries of a list at a time, under its name. ValueError where the text has to be read
    whole: at once, but for text that is no JSON, of which it may come late.
    """
    lists = _lists(data, max_depth) or []
    for each in lists:
        _require_separated(data, each)
    found = decode(_without(data, lists)) if lists else None
    names = [name for name, value in found.items() if isinstance(value, list)] if found else []
    if not isinstance(found, dict) or len(names) != len(lists):
        raise ValueError("this is no object with lists of objects in it")
    yield "", [found]
    for name, each in zip(names, lists, strict=True):
        for piece in _pieces(data, each):
            yield name, decode(piece)


def _lists(data: bytes, max_depth: int) -> list[_List] | None:
    """Return the lists that are values of the document's object, in their order."""
    found: list[_List] = []
    entries: list[tuple[int, int]] = []
    depth = start = entry = 0
    opened = b""
    for bracket in _UP_TO_A_BRACKET.finditer(data):
        kind, at = bracket[1], bracket.end() - 1
        if kind in b"[{":
            depth += 1
            if depth > max_depth or (depth == 1 and kind != _OBJECT):
                return None
            if depth == 2:
                opened, start = kind, at
            elif depth == 3 and kind == _OBJECT and opened == _LIST:
                entry = at
            elif depth == 3:
                entry = -1
            continue
        depth -= 1
        if depth == 2 and opened == _LIST and entry >= 0:
            entries.append((entry, at + 1))
        elif depth == 1:
            if opened == _LIST:
                found.append(_List(start, at, tuple(entries)))
            opened, entries = b"", []
        elif depth < 0:
            return None
    return found if depth == 0 else None


def _without(data: bytes, lists: list[_List]) -> str:
    """Return the text of the document with its lists of objects emptied."""
    kept, position = [], 0
    for each in lists:
        if each.entries:
            kept.append(data[position : each.start + 1])
            position = each.end
    kept.append(data[position:])
    return b"".join(kept).decode()


def _pieces(data: bytes, each: _List) -> Iterator[str]:
    """Yield the entries of a list, some at a time, as texts of lists."""
    index = 0
    while index < len(each.entries):
        start, end = each.entries[index]
        index += 1
        while index < len(each.entries) and each.entries[index][1] - start <= _PIECE:
            end = each.entries[index][1]
            index += 1
        yield f"[{data[start:end].decode()}]"


def _require_separated(data: bytes, each: _List) -> None:
    """Raise ValueError unless a list of objects holds nothing else."""
    before, wanted = each.start + 1, b""
    for start, end in each.entries:
        if data[before:start].strip(_SPACE) != wanted:
            raise ValueError("something else stands between the entries")
        before, wanted = end, b","
    if each.entries and data[before : each.end].strip(_SPACE):
        raise ValueError("something else stands behind the entries")
