"""Splice edits: change some front matter values of a file and leave every other byte alone.

Comments, key order, quoting, indentation and line endings of the rest stay as the user wrote them.
"""

from collections.abc import Mapping

from doll.errors import ConflictError
from doll.records.codec import UnreadableError, values_of
from doll.records.frontmatter import Block, BlockError, Pair
from doll.records.handler import FrontMatter, Plain, entry


class _Edit:
    """One replacement of the characters from `start` to `end` of the whole text."""

    def __init__(self, start: int, end: int, text: str) -> None:
        self.start, self.end, self.text = start, end, text


def splice(data: bytes, changes: Mapping[str, Plain]) -> bytes:
    """Return `data` with the front matter values in `changes` set; None removes a key.

    A key that stands in the file keeps its place; a new one becomes the block's last line. Raises
    ConflictError when the file cannot be read whole or the result would not read back as meant:
    then nothing may be written.
    """
    text = _decoded(data)
    handler = FrontMatter()
    try:
        start, end, _ = handler.bounds(text)
        block = handler.read(text[start:end])
    except (ValueError, BlockError) as error:
        raise ConflictError(
            f"the front matter cannot be read, so it is not edited: {error}",
            hint="mend the file first: `doll validate` names the line",
        ) from error
    newline = "\r\n" if text[:end].endswith("\r\n") else "\n"
    edits = [
        _edit(text, start, end, block, key, value, newline)
        for key, value in changes.items()
        if key in block.pairs or value is not None
    ]
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    result = text.encode()
    _check(block, changes, result)
    return result


def _edit(
    text: str, start: int, end: int, block: Block, key: str, value: Plain, newline: str
) -> _Edit:
    pair = block.pairs.get(key)
    lines = "" if value is None else entry(key, value).replace("\n", newline)
    if pair is None:
        return _Edit(end, end, lines + newline)
    first = start + pair.key.start
    last = start + max(pair.value.end, pair.key.end)
    if value is None or "\n" in lines or pair.block_style or _is_multiline(text, first, last):
        stop = _line_end(text, last, start + _next_key(block, pair, end - start))
        return _Edit(first, stop, lines + newline if lines else "")
    if pair.value.start == pair.value.end:
        colon = text.index(":", start + pair.key.end) + 1
        return _Edit(colon, colon, lines[len(key) + 1 :])
    return _Edit(start + pair.value.start, last, lines[len(key) + 2 :])


def _is_multiline(text: str, first: int, last: int) -> bool:
    return "\n" in text[first:last]


def _next_key(block: Block, pair: Pair, end: int) -> int:
    later = (other.key.start for other in block.pairs.values())
    return min((offset for offset in later if offset > pair.key.start), default=end)


def _line_end(text: str, last: int, limit: int) -> int:
    """Return where the line of the offset `last` ends, its line feed included."""
    if last > 0 and text[last - 1] == "\n":  # a block scalar's end lies after its line feed
        return min(last, limit)
    found = text.find("\n", last)
    return min(found + 1, limit) if found >= 0 else limit


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise ConflictError(
            "the file is not UTF-8, so it is not edited", hint="save it as UTF-8 first"
        ) from error


def _check(before: Block, changes: Mapping[str, Plain], result: bytes) -> None:
    wanted: dict[str, object] = dict(before.values)
    for key, value in changes.items():
        if value is None:
            wanted.pop(key, None)
        else:
            wanted[key] = _as_read(key, value)
    try:
        found = values_of(result)
    except UnreadableError as error:
        raise _refused() from error
    if found != wanted:
        raise _refused()


def _refused() -> ConflictError:
    return ConflictError(
        "the front matter is written in a way that doll cannot edit safely",
        hint="make the change in a text editor",
    )


def _as_read(key: str, value: Plain) -> object:
    handler = FrontMatter()
    return handler.load(entry(key, value))[key]
