"""Record ids and file names: their grammar, their folding, and the names doll gives.

An id is a file name without `.md`. Source: docs/vault-format.md, "Ids".
"""

import re
import unicodedata
from datetime import datetime

from doll.records import times

MAX_ID_BYTES = 120
MAX_SLUG_BYTES = 60
BASE32 = "abcdefghijklmnopqrstuvwxyz234567"
TOKEN_LENGTH = 10

_PUNCTUATION = frozenset(" ._-()',&+")
_RESERVED = frozenset(
    ["con", "prn", "aux", "nul"] + [f"{port}{n}" for port in ("com", "lpt") for n in range(10)]
)
# Layout: a file of this name explains its folder (docs/vault-format.md, "Names").
_NEVER_A_RECORD = "README"
_PLAIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 ._()',&+-]*[A-Za-z0-9_()',&+-])?")


def fold(record_id: str) -> str:
    """Return the form in which ids are compared: NFC, case-folded.

    Two ids that fold alike would be one file on some file systems.
    """
    if record_id.isascii():
        return record_id.lower()
    composed = unicodedata.normalize("NFC", record_id)
    return unicodedata.normalize("NFC", composed.casefold())


def id_fault(record_id: str) -> str | None:
    """Return what is wrong with `record_id` as an id, in words, or None."""
    size = len(record_id.encode("utf-8", "surrogatepass"))
    if not 1 <= size <= MAX_ID_BYTES:
        return f"it has {size} bytes; an id has 1 to {MAX_ID_BYTES}"
    if record_id.partition(".")[0].rstrip().lower() in _RESERVED:
        return "Windows reserves this name"
    if record_id == _NEVER_A_RECORD:
        return f"{_NEVER_A_RECORD}.md is never a record, so it would have no effect"
    if _PLAIN.fullmatch(record_id):
        return None
    if not _is_letter_or_digit(record_id[0]):
        return "it must begin with a letter or a digit"
    if record_id[-1] in ". ":
        return "it must not end with a dot or a space"
    for character in record_id:
        if not (character in _PUNCTUATION or _is_letter_or_digit(character) or _is_mark(character)):
            return f"it must not contain {character!a}"
    return None


def mended_id(record_id: str) -> str:
    """Return a valid id near to `record_id`, for the `mv` that `validate` proposes."""
    composed = unicodedata.normalize("NFC", record_id)
    if id_fault(composed) is None:
        return composed
    kept = "".join(
        c if _is_letter_or_digit(c) or _is_mark(c) or c in _PUNCTUATION else "-" for c in composed
    )
    kept = _cut(kept.lstrip(" ._-()',&+"), MAX_ID_BYTES).rstrip(". -")
    if not kept:
        return "record"
    if id_fault(kept) is None:
        return kept
    return _cut(f"record-{kept}", MAX_ID_BYTES).rstrip(". -")


def slug(text: str) -> str:
    """Return `text` as part of a file name: lower-case words joined by `-`, at most 60 bytes.

    Letters and digits of every script stay; what is left of text without any is `record`.
    """
    composed = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text[:400]).lower())
    words = "".join(c if _is_letter_or_digit(c) or _is_mark(c) else " " for c in composed).split()
    joined = "-".join(words)
    while joined and not _is_letter_or_digit(joined[0]):
        joined = joined[1:]
    short = _cut(joined, MAX_SLUG_BYTES)
    if len(short) < len(joined) and "-" in short[20:]:
        short = short[: short.rindex("-")]
    short = short.strip("-") or "record"
    return short if id_fault(short) is None else f"record-{short}"


def experience_name(at: datetime, kind: str, summary: str, token: str) -> str:
    """Return an experience id: UTC time, kind, slug and `token` (10 base32 characters)."""
    return f"{times.stamp(at)}-{kind}-{slug(summary)}-{token}"


def _is_letter_or_digit(character: str) -> bool:
    return character.isalpha() or unicodedata.category(character) == "Nd"


def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] == "M"


def _cut(text: str, limit: int) -> str:
    """Return the longest beginning of `text` of at most `limit` UTF-8 bytes, marks kept whole."""
    if len(text.encode()) <= limit:
        return text
    short = text.encode()[:limit].decode("utf-8", "ignore")
    if _is_mark(text[len(short)]):
        while short and _is_mark(short[-1]):
            short = short[:-1]
        short = short[:-1]
    return short
