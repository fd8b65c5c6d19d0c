"""References that name a record by its new id: only these names change, every other byte stays.

Pure. Brackets, labels, quotes, comments and the style of a list stay as the user wrote them.
"""

import re
from collections.abc import Iterable, Iterator

from doll.records.codec import UnreadableError, values_of
from doll.records.frontmatter import Block
from doll.records.handler import FrontMatter, inline
from doll.records.names import fold
from doll.records.references import plain
from doll.records.splice import splice

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\']|\'\')*\'')


def repoint(data: bytes, fields: Iterable[str], old: str, new: str) -> bytes:
    """Return a record's file with `new` where a reference in `fields` names `old`.

    Raises ConflictError as `splice` does, where the file cannot be edited safely.
    """
    wanted = {field: _renamed(value, old, new) for field, value in _references(data, fields)}
    result = _in_place(data, wanted, old, new)
    return splice(data, wanted) if result is None else result


def _references(data: bytes, fields: Iterable[str]) -> Iterator[tuple[str, str | list[str]]]:
    """Yield the fields of a file that hold references, with what they hold."""
    values = values_of(data)
    for field in fields:
        value = values.get(field)
        if isinstance(value, str):
            yield field, value
        elif isinstance(value, list) and value:
            yield field, [item for item in value if isinstance(item, str)]


def _renamed(value: str | list[str], old: str, new: str) -> str | list[str]:
    if isinstance(value, str):
        return _name(value, old, new)
    return [_name(item, old, new) for item in value]


def _name(name: str, old: str, new: str) -> str:
    """Return a reference with the new id in it, where it names the old one."""
    said = plain(name)
    return name.replace(said, new, 1) if fold(said) == fold(old) else name


def _in_place(data: bytes, wanted: dict[str, str | list[str]], old: str, new: str) -> bytes | None:
    """Return the file with just the names replaced, None where one is written in a way of its own.

    What comes out is read again: it has to say what is wanted, and nothing else may differ.
    """
    text = data.decode()
    handler = FrontMatter()
    start, end, _ = handler.bounds(text)
    edits = []
    block = handler.read(text[start:end])
    for offset, item in _items(block, wanted):
        renamed = _name(item, old, new)
        if renamed == item:
            continue
        written = _written(text, start + offset, item)
        if written is None:
            return None
        edits.append((start + offset, written, _like(written, renamed, new)))
    for offset, before, after in sorted(edits, reverse=True):
        text = text[:offset] + after + text[offset + len(before) :]
    result = text.encode()
    try:
        found = values_of(result)
    except UnreadableError:
        return None
    return result if found == {**block.values, **wanted} else None


def _items(block: Block, fields: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield the references of a block, each with its offset."""
    for field in fields:
        value = block.values[field]
        if isinstance(value, str):
            yield block.pairs[field].value.start, value
        elif isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, str):
                    yield block.places[field, index], item


def _written(text: str, offset: int, item: str) -> str | None:
    """Return the source of a scalar on one line, None where it is written over several."""
    if found := _QUOTED.match(text, offset):
        return found.group()
    return item if text.startswith(item, offset) else None


def _like(written: str, name: str, new: str) -> str:
    """Return a reference as YAML text: in the quotes that stood there, or without, if it can be."""
    quote = written[0]
    if quote in "\"'":
        fits = not {quote, "\\"} & set(name) and name.isprintable()
        return f"{quote}{name}{quote}" if fits else inline([name])[1:-1]
    return name if inline([new]) == f"[{new}]" else inline([name])[1:-1]
