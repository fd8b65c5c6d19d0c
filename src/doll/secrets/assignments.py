"""Finds secrets by their name: `password = "…"`, `api_key: …`, `--token …`, "the password is …".

The names are matched on lower-cased text of the same length, the values on the text itself.
detect-secrets has a KeywordDetector for this; it is not used, since it takes any quoted text for
a secret (`"password": "policy was discussed"`), misses unquoted values in notes, and needs
quadratic time on long lines.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from doll.secrets import names, values
from doll.secrets.hits import Span

_VALUE = re.compile(
    r"[ \t]{0,4}[*_]{0,2}[ \t]?:?[ \t]?(?:(?i:bearer|basic|token) )?"
    r"(?:@?(\\?[\"'`])|([!#-&(-+\--:=?-\[\]-_a-{}-\u024f]{1,64}))"
)
_REST = re.compile(r"[^\s\"'`,;<>|\\]*")
_LONGEST_BARE = 64
_LONGEST_QUOTED = 256


class _Value(NamedTuple):
    start: int
    end: int
    quoted: bool


def find(text: str, lowered: str) -> Iterator[Span]:
    """Yield the values that stand beside a telling name; `lowered` has the length of `text`."""
    for pattern in (names.named(), names.option()):
        position = 0
        while match := pattern.search(lowered, position):
            position = match.end()
            value = _value_at(text, position)
            if value is None:
                continue
            span = _judge(text, lowered, match, value)
            if span is not None:
                yield span
            # A refused value is not read again and again by the names inside it: half of it is
            # passed over, which keeps the whole linear.
            position = max(position, span.end if span else (value.start + value.end) // 2)


def _judge(text: str, lowered: str, match: re.Match[str], value: _Value) -> Span | None:
    context = _context(match, value)
    password = names.is_password(match.group(1))
    if not values.is_secret(text[value.start : value.end], password=password, context=context):
        return None
    if names.is_harmless(lowered, match):
        return None
    if context == "prose":
        kind = "secret-in-text"
    else:
        kind = "password-assignment" if password else "secret-assignment"
    return Span(value.start, _end(text, value), kind)


def _context(match: re.Match[str], value: _Value) -> values.Context:
    operator = match.group(2) if match.re is names.named() else "="
    if operator[0] in "=:：＝":
        if value.quoted:
            return "quoted"
        return "env" if operator[0] in "=＝" else "plain"
    return "plain" if operator == "|" else "prose"


def _value_at(text: str, position: int) -> _Value | None:
    """Return the value that begins at `position`; None for none, or one too short to matter."""
    match = _VALUE.match(text, position)
    if match is None:
        return None
    if match.group(1):
        start = match.end()
        end = text.find(match.group(1), start, start + _LONGEST_QUOTED)
        return _Value(start, end, quoted=True) if end - start >= values.SHORTEST else None
    start, end = match.span(2)
    if end - start < values.SHORTEST:
        return None
    value = match.group(2)
    if "&" in value and "?" in text[max(0, position - 60) : position]:
        value = value.partition("&")[0]
    value = value.rstrip("*_.:)]}")
    return (
        _Value(start, start + len(value), quoted=False) if len(value) >= values.SHORTEST else None
    )


def _end(text: str, value: _Value) -> int:
    """Return the end of the value, beyond the part that was judged if it is longer."""
    if value.quoted or value.end - value.start < _LONGEST_BARE:
        return value.end
    rest = _REST.match(text, value.end)
    return rest.end() if rest else value.end
