"""The codec: a record file's bytes to a record with all its problems, and fields to bytes.

`parse(render(fields, body))` gives back the fields and the body. Every problem of a file is
reported at once, at its line and column in the file. Nothing here touches the disk.
"""

import functools
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from doll.errors import Problem, Severity, UsageError, errors_in
from doll.records import checks, fences
from doll.records.decoding import Places, UnreadableError, decode, place
from doll.records.digest import sha256
from doll.records.fields import fields_of
from doll.records.frontmatter import Block, BlockError, Value, problems_of, read_flat
from doll.records.headings import first_heading
from doll.records.limits import MAX_PROBLEMS
from doll.records.mending import YamlFault, keys_at
from doll.records.model import STRUCTS, TYPES, Fields, Record, RecordType
from doll.records.slips import may_slip, slips
from doll.records.snippets import key_name

if TYPE_CHECKING:
    from doll.records.handler import FrontMatter

__all__ = ["Parsed", "UnreadableError", "parse", "render", "type_of", "values_of"]

SCHEMA = re.compile(r"doll/([a-z-]+)/([0-9]+)")


class Parsed(NamedTuple):
    """What a file holds: the record, unless a problem is an error, all problems, and the body."""

    record: Record | None
    problems: tuple[Problem, ...]
    body: str


class _Front(NamedTuple):
    """A file that was split: offsets into its text, and the front matter as it was read.

    `lines` count in the file, `faulty` are the keys whose values are not what their text says.
    `block` is None when the quick pass read it.
    """

    text: str
    start: int
    end: int
    body: int
    values: dict[str, Value]
    lines: dict[str, int]
    problems: tuple[Problem, ...]
    block: Block | None = None
    faulty: frozenset[str] = frozenset()

    @property
    def said(self) -> str:
        """The text of the block."""
        return self.text[self.start : self.end]


def parse(data: bytes, path: str, record_id: str, expected: RecordType | None) -> Parsed:
    """Read the bytes of one record file.

    `path` (relative to the vault) is used for messages, `record_id` becomes the record's id,
    `expected` is the type that the folder says, or None where only `schema` can say it.
    """
    try:
        front = _front(data, path)
    except UnreadableError as error:
        return Parsed(None, _listed(error.problems), "")
    record_type, faults = _type_of(front.values, expected, path)
    fields = None
    if record_type is not None:
        fields, found = _fields(front.values, record_type, path)
        faults += found
        if may_slip(front.said, front.values):
            block = front.block or _handler().read(front.said)
            front = front._replace(block=block)
            faults += slips(front.said, block, record_type)
    problems = _listed([*front.problems, *_placed(faults, front, path)])
    body = front.text[front.body :]
    if record_type is None or fields is None or any(p.severity == "error" for p in problems):
        return Parsed(None, problems, body)
    name = _name(fields, body) or record_id
    record = Record(record_id, path, record_type, sha256(data), name, fields, front.lines)
    return Parsed(record, problems, body)


def render(fields: Fields, body: str) -> bytes:
    """Return the bytes of a new file in doll's own style: schema first, defaults left out.

    What is longer than a file may be, or holds a NUL byte or a merge conflict, is written all the
    same and would not read back. Raises UsageError for text that UTF-8 cannot hold.
    """
    from frontmatter import Post

    from doll.records.handler import FrontMatter

    post = Post(body)
    post.metadata = dict(_written(fields))
    try:
        return FrontMatter().format(post).encode()
    except UnicodeEncodeError as error:
        raise UsageError(
            "the text holds a byte that is not UTF-8, or half of a character",
            hint="save or type it as UTF-8",
        ) from error


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


def _front(data: bytes, path: str) -> _Front:
    """Split and read a file; UnreadableError when its front matter as a whole cannot be read."""
    text, warnings, broken = decode(data, path)
    try:
        start, end, body = _bounds(text, path)
    except UnreadableError as error:
        raise UnreadableError(*warnings, *(broken or error.problems)) from error
    found = (*warnings, *broken)
    if broken and broken[0].line < place(text, body)[0]:
        raise UnreadableError(*found)
    flat = read_flat(text[start:end])
    if flat is not None:
        # The block begins on the second line of the file.
        lines = {key: line + 2 for key, line in flat[1].items()}
        return _Front(text, start, end, body, flat[0], lines, found)
    block, faults = _block(text[start:end])
    found = (*found, *problems_of(faults, path, text, start))
    if block is None:
        raise UnreadableError(*found)
    places = Places(text, end)
    lines = {key: places.at(start + pair.key.start)[0] for key, pair in block.pairs.items()}
    keys = keys_at(faults, block.pairs)
    return _Front(text, start, end, body, block.values, lines, found, block, keys)


def _bounds(text: str, path: str) -> tuple[int, int, int]:
    """Return where the block begins and ends and where the body begins, as offsets in `text`."""
    try:
        return fences.bounds(text)
    except ValueError as error:
        offset, code, hint = _unbounded(text, opened=fences.is_opened(text))
        problem = Problem(path, *place(text, offset), code, str(error), hint=hint)
        raise UnreadableError(problem) from error


