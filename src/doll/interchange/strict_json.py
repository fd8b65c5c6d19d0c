"""JSON read strictly: what is not exactly one JSON text is refused, with its place.

No duplicate names, no NaN, bounded size, depth and digits, so that no input takes long or ends
in a traceback. Numbers keep the text that the source wrote. Halves of surrogate pairs, which JSON
can write and UTF-8 cannot, are passed on: their entries are parked, not their documents refused.
Source: RFC 8259; the bounds are doll's own.
"""

import codecs
import json
import re
from collections.abc import Iterator
from json.encoder import encode_basestring, encode_basestring_ascii
from typing import Any, NamedTuple, Self

from doll.errors import InvalidDocumentError, Problem
from doll.interchange import json_entries, json_places
from doll.interchange.pointers import SURROGATE, escaped
from doll.interchange.refusals import refused

MAX_BYTES = 256 * 1024 * 1024
MAX_DEPTH = 64
MAX_DIGITS = 100
LARGE = 1024 * 1024

_MAX_POINTER = 2000
_BOM = "\ufeff"
_PACKED = {b"PK\x03\x04": "a zip archive", b"\x1f\x8b": "a gzip archive"}
_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?'
_NO_BRACKETS = re.compile(rf'(?:[^"\[\]{{}}]++|{_STRING})++', re.DOTALL)
_BRACKET_OR_TEXT = re.compile(rf"{_STRING}|[\[\]{{}}]", re.DOTALL)


class Number(float):
    """A number whose text is not the shortest one of its value, such as `0.950` or `1e2`."""

    __slots__ = ("text",)
    text: str

    def __new__(cls, text: str) -> Self:
        """Return the number that `text` writes."""
        number = super().__new__(cls, text)
        number.text = text
        return number


class Read(NamedTuple):
    """The value of a JSON text, and notes about the file."""

    value: Any
    notes: tuple[Problem, ...]


def read(data: bytes, name: str) -> Read:
    """Return the value of the JSON text `data`; `name` is the file's name for messages.

    Raises InvalidDocumentError with the problems that stand in the way, each with line, column
    and, where the text has one, the pointer.
    """
    if LARGE < len(data) <= MAX_BYTES:
        found = _by_entries(data, name)
        if found is not None:
            return found
    text, notes = decoded(data, name)
    _refuse_depth(text, name)
    reader = _Reader()
    try:
        value = reader.decoder.decode(text)
    except json.JSONDecodeError as error:
        raise _not_json(error, text, name) from error
    if reader.suspicious:
        problems, more = json_places.faults(text, name, MAX_DIGITS)
        raise refused(f"{name} cannot be read without guessing", problems, unexamined=more)
    return Read(value, notes)


def _by_entries(data: bytes, name: str) -> Read | None:
    """Return what `read` would, or None where something is wrong, for `read` to say what."""
    reader = _Reader()
    bare = data.removeprefix(codecs.BOM_UTF8)
    value = json_entries.read(bare, reader.decoder.decode, MAX_DEPTH)
    if value is None or reader.suspicious:
        return None
    return Read(value, () if len(bare) == len(data) else (_skipped(name),))


class _Reader:
    """A decoder that notes whether something stands in the text that `faults` must find."""

    def __init__(self) -> None:
        self.suspicious = False
        self.decoder = json.JSONDecoder(
            object_pairs_hook=self._object,
            parse_float=_number,
            parse_int=self._integer,
            parse_constant=self._constant,
        )

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            self.suspicious = True
        return found

    def _integer(self, text: str) -> int | float:
        if len(text) > MAX_DIGITS:
            self.suspicious = True
            return 0
        return Number(text) if text == "-0" else int(text)

    def _constant(self, _text: str) -> None:
        self.suspicious = True


def _number(text: str) -> float:
    value = float(text)
    return value if repr(value) == text else Number(text)


def decoded(data: bytes, name: str) -> tuple[str, tuple[Problem, ...]]:
    """Return the text of UTF-8 bytes without its byte order mark, which is a note.

    Raises InvalidDocumentError for what is too large, an archive, or no UTF-8.
    """
    if len(data) > MAX_BYTES:
        size = f"the file has more than {MAX_BYTES:,} bytes, the most that are read"
        hint = "export less at a time"
        problem = Problem(name, 0, 0, "document.too_large", size, hint=hint)
        raise InvalidDocumentError(f"{name} is too large", hint=hint, problems=[problem])
    for start, kind in _PACKED.items():
        if data.startswith(start):
            hint = "unpack it, and import the .json file that is in it"
            problem = Problem(name, 1, 1, "json.syntax", f"this is {kind}, and no JSON", hint=hint)
            raise InvalidDocumentError(f"{name} is {kind}", hint=hint, problems=[problem])
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise _not_utf8(data, error, name) from error
    if not text.startswith(_BOM):
        return text, ()
    return text[1:], (_skipped(name),)


