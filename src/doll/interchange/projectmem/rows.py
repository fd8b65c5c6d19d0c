"""The rows of a log: its lines, each one JSON object, or why a line is none.

Lines end at a line feed and nowhere else: U+2028 and U+0085 occur within texts. One line that
cannot be read says nothing about the others.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from doll.errors import InvalidDocumentError
from doll.interchange import strict_json
from doll.interchange.fitting import Misfit
from doll.interchange.pointers import SURROGATE, join
from doll.interchange.projectmem.fields import KEYS
from doll.records.digest import sha256

MAX_LINE = 8 * 1024 * 1024

TYPES = ("issue", "hypothesis", "attempt", "fix", "decision", "note")
_OUTCOMES = frozenset(["worked", "failed", "partial"])
_TEXTS = KEYS - {"files", "auto_captured"}
_BOM = b"\xef\xbb\xbf"


class Row(NamedTuple):
    """A line that is not blank: its number (from 1), its bytes, its value, or its fault."""

    line: int
    data: bytes
    value: Any
    fault: Misfit | None

    @property
    def pointer(self) -> str:
        """Where it stands in the log."""
        return join("/lines", self.line)

    @property
    def digest(self) -> str:
        """SHA-256 of the line without its end: the same in every copy of the log."""
        return sha256(self.data)

    @property
    def source_id(self) -> str:
        """The id that the source gave it, "" for none."""
        value = self.value.get("id") if isinstance(self.value, dict) else None
        return value if isinstance(value, str) and not SURROGATE.search(value) else ""


def has_mark(data: bytes) -> bool:
    """Return whether a log begins with a byte order mark."""
    return data.startswith(_BOM)


def rows(data: bytes) -> Iterator[Row]:
    """Yield the rows of a log in their order."""
    lines = data.removeprefix(_BOM).split(b"\n")
    for number, whole in enumerate(lines, start=1):
        line = whole.removesuffix(b"\r")
        if line.strip():
            yield _row(number, line, is_last=number == len(lines))


def _row(number: int, line: bytes, *, is_last: bool) -> Row:
    if len(line) > MAX_LINE:
        reason = f"line {number} has more than {MAX_LINE:,} bytes"
        return Row(number, line, None, Misfit("document.too_large", reason))
    try:
        value = strict_json.read(line, f"line {number}").value
    except InvalidDocumentError as error:
        first = error.problems[0]
        torn = "; it is the last line, and torn" if is_last else ""
        return Row(number, line, None, Misfit(first.code, f"line {number}: {first.message}{torn}"))
    fault = _fault(value)
    if fault is not None:
        fault = fault._replace(reason=f"line {number}: {fault.reason}")
    return Row(number, line, value, fault)


def _fault(value: Any) -> Misfit | None:
    """Return why a value is no row of the one profile that is known, or None."""
    if not isinstance(value, dict):
        return Misfit("projectmem.value", "this is no JSON object")
    if unknown := sorted(value.keys() - KEYS):
        listed = ", ".join(f"`{name[:60]}`" for name in unknown[:5])
        word = "key" if len(unknown) == 1 else "keys"
        return Misfit("projectmem.unknown_key", f"no profile knows its {word} {listed}")
    for name in ("type", "summary"):
        if value.get(name) is None:
            return Misfit("projectmem.missing", f"the row has no {name}")
    for name in sorted(value.keys() & _TEXTS):
        if not isinstance(value[name], str | None):
            return Misfit("projectmem.value", f"{name} is no text")
    texts = (leaf for _, leaf in strict_json.leaves(value) if isinstance(leaf, str))
    if any(map(SURROGATE.search, texts)):
        return Misfit("text.surrogate", "it holds half of a surrogate pair, which is no text")
    return _value_fault(value)


def _value_fault(value: dict[str, Any]) -> Misfit | None:
    if value["type"] not in TYPES:
        return Misfit("projectmem.value", f"type is none of {', '.join(TYPES)}")
    if not value["summary"].strip():
        return Misfit("projectmem.missing", "the summary says nothing")
    if value.get("outcome") not in (None, *_OUTCOMES):
        return Misfit("projectmem.value", "outcome is none of worked, failed, partial")
    if not isinstance(value.get("auto_captured"), bool | None):
        return Misfit("projectmem.value", "auto_captured is neither true nor false")
    files = value.get("files")
    if isinstance(files, list):
        if all(isinstance(each, str) for each in files):
            return None
    elif isinstance(files, str | None):
        return None
    return Misfit("projectmem.value", "files is no list of texts")
