"""Can a record file hold this entry exactly? Where not, why: the entry is then parked.

The codec is the judge. Reading back every candidate would double the time of an import, so it is
asked only about those that could fail; a property test holds the two to each other.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from doll.interchange.pointers import SURROGATE, encodable
from doll.interchange.strict_json import Number, leaves
from doll.records import codec
from doll.records.limits import MAX_BLOCK_BYTES, MAX_FILE_BYTES, ROOM_FOR_REVIEW
from doll.records.model import Fields

MAX_INTEGER = 2**53 - 1

# Below these no escape and no line's own characters can lead to a limit of the codec: a character
# has at most six bytes in front matter, and a line at most ten of its own.
_MANY_CHARACTERS = 10_000
_LINE_OVERHEAD = 10
_LONG_KEY = 100
_NO_ROOM = "would have no room left for the lines of a review"


class Misfit(NamedTuple):
    """Why a record file cannot hold an entry: a problem code and a sentence."""

    code: str
    reason: str


def misfit(fields: Fields, body: str) -> Misfit | None:
    """Return why no record file can hold these fields and this body exactly, or None."""
    if "\0" in body:
        return Misfit("file.nul", "the text holds a NUL byte, which no Markdown record can hold")
    if not _could_fail(fields, body):
        return None
    data = codec.render(fields, body)
    parsed = codec.parse(data, "", "candidate", None)
    errors = [problem for problem in parsed.problems if problem.severity == "error"]
    if errors:
        return Misfit(errors[0].code, f"as a record it could not be read: {errors[0].message}")
    if parsed.record is None or parsed.body != body or _plain(parsed.record.fields) != fields:
        return Misfit("candidate.not_exact", "as a record it would not read back exactly")
    if len(data) > MAX_FILE_BYTES - ROOM_FOR_REVIEW:
        return Misfit("file.too_large", f"as a record {_NO_ROOM}")
    if len(data) - len(body.encode()) > MAX_BLOCK_BYTES - ROOM_FOR_REVIEW:
        return Misfit("frontmatter.too_large", f"its front matter {_NO_ROOM}")
    return None


def no_digest(entry: Any) -> Misfit:
    """Return why `entry`, a JSON value without an RFC 8785 form, has none."""
    for pointer, leaf in leaves(entry):
        if isinstance(leaf, str) and SURROGATE.search(leaf):
            reason = "holds half of a surrogate pair, which is no Unicode text"
            return Misfit("text.surrogate", f"{encodable(pointer)} {reason}")
        if isinstance(leaf, int | float) and not _exact(leaf):
            reason = "is a number that a double cannot hold, so the entry has no RFC 8785 form"
            return Misfit("json.number", f"{encodable(pointer)} {reason}")
    raise ValueError("the entry has an RFC 8785 form")


def _exact(number: float | Number) -> bool:
    if isinstance(number, int):
        return abs(number) <= MAX_INTEGER
    return number - number == 0


def _could_fail(fields: Fields, body: str) -> bool:
    return (
        len(body) >= MAX_FILE_BYTES // 4 - _MANY_CHARACTERS
        or "\n>>>>>>> " in body
        or sum(len(text) + _LINE_OVERHEAD for text in _texts(fields)) > _MANY_CHARACTERS
        or any(len(key) > _LONG_KEY for key in fields.claims)
    )


def _texts(fields: Fields) -> Iterator[str]:
    for value in (fields.title, fields.summary, fields.origin_source, fields.origin_id):
        yield value or ""
    yield from fields.tags
    for key, text in fields.claims.items():
        yield key
        yield text


def _plain(fields: Fields) -> Fields:
    return msgspec.structs.replace(fields, schema=None)
