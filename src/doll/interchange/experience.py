"""Foreign events as candidates for experience: their names, their times, their texts. Pure.

What an event says of itself is `imported_external`: it can add a warning, never remove one.
Source: docs/vault-format.md, "Names of candidates" and "Experience of unknown time".
"""

import base64
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from doll.records import times
from doll.records.names import TOKEN_LENGTH, slug

UNKNOWN = datetime(1970, 1, 1, tzinfo=UTC)
"""The `at` of an entry whose time nobody knows: never recent, and never a time that was said."""

TIME_UNKNOWN = "time-unknown"
GUESSED = "guessed"

_FUTURE = timedelta(hours=24)
_LINE = 300


class Said(NamedTuple):
    """A foreign text as the summary and the body of an entry; the whole text is in one of them."""

    summary: str
    body: str


def said(text: str) -> Said:
    """Return a text that says something: in the summary where it is one short line."""
    if len(text) <= _LINE and "\n" not in text and "\r" not in text and "\0" not in text:
        return Said(text, "")
    line = next(filter(None, map(str.strip, text.splitlines())), text.strip())
    shown = line if len(line) <= _LINE else f"{line[: _LINE - 1]}…"
    return Said(shown.replace("\0", " "), text)


def moment(text: str | None, as_of: datetime | None) -> datetime | None:
    """Return the moment that an RFC 3339 text names, None for a time that is not to be believed.

    That is one which cannot be read, has no offset, or lies more than 24 hours after `as_of`.
    """
    if text is None:
        return None
    try:
        found = times.parse(text)
        if as_of is not None and found - as_of > _FUTURE:
            return None
        times.stamp(found)
    except (ValueError, OverflowError):
        return None
    return found


def is_exact(text: str, found: datetime | None) -> bool:
    """Return whether doll writes just this text for the moment."""
    return found is not None and times.render_exact(found) == text


def name(at: datetime | None, kind: str, summary: str, digest: str) -> str:
    """Return the stem of a candidate: its time or `unknown`, kind, slug, and 10 base32 characters.

    `digest` is the identity of the entry, SHA-256 as 64 hex digits.
    """
    token = base64.b32encode(bytes.fromhex(digest)).decode().lower()[:TOKEN_LENGTH]
    when = times.stamp(at) if at is not None else "unknown"
    return f"{when}-{kind}-{slug(summary)}-{token}"
