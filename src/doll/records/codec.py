"""The codec: a record file's bytes to a record with all its problems, and fields to bytes.

`parse(render(fields, body))` gives back the fields and the body. Every problem of a file is
reported at once, at its line and column in the file. Nothing here touches the disk.
"""

import functools
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from doll.errors import Problem
from doll.records import checks
from doll.records.digest import sha256
from doll.records.fields import fields_of
from doll.records.frontmatter import Block, BlockError, Value, place, problems_of, read_flat
from doll.records.limits import MAX_FILE_BYTES
from doll.records.model import STRUCTS, TYPES, Fields, Record, RecordType

if TYPE_CHECKING:
    from doll.records.handler import FrontMatter

SCHEMA = re.compile(r"doll/([a-z-]+)/([0-9]+)")

_CONFLICT = re.compile(r"^<{7} .*\n(?:.*\n)*?={7}\r?\n(?:.*\n)*?>{7} ", re.MULTILINE)
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.+?)[ \t#]*$", re.MULTILINE)
_BOM = "\ufeff"


class Parsed(NamedTuple):
    """What a file holds: the record, unless a problem is an error, all problems, and the body."""

    record: Record | None
    problems: tuple[Problem, ...]
    body: str


class UnreadableError(ValueError):
    """The front matter cannot be read; `problems` say where and why."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__()
        self.problems = problems


def parse(data: bytes, path: str, record_id: str, expected: RecordType | None) -> Parsed:
    """Read the bytes of one record file.

    `path` (relative to the vault) is used for messages, `record_id` becomes the record's id,
    `expected` is the type that the folder says, or None where only `schema` can say it.
    """
    try:
        text, warnings = _decode(data, path)
        start, end, body_start = _bounds(text, path)
        values, lines = read_flat(text[start:end]) or _read(text, start, end, path)
        record_type, faults = _type_of(values, expected)
        if record_type is not None:
            fields, found = _fields(values, record_type, path)
            faults += found
        problems = [*warnings, *_placed(faults, text, start, end, path)]
    except UnreadableError as error:
        return Parsed(None, error.problems, "")
    problems.sort()
    body = text[body_start:]
    if record_type is None or any(p.severity == "error" for p in problems):
        return Parsed(None, tuple(problems), body)
    assert fields is not None
    name = fields.title or fields.summary or _first_heading(body) or record_id
    # The block begins on the second line of the file.
    in_file = {key: line + 2 for key, line in lines.items()}
    record = Record(record_id, path, record_type, sha256(data), name, fields, in_file)
    return Parsed(record, tuple(problems), body)


def render(fields: Fields, body: str) -> bytes:
    """Return the bytes of a new file in doll's own style: schema first, defaults left out."""
    from frontmatter import Post

    from doll.records.handler import FrontMatter

    post = Post(body)
    post.metadata = dict(_written(fields))
    return FrontMatter().format(post).encode()


def type_of(fields: Fields) -> RecordType:
    """Return the record type of a field struct."""
    return next(name for name, struct in STRUCTS.items() if isinstance(fields, struct))


def _written(fields: Fields) -> Iterator[tuple[str, object]]:
    record_type = type_of(fields)
    yield "schema", f"doll/{record_type}/1"
    for name, field in fields_of(record_type).items():
        value = getattr(fields, name)
        if name != "schema" and (field.required or value not in (field.default, None, (), {})):
            yield name, value


def _decode(data: bytes, path: str) -> tuple[str, list[Problem]]:
    if len(data) > MAX_FILE_BYTES:
        size = f"the file has {len(data):,} bytes; a record has at most {MAX_FILE_BYTES:,}"
        raise UnreadableError(Problem(path, 1, 1, "file.too_large", size, hint="split it up"))
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise UnreadableError(_not_utf8(data, error, path)) from error
    if (offset := text.find("\0")) >= 0:
        message = "the file holds a NUL byte"
        hint = "save it as UTF-8 text without NUL bytes"
        raise UnreadableError(Problem(path, *place(text, offset), "file.nul", message, hint=hint))
    warnings = []
    if text.startswith(_BOM):
        message = "the file begins with a byte order mark"
        hint = "save it as UTF-8 without BOM"
        warnings.append(Problem(path, 1, 1, "file.bom", message, "warning", hint))
    if "\n>>>>>>> " in text and (found := _CONFLICT.search(text)):
        message = "an unresolved merge conflict begins here"
        hint = "keep one side, remove the lines with <<<<<<<, ======= and >>>>>>>, git add the file"
        at = place(text, found.start())
        raise UnreadableError(
            *warnings, Problem(path, *at, "file.conflict_marker", message, hint=hint)
        )
    return text, warnings


def _not_utf8(data: bytes, error: UnicodeDecodeError, path: str) -> Problem:
    line = data.count(b"\n", 0, error.start) + 1
    column = error.start - data.rfind(b"\n", 0, error.start)
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        message = "the file is UTF-16, not UTF-8"
    else:
        message = f"the byte 0x{data[error.start]:02x} is not UTF-8 (a file in Latin-1?)"
    return Problem(path, line, column, "file.not_utf8", message, hint="save the file as UTF-8")


def _bounds(text: str, path: str) -> tuple[int, int, int]:
    """Return where the block begins and ends and where the body begins, as offsets in `text`."""
    handler = _handler()
    try:
        return handler.bounds(text)
    except ValueError as error:
        unclosed = handler.detect(text)
        code = "frontmatter.unclosed" if unclosed else "frontmatter.missing"
        hint = (
            "add a line `---` after the last field"
            if unclosed
            else "begin the file with a line `---`, then `title: …`, then a line `---`"
        )
        raise UnreadableError(Problem(path, 1, 1, code, str(error), hint=hint)) from error


def _block(text: str, start: int, end: int, path: str) -> Block:
    try:
        return _handler().read(text[start:end])
    except BlockError as error:
        raise UnreadableError(*problems_of(error, path, text, start)) from error


def _read(text: str, start: int, end: int, path: str) -> tuple[dict[str, Value], dict[str, int]]:
    """Return the values of the block, and the line of each key counted from 0 in the block."""
    block = _block(text, start, end, path)
    lines = {key: place(text, start + pair.key.start)[0] for key, pair in block.pairs.items()}
    return block.values, {key: line - 2 for key, line in lines.items()}


def _placed(
    faults: list[checks.Fault], text: str, start: int, end: int, path: str
) -> list[Problem]:
    """Return faults as problems; only for these are the places of all values worth their time."""
    if not faults:
        return []
    block = _block(text, start, end, path)
    return [fault.at(path, text, start, block) for fault in faults]


@functools.cache
def _handler() -> "FrontMatter":
    from doll.records.handler import FrontMatter

    return FrontMatter()


def _type_of(
    front: dict[str, Value], expected: RecordType | None
) -> tuple[RecordType | None, list[checks.Fault]]:
    named = front.get("schema")
    if named is None:
        if expected is None:
            hint = "add a first line such as `schema: doll/memory/1`"
            return None, [checks.Fault((), "schema.missing", "`schema` is absent", hint)]
        return expected, []
    known = SCHEMA.fullmatch(named) if isinstance(named, str) else None
    if known is None or known[1] not in TYPES or known[2] != "1":
        wanted = f"doll/{expected}/1" if expected else "doll/memory/1"
        message = f"`{named}` is no record type of this version of doll"
        return None, [checks.Fault(("schema",), "schema.unknown", message, f"write {wanted}")]
    found: RecordType = known[1]
    if expected is not None and found != expected:
        message = f"the folder holds records of type {expected}, and `schema` says {found}"
        hint = f"move the file, or write doll/{expected}/1"
        return expected, [checks.Fault(("schema",), "schema.wrong_folder", message, hint)]
    return found, []


def _fields(
    front: dict[str, Value], record_type: RecordType, path: str
) -> tuple[Fields | None, list[checks.Fault]]:
    values = checks.normalised(front, record_type)
    try:
        fields: Fields | None = msgspec.convert(values, STRUCTS[record_type])
        faults: list[checks.Fault] = []
    except msgspec.ValidationError:
        fields, faults = None, checks.value_faults(values, record_type)
    strict = path.startswith("authority/")
    faults += checks.unknown_keys(front, record_type, strict=strict)
    if fields is not None:
        faults += checks.field_rules(fields)
    return fields, faults


def _first_heading(body: str) -> str | None:
    found = _HEADING.search(body)
    return found[1] if found else None


def values_of(data: bytes) -> dict[str, Value]:
    """Return the raw front matter values of `data`; UnreadableError when it has none."""
    text, _ = _decode(data, "")
    start, end, _ = _bounds(text, "")
    return _block(text, start, end, "").values
