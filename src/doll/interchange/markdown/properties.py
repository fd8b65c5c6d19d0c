"""The properties of a note: the YAML between its fences, read strictly or not at all.

Where they cannot be read without guessing they stay in the text, word for word, and the note is
taken all the same. Nothing here decides what a property means.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from doll.errors import InvalidDocumentError, Problem
from doll.interchange import strict_yaml
from doll.interchange.strict_yaml import Read
from doll.records import fences
from doll.records.limits import MAX_BLOCK_BYTES

_TOO_LARGE = "its properties have more than 64 KiB; they stay in the text"


class Split(NamedTuple):
    """A text and its properties: their values, and the offset where the text behind them begins.

    `problem` says why properties were not read, None where there are none or they were.
    """

    values: Mapping[str, Any]
    body: int
    read: Read | None = None
    problem: Problem | None = None


def split(text: str, path: str) -> Split:
    """Return the properties at the beginning of a text; `path` is its file, for messages."""
    if not fences.is_opened(text):
        return Split({}, 0)
    try:
        start, end, body = fences.bounds(text)
    except fences.UnclosedError:  # a line across the page
        return Split({}, 0)
    block = text[start:end].encode()
    if len(block) > MAX_BLOCK_BYTES:
        problem = Problem(path, 1, 1, "frontmatter.too_large", _TOO_LARGE, "warning")
        return Split({}, 0, problem=problem)
    try:
        read = strict_yaml.read(block, path)
    except InvalidDocumentError as error:
        return Split({}, 0, problem=_told(error.problems[0]))
    if isinstance(read.value, dict):
        return Split(read.value, body, read)
    # No line of it is a property: lines across the page, or fences with nothing in them.
    return Split({}, body if read.value is None else 0, read)


def _told(fault: Problem) -> Problem:
    message = f"its properties stay in the text, since they cannot be read: {fault.message}"
    return fault._replace(line=fault.line + 1, message=message, severity="warning", hint="")
