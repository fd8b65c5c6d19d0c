"""What to write instead: the hint for text that is not in doll's YAML subset.

Looks at the line of a fault; reads no values.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from doll.records.frontmatter import Pair

GENERAL = 'write `key: value` lines; put a value with special characters in "quotes"'
FLAT = 'write one text or a list of texts; put brackets and braces in "quotes"'

_LONG_LINE = 200


class YamlFault(NamedTuple):
    """A fault of a block: where, as an offset into it, and what to write instead."""

    offset: int
    code: str
    message: str
    hint: str


def quoting(text: str, offset: int) -> str:
    """Return the hint that shows the line of `offset` with its value in quotes."""
    begin = text.rfind("\n", 0, offset) + 1
    line = text[begin : begin + _LONG_LINE + 1].partition("\n")[0].rstrip()
    if "\t" in line[: len(line) - len(line.lstrip())]:
        return "indent with spaces, not with tabs"
    head, value = _parts(line)
    if not value or len(line) > _LONG_LINE:
        return GENERAL
    column = offset - begin
    if value[0] in "[{" and column > len(head) and line[column : column + 1] in ("*", "&", "!"):
        entry = re.match(r"[^,\]}]*", line[column:])
        assert entry is not None
        said = _quoted(entry.group().rstrip())
        rest = line[column + len(entry.group().rstrip()) :]
        return f"put the entry in quotes: {line[:column].lstrip()}{said}{rest}"
    return f"put the value in quotes: {head.lstrip()}{_quoted(value)}"


def _parts(line: str) -> tuple[str, str]:
    """Return a line up to its value, and the value; an entry of a list has no key of its own."""
    dash = re.match(r"\s*(?:- +)+", line)
    if dash:
        return dash.group(), line[dash.end() :]
    key, colon, value = line.partition(": ")
    return (f"{key}: ", value.strip()) if colon and key.strip() else (line, "")


def _quoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        value = value[1:-1]
    return json.dumps(value, ensure_ascii=False)


def keys_at(faults: Iterable[YamlFault], pairs: Mapping[str, "Pair"]) -> frozenset[str]:
    """Return the keys of the pairs in which faults lie: their values are not what they say."""
    starts = sorted((pair.key.start, key) for key, pair in pairs.items())
    nearest = (bisect_right(starts, fault.offset, key=lambda start: start[0]) for fault in faults)
    return frozenset(starts[index - 1][1] for index in nearest if index)