def _skipped(name: str) -> Problem:
    message = "the file begins with a byte order mark; it was skipped"
    return Problem(name, 1, 1, "file.bom", message, "note")


def _not_utf8(data: bytes, error: UnicodeDecodeError, name: str) -> InvalidDocumentError:
    line = data.count(b"\n", 0, error.start) + 1
    column = len(data[data.rfind(b"\n", 0, error.start) + 1 : error.start].decode()) + 1
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:4]:
        message = "the file is UTF-16 or UTF-32, not UTF-8"
    else:
        message = f"the byte 0x{data[error.start]:02x} is not UTF-8"
    hint = "export it again as UTF-8, or convert it, for instance with iconv -t UTF-8"
    problem = Problem(name, line, column, "file.not_utf8", message, hint=hint)
    return InvalidDocumentError(f"{name} is not UTF-8 text", hint=hint, problems=[problem])


def _refuse_depth(text: str, name: str) -> None:
    depth = 0
    for bracket in _NO_BRACKETS.sub("", text):
        depth += 1 if bracket in "[{" else -1
        if depth > MAX_DEPTH:
            line, column = json_places.place(text, _too_deep(text))
            message = f"values are nested deeper than {MAX_DEPTH} levels"
            problem = Problem(name, line, column, "json.too_deep", message)
            raise InvalidDocumentError(f"{name} is nested too deep", problems=[problem])


def _too_deep(text: str) -> int:
    """Return the offset of the first bracket below `MAX_DEPTH` others."""
    depth = 0
    for found in _BRACKET_OR_TEXT.finditer(text):
        if not found.group().startswith('"'):
            depth += 1 if found.group() in "[{" else -1
            if depth > MAX_DEPTH:
                return found.start()
    return len(text)


def _not_json(error: json.JSONDecodeError, text: str, name: str) -> InvalidDocumentError:
    code, message, hint = "json.syntax", f"this is not JSON: {error.msg}", ""
    if not text.strip():
        code, message = "json.truncated", "the file is empty"
    elif error.msg == "Extra data":
        code, message = "json.trailing", "more text follows after the end of the document"
        hint = "the file may hold two documents, or the rest of an older one: export it again"
    elif error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        code, message = "json.truncated", "the document ends before it is complete"
    if code == "json.truncated":
        hint = "the file was cut off: export, download or copy it again"
    problem = Problem(name, error.lineno, error.colno, code, message, hint=hint)
    return InvalidDocumentError(f"{name} is not valid JSON", hint=hint, problems=[problem])


def text_of(value: Any) -> str:
    """Return the JSON text of a value that `read` gave: numbers as the source wrote them."""
    if isinstance(value, str):
        broken = SURROGATE.search(value) is not None
        return encode_basestring_ascii(value) if broken else encode_basestring(value)
    if isinstance(value, Number):
        return value.text
    if isinstance(value, list):
        return f"[{', '.join(text_of(item) for item in value)}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{text_of(k)}: {text_of(v)}' for k, v in value.items())}}}"
    return json.dumps(value)


def document_leaves(data: bytes, name: str) -> Iterator[tuple[str, Any]]:
    """Yield what `leaves` does of the value of the JSON text `data`; raises what `read` does.

    Of a large document only some entries are held at a time, and their lists come last.
    """
    if LARGE < len(data) <= MAX_BYTES:
        reader = _Reader()
        try:
            yield from _leaves_by_entries(data.removeprefix(codecs.BOM_UTF8), reader)
        except ValueError:
            reader.suspicious = True
        if not reader.suspicious:
            return
    yield from leaves(read(data, name).value)


def _leaves_by_entries(data: bytes, reader: _Reader) -> Iterator[tuple[str, Any]]:
    parts = json_entries.parts(data, reader.decoder.decode, MAX_DEPTH)
    _, (whole,) = next(parts)
    yield from leaves(whole)
    counts: dict[str, int] = {}
    for listed, entries in parts:
        first = counts.get(listed, 0)
        counts[listed] = first + len(entries)
        for index, entry in enumerate(entries, first):
            yield from leaves(entry, _below(_below("", listed), index))


def leaves(value: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every scalar in `value` with its pointer, and before them each name of a property.

    Depth is bounded by `read`. Below a pointer of 2,000 characters the pointer of the ancestor
    stands for all, so that a long name costs its length once.
    """
    if isinstance(value, dict):
        for name, item in value.items():
            below = _below(pointer, name)
            yield below, name
            yield from leaves(item, below)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, _below(pointer, index))
    else:
        yield pointer, value


def _below(pointer: str, part: str | int) -> str:
    name = escaped(part) if isinstance(part, str) else str(part)
    return pointer if len(pointer) + len(name) > _MAX_POINTER else f"{pointer}/{name}"
