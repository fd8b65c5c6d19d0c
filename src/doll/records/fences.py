"""The fences of a record file: where its front matter begins and ends, and where its body begins.

Knows no YAML, so that a file of plain lines is read without a parser being loaded.
"""

import re

_OPENING = re.compile(r"\ufeff?---[ \t]*\r?\n")
CLOSING = re.compile(r"^---[ \t]*(?:\r?\n|\r?\Z)", re.MULTILINE)


class UnclosedError(ValueError):
    """The block is opened and never closed."""


def is_opened(text: str) -> bool:
    """Return whether `text` begins with an opening fence."""
    return _OPENING.match(text) is not None


def bounds(text: str) -> tuple[int, int, int]:
    """Return the offsets where the block begins and ends and where the body begins.

    Raises UnclosedError when no closing fence follows, ValueError when none opens.
    """
    opening = _OPENING.match(text)
    if opening is None:
        raise ValueError("no front matter")
    closing = CLOSING.search(text, opening.end())
    if closing is None:
        raise UnclosedError("the front matter is never closed")
    return opening.end(), closing.start(), closing.end()


def body(text: str) -> str:
    """Return what follows the front matter. Raises as `bounds`."""
    return text[bounds(text)[2] :]