def _unbounded(text: str, *, opened: bool) -> tuple[int, str, str]:
    """Return where a text has no front matter, the code, and what to write instead."""
    if opened:
        if dots := re.search(r"(?m)^\.\.\.[ \t]*\r?$", text):
            return dots.start(), "frontmatter.unclosed", "write `---` instead of `...`"
        return 0, "frontmatter.unclosed", "add a line `---` after the last field"
    hint = "begin the file with a line `---`, then `title: …`, then a line `---`"
    begin = text[:1000].lstrip("\ufeff")
    if begin.startswith("---\r"):
        hint = "save the file with line feeds (LF or CRLF) at the ends of its lines"
    elif not begin.startswith("---") and begin.lstrip().startswith("---"):
        hint = "remove the spaces or empty lines before the first `---`"
    return 0, "frontmatter.missing", hint


def _block(text: str) -> tuple[Block | None, Sequence[YamlFault]]:
    try:
        return _handler().read(text), ()
    except BlockError as error:
        return error.block, error.faults


def _placed(faults: list[checks.Fault], front: _Front, path: str) -> list[Problem]:
    """Return faults as problems; only for these are the places of all values worth their time."""
    if not faults:
        return []
    block = front.block or _handler().read(front.said)
    places = Places(front.text, front.end)
    return [
        fault.at(path, places, front.start, block)
        for fault in faults
        if not front.faulty.intersection((*fault.where[:1], fault.key))
    ]


def _listed(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """Return the problems sorted; of very many the first errors, and how many more there are."""
    if len(problems) <= MAX_PROBLEMS:
        return tuple(sorted(problems))
    ranked = sorted(problems, key=lambda problem: (problem.severity != "error", problem))
    listed, rest = sorted(ranked[:MAX_PROBLEMS]), ranked[MAX_PROBLEMS:]
    worst: Severity = "error" if rest[0].severity == "error" else "warning"
    more = listed[-1]._replace(
        code="file.many_problems",
        message=f"+{len(rest):,} more problems are not listed",
        severity=worst,
        hint="mend the others first",
    )
    return tuple(sorted([*listed, more]))


@functools.cache
def _handler() -> "FrontMatter":
    from doll.records.handler import FrontMatter

    return FrontMatter()


def _type_of(
    values: dict[str, Value], expected: RecordType | None, path: str
) -> tuple[RecordType | None, list[checks.Fault]]:
    named = values.get("schema")
    if named is None:
        if expected is None:
            hint = "add a first line such as `schema: doll/memory/1`"
            if path.startswith("authority/"):
                hint = "move it into the folder of its type, such as authority/policies/"
            return None, [checks.Fault((), "schema.missing", "`schema` is absent", hint)]
        return expected, []
    known = SCHEMA.fullmatch(named) if isinstance(named, str) else None
    if known is None or known[1] not in TYPES or known[2] != "1":
        wanted = f"doll/{expected or _near_type(known, named) or 'memory'}/1"
        said = key_name(named) if isinstance(named, str) else "this"
        message = f"{said} is no record type of this version of doll"
        return expected, [checks.Fault(("schema",), "schema.unknown", message, f"write {wanted}")]
    found: RecordType = known[1]
    if expected is not None and found != expected:
        message = f"the folder holds records of type {expected}, and `schema` says {found}"
        hint = f"move the file, or write doll/{expected}/1"
        return expected, [checks.Fault(("schema",), "schema.wrong_folder", message, hint)]
    return found, []


def _near_type(known: re.Match[str] | None, named: Value) -> str | None:
    word = known[1] if known else named
    return checks.did_you_mean(word, TYPES) if isinstance(word, str) else None


def _fields(
    front: dict[str, Value], record_type: RecordType, path: str
) -> tuple[Fields | None, list[checks.Fault]]:
    values = checks.normalised(front, record_type)
    try:
        fields: Fields | None = msgspec.convert(values, STRUCTS[record_type])
        faults = checks.time_faults(values, record_type)
    except msgspec.ValidationError:
        fields, faults = None, checks.value_faults(values, record_type)
    strict = path.startswith("authority/")
    faults += checks.unknown_keys(front, record_type, strict=strict)
    faults += checks.field_rules(fields or checks.readable(values, record_type))
    return fields, faults


def _name(fields: Fields, body: str) -> str:
    """Return what to show for a record, or ""; the last line feed of a block scalar is no part."""
    named = (text.strip() for text in (fields.title, fields.summary) if text)
    return next(filter(None, named), "") or first_heading(body) or ""


def values_of(data: bytes) -> dict[str, Value]:
    """Return the raw front matter values of `data`; UnreadableError when it is not readable."""
    front = _front(data, "")
    if problems := errors_in(front.problems):
        raise UnreadableError(*problems)
    return front.values
