"""The shape of a redaction: which fields may be redacted, to what, and that all else stands.

The one rule for `validate`, `verify` and pushes. What decides whether and whom an entry warns is
no text that is redacted: a redacted failure still warns. Trailers and commits are for others.
Source: docs/vault-format.md, "Experience is append-only".
"""

from collections.abc import Collection, Mapping
from itertools import pairwise
from typing import NamedTuple

from doll.records import times
from doll.records.checks import is_identity
from doll.records.codec import UnreadableError, parse, values_of
from doll.records.digest import sha256
from doll.records.frontmatter import Block, Value
from doll.records.handler import FrontMatter
from doll.records.model import Experience

REDACTED = "[redacted]"
ADDED = ("redacted_at", "redacted_by", "redacted_sha256", "redacted_reason")
# Fields that hold a person's words and stay valid with `[redacted]` in them. In `paths` it matches
# every path; a key that is no field of experience decides nothing, so it may be redacted as well.
REDACTABLE = frozenset(
    (
        "title",
        "summary",
        "tags",
        "paths",
        "evidence",
        "origin_source",
        "origin_id",
        "claims",
        "review_reason",
    )
)
_TEXTS: tuple[Value, ...] = (REDACTED, [REDACTED])
_QUOTED = (f'"{REDACTED}"', f"'{REDACTED}'")


def is_redaction(before: bytes, after: bytes) -> bool:
    """Return whether `after` is `before` with values redacted, and nothing else changed."""
    try:
        old, new = values_of(before), values_of(after)
    except UnreadableError:
        return False
    if new.get("redacted_sha256") != sha256(before) or any(not new.get(key) for key in ADDED):
        return False
    if not _is_by_a_person(new) or set(new) - set(ADDED) != set(old) - set(ADDED):
        return False
    changed = {key for key in old if key not in ADDED and new[key] != old[key]}
    if not all(_may_become(key, old[key], new[key]) for key in changed):
        return False
    if _is_readable(before) and not _is_readable(after):
        return False
    return _same_elsewhere(_read(before), _read(after), changed)


def _is_by_a_person(new: Mapping[str, Value]) -> bool:
    """Return whether a person redacted, and not before the time of the entry.

    Asked of the values, since an entry that is no record may be redacted as well. Times that cannot
    be read are for the rules of the record.
    """
    by = new["redacted_by"]
    if not isinstance(by, str) or not is_identity(by):
        return False
    try:
        at, moment = (times.parse(str(new.get(key))) for key in ("at", "redacted_at"))
    except ValueError:
        return True
    return at <= moment


def _is_readable(data: bytes) -> bool:
    """Return whether a file is a record: what is none warns of nothing."""
    return parse(data, "", "", "experience").record is not None


def _may_become(key: str, old: Value, new: Value) -> bool:
    """Return whether a redaction may make one value of a field of another.

    Where nothing stands there is nothing to redact: it would narrow what the entry is about.
    """
    is_field = key in Experience.__struct_fields__
    if is_nothing(old) or (is_field and key not in REDACTABLE):
        return False
    if isinstance(old, list):
        return new in _TEXTS or (isinstance(new, list) and _each(old, new))
    if isinstance(old, dict) and isinstance(new, dict):
        return list(old) == list(new) and _each([*old.values()], [*new.values()])
    return new == REDACTED and not (is_field and isinstance(old, dict))


def is_nothing(value: Value) -> bool:
    """Return whether nothing stands there that could be redacted; a flag is something."""
    return not value and value is not False


def _each(old: list[Value], new: list[Value]) -> bool:
    """Return whether each element is kept or redacted."""
    return len(old) == len(new) and all(b in (a, REDACTED) for a, b in zip(old, new, strict=True))


class _Text(NamedTuple):
    """A file that was read: its text, the offsets of its block and body, and the block."""

    text: str
    start: int
    body: int
    block: Block

    def region(self, key: str) -> tuple[int, int]:
        """Return where the value of a key begins and ends, the space before it included."""
        pair = self.block.pairs[key]
        last = self.start + max(pair.key.end, pair.value.end)
        return self.start + pair.key.end, last - len(self.text[:last]) + len(
            self.text[:last].rstrip()
        )

    def elements(self, key: str) -> list[str]:
        """Return the text of a value in parts: what stands before its elements, and each of them.

        An element's part reaches to the next one.
        """
        first, stop = self.region(key)
        places = self.block.places.items()
        begins = [self.start + at for where, at in places if where[0] == key and len(where) == 2]
        cuts = [first, *begins, stop]
        return [self.text[a:b] for a, b in pairwise(cuts)]


def _read(data: bytes) -> _Text:
    text = data.decode()
    start, end, body = FrontMatter().bounds(text)
    return _Text(text, start, body, FrontMatter().read(text[start:end]))


def _same_elsewhere(old: _Text, new: _Text, changed: Collection[str]) -> bool:
    """Return whether both texts are equal but for the changed values and the added lines.

    A body may be replaced as a whole by `[redacted]`; something has to be.
    """
    before, after = _block(old, changed), _block(new, changed)
    if before is None or before != after:
        return False
    if not all(_same_elements(old, new, key) for key in changed):
        return False
    body = new.text[new.body :]
    is_other = body != old.text[old.body :]
    return (is_other or bool(changed)) and (not is_other or body.strip() == REDACTED)


def _same_elements(old: _Text, new: _Text, key: str) -> bool:
    """Return whether a value that is redacted in part has all other bytes as before."""
    value = new.block.values[key]
    if value in _TEXTS:
        return True
    before, after = old.elements(key), new.elements(key)
    return len(before) == len(after) and all(map(_same_element, before, after))


def _same_element(old: str, new: str) -> bool:
    quoted = next((form for form in _QUOTED if new.startswith(form)), None)
    return new == old or (quoted is not None and old.endswith(new.removeprefix(quoted)))


def _block(read: _Text, changed: Collection[str]) -> str | None:
    """Return the front matter without what a redaction writes; None when comments hide there."""
    text, cuts = read.text, []
    for key, pair in read.block.pairs.items():
        first, stop = read.region(key)
        said = text[first:stop]
        if key in ADDED:
            line_end = text.find("\n", stop) + 1
            if "\n" in said or text[stop:line_end].strip():
                return None
            cuts.append((text.rfind("\n", 0, read.start + pair.key.start) + 1, line_end))
        elif key in changed:
            if read.block.values[key] in _TEXTS and "#" in said:
                return None
            cuts.append((first, stop))
    rest, done = "", 0
    for first, stop in sorted(cuts):
        rest += text[done:first]
        done = stop
    return rest + text[done : read.body]
