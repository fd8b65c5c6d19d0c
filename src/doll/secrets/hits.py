"""`Hit`: where a secret stands, and of which kind. Never the secret itself.

Nothing here, and nothing that is made from it, carries the text that was found: a hit can be
printed, logged and written to a report.
"""

from typing import NamedTuple


class Hit(NamedTuple):
    """One place that looks like a secret.

    `detector` stands in `doll.secrets.DETECTORS`. `line` and `column` count from 1 in characters
    of the text that was scanned (lines end with `\\n`); `start` and `end` are the half-open range
    of the value in that text. `pointer` is an RFC 6901 JSON Pointer where a parsed document was
    scanned, and line, column and range then count within that string.
    """

    detector: str
    line: int
    column: int
    pointer: str = ""
    start: int = 0
    end: int = 0


class Span(NamedTuple):
    """A half-open range of a text that one detector objects to."""

    start: int
    end: int
    detector: str
