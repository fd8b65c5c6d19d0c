"""Splice edits: change some front matter values of a file and leave every other byte alone.

Comments, key order, quoting, indentation and line endings of the rest stay as the user wrote them.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from doll.errors import ConflictError, UsageError
from doll.records.codec import UnreadableError, values_of
from doll.records.frontmatter import Block, BlockError, Pair
from doll.records.handler import FrontMatter, Plain, entry, inline

_TOO_LARGE = ("frontmatter.too_large", "file.too_large")


class _Edit(NamedTuple):
    """One replacement of the characters from `start` to `end` of the whole text."""

    start: int
    end: int
    text: str


class _Source(NamedTuple):
    """A text with its block between `start` and `end`, and the style of its lines."""

    text: str
    start: int
    end: int
    block: Block
    newline: str
    indent: str

    def lines(self, key: str, value: Plain) -> str:
        """Return the lines that say `key: value`, the last line end included."""
        said = entry(key, value).replace("\n", f"\n{self.indent}")
        return f"{self.indent}{said}\n".replace("\n", self.newline)


def splice(data: bytes, changes: Mapping[str, Plain]) -> bytes:
    """Return `data` with the front matter values in `changes` set; None removes a key.

    A key that stands in the file keeps its place; a new one becomes the block's last line. Raises
    ConflictError when the file cannot be read whole or the result would not read back as meant:
    then nothing may be written. Raises UsageError for text that UTF-8 cannot hold.
    """
    source = _source(data)
    there = [
        _edit(source, key, value) for key, value in changes.items() if key in source.block.pairs
    ]
    new = [
        _Edit(source.end, source.end, source.lines(key, value))
        for key, value in changes.items()
        if key not in source.block.pairs and value is not None
    ]
    parts, done = [], 0
    for edit in [*sorted(there, key=lambda edit: edit.start), *new]:
        parts += [source.text[done : edit.start], edit.text]
        done = edit.end
    try:
        result = "".join([*parts, source.text[done:]]).encode()
    except UnicodeEncodeError as error:
        raise UsageError(
            "a value holds a byte that is not UTF-8, or half of a character",
            hint="type it as UTF-8",
        ) from error
    _check(source.block, changes, result)
    return result


def _source(data: bytes) -> _Source:
    try:
        values_of(data)
    except UnreadableError as error:
        first = error.problems[0]
        raise ConflictError(
            f"the file cannot be read whole, so it is not edited: line {first.line}, "
            f"{first.message}",
            hint=first.hint or "mend the file first: `doll validate` names the line",
        ) from error
    text = data.decode()
    handler = FrontMatter()
    start, end, _ = handler.bounds(text)
    block = handler.read(text[start:end])
    newline = "\r\n" if text[:end].endswith("\r\n") else "\n"
    first_key = min((pair.key.start for pair in block.pairs.values()), default=0)
    margin = text[text.rfind("\n", 0, start + first_key) + 1 : start + first_key]
    return _Source(text, start, end, block, newline, "" if margin.strip() else margin)


def _edit(source: _Source, key: str, value: Plain) -> _Edit:
    text, start, block = source.text, source.start, source.block
    pair = block.pairs[key]
    last = start + max(pair.value.end, pair.key.end)
    if value is None:
        return _whole(source, pair, "")
    if pair.block_style:
        by_line = _added(source, pair, block.values[key], value) or _dropped(source, key, value)
        return by_line or _whole(source, pair, source.lines(key, value))
    if isinstance(value, Mapping):
        return _whole(source, pair, source.lines(key, value))
    if pair.value.start == pair.value.end:
        colon = text.index(":", start + pair.key.end) + 1
        return _Edit(colon, colon, f" {inline(value)}")
    return _Edit(start + pair.value.start, last, inline(value))


def _whole(source: _Source, pair: Pair, lines: str) -> _Edit:
    """Replace the lines of a pair; what is empty below its last text stays."""
    text, begin = source.text, source.start + pair.key.start
    first = text.rfind("\n", 0, begin) + 1
    if text[first:begin].strip():
        first = begin
    return _Edit(first, _line_end(source, pair), lines)


def _line_end(source: _Source, pair: Pair) -> int:
    """Return where the line of the last character of a pair ends, its line feed included."""
    begin = source.start + pair.key.start
    last = source.start + max(pair.value.end, pair.key.end)
    last = begin + len(source.text[begin:last].rstrip())
    return source.text.find("\n", last, source.end) + 1 or source.end


def _added(source: _Source, pair: Pair, old: object, new: Plain) -> _Edit | None:
    """Return the edit that only adds entries to a block list, or None when more has to change."""
    if isinstance(new, str | bool | datetime | Mapping) or new is None or not isinstance(old, list):
        return None
    items = list(new)
    dash = source.start + pair.value.start
    margin = source.text[source.text.rfind("\n", 0, dash) + 1 : dash]
    if items[: len(old)] != old or margin.strip():
        return None
    end = _line_end(source, pair)
    added = "".join(f"{margin}- {inline(item)}{source.newline}" for item in items[len(old) :])
    return _Edit(end, end, added)


def _dropped(source: _Source, key: str, new: Plain) -> _Edit | None:
    """Return the edit that only takes lines of entries out of a block list, or None."""
    old, pair = source.block.values[key], source.block.pairs[key]
    if not isinstance(old, list) or not isinstance(new, list | tuple) or not new:
        return None
    lines, wanted, done = [], list(new), source.start + pair.value.start
    for index, item in enumerate(old):
        if wanted[:1] == [item]:
            wanted.pop(0)
            continue
        first = source.text.rfind("\n", 0, source.start + source.block.places[key, index]) + 1
        last = source.text.find("\n", first, source.end) + 1 or source.end
        lines.append((first, last))
    begin, end = lines[0][0] if lines else done, _line_end(source, pair)
    kept, done = "", begin
    for first, last in lines:
        kept, done = kept + source.text[done:first], last
    kept += source.text[done:end]
    block = source.text[source.start : begin] + kept + source.text[end : source.end]
    try:
        found = FrontMatter().load(block).get(key)
    except BlockError:
        return None
    return _Edit(begin, end, kept) if not wanted and found == list(new) else None


def _check(before: Block, changes: Mapping[str, Plain], result: bytes) -> None:
    wanted: dict[str, object] = dict(before.values)
    try:
        for key, value in changes.items():
            if value is None:
                wanted.pop(key, None)
            else:
                wanted[key] = _as_read(key, value)
        found = values_of(result)
    except BlockError as error:
        first = error.faults[0]
        raise _refused(first.message, first.code, first.hint) from error
    except UnreadableError as error:
        problem = error.problems[0]
        raise _refused(problem.message, problem.code, problem.hint) from error
    if found != wanted:
        raise _refused("other values would change with it")


def _refused(reason: str, code: str = "", hint: str = "") -> ConflictError:
    if code in _TOO_LARGE:
        return ConflictError(
            f"there is no room in the file: with the change {reason}",
            hint=hint or "make it shorter",
        )
    return ConflictError(
        f"the front matter is written in a way that doll cannot edit safely: {reason}",
        hint="make the change in a text editor",
    )


def _as_read(key: str, value: Plain) -> object:
    handler = FrontMatter()
    return handler.load(entry(key, value))[key]
