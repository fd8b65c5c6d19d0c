"""The bytes of an entry with values redacted: every other byte as it was. Pure.

The result is held to `services/checking/redacting`, by which `validate`, `verify` and a push know a
redaction: what that rule would not take is not written.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from doll.errors import ConflictError
from doll.records import fences
from doll.records.codec import UnreadableError, values_of
from doll.records.digest import sha256
from doll.records.frontmatter import Block, Value
from doll.records.handler import FrontMatter
from doll.records.splice import splice
from doll.services.checking.redacting import REDACTED, is_redaction
from doll.services.redacting.wanted import BODY, Wanted

_QUOTED = f'"{REDACTED}"'
_EDITOR = "docs/vault-format.md says what a redaction is, to make it in an editor"


class Mark(NamedTuple):
    """What a redaction says of itself: when (aware), by whom (`Name <mail>`), and why."""

    moment: datetime
    identity: str
    reason: str


def redacted(data: bytes, wanted: Sequence[Wanted], mark: Mark) -> bytes:
    """Return the bytes of an entry with these values redacted.

    ConflictError when it is written in a way that the values cannot be replaced alone.
    """
    replaced = _replaced(data, wanted)
    try:
        result = splice(
            replaced,
            {
                "redacted_at": mark.moment,
                "redacted_by": mark.identity,
                "redacted_sha256": sha256(data),
                "redacted_reason": mark.reason,
            },
        )
    except ConflictError as error:
        raise _by_hand(error.message) from error
    if not is_redaction(data, result):
        raise _by_hand("the values cannot be replaced without changing more")
    return result


def texts_of(data: bytes, wanted: Iterable[Wanted]) -> list[str]:
    """Return the texts that are redacted: each value, each element, each line of the body."""
    values, found = values_of(data), list[str]()
    for each in wanted:
        if each.key == BODY and BODY not in values:
            found += fences.body(data.decode()).split("\n")
        else:
            found += _texts(_value(values[each.key], each.part))
    return [text.strip() for text in found if text.strip()]


def _value(value: Value, part: int | str | None) -> Value:
    if isinstance(value, list) and isinstance(part, int):
        return value[part]
    if isinstance(value, dict) and isinstance(part, str):
        return value[part]
    return value


def _texts(value: Value) -> list[str]:
    if isinstance(value, str):
        return value.split("\n")
    items: list[Value] = value if isinstance(value, list) else []
    if isinstance(value, dict):
        items = [*value, *value.values()]
    return [text for item in items for text in _texts(item)]


def _replaced(data: bytes, wanted: Sequence[Wanted]) -> bytes:
    try:
        values = values_of(data)
    except UnreadableError as error:
        raise _by_hand(f"its front matter cannot be read: {error.problems[0].message}") from error
    text = data.decode()
    start, end, body = fences.bounds(text)
    block = FrontMatter().read(text[start:end])
    ends = _ends(text[start:end])
    edits = []
    for each in wanted:
        if each.key == BODY and BODY not in values:
            edits.append((body, len(text), _body(text[body:])))
            continue
        first, last, new = _region(text[start:end], block, ends, each)
        edits.append((start + first, start + last, new))
    parts, done = [], 0
    for first, last, new in sorted(edits):
        parts += [text[done:first], new]
        done = last
    return "".join([*parts, text[done:]]).encode()


def _region(said: str, block: Block, ends: dict[int, int], wanted: Wanted) -> tuple[int, int, str]:
    """Return where in the block the value stands, and what takes its place."""
    pair = block.pairs[wanted.key]
    if said[: pair.key.start].rstrip(" ").endswith("?"):
        raise _by_hand(f"`{wanted.key[:60]}` is written as `? {wanted.key[:60]}`")
    if wanted.part is None:
        last = max(pair.key.end, pair.value.end)
        return pair.key.end, len(said[:last].rstrip()), f": {_QUOTED}"
    begin = block.places[wanted.key, wanted.part]
    if begin not in ends:
        what = f"{wanted} is no text of its own, and only `{wanted.key[:60]}` as a whole can go"
        raise _by_hand(what, f"--field {wanted.key}")
    return begin, max(begin, len(said[: ends[begin]].rstrip())), _QUOTED


def _ends(said: str) -> dict[int, int]:
    """Return where each scalar of a block ends, by where it begins."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(said)
    ends = {}
    while loader.check_event():
        event = loader.get_event()
        if isinstance(event, yaml.ScalarEvent) and event.start_mark and event.end_mark:
            ends[event.start_mark.index] = event.end_mark.index
    return ends


def _body(body: str) -> str:
    newline = "\r\n" if "\r\n" in body else "\n"
    before = newline if body.startswith(("\n", "\r\n")) else ""
    return f"{before}{REDACTED}{newline}"


def _by_hand(why: str, hint: str = _EDITOR) -> ConflictError:
    return ConflictError(
        f"the entry cannot be redacted by doll: {why}; nothing was changed", hint=hint
    )
