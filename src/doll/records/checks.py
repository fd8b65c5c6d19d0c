"""The checks of front matter values against a record type: every fault, with what to write.

`normalised` is on the path of every record; the rest runs only when something is wrong.
"""

import functools
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec

from doll.errors import Problem, Severity
from doll.records import times
from doll.records.fields import Field, Shape, fields_of
from doll.records.frontmatter import Block, Value, place
from doll.records.model import Fields, RecordType


class Fault(NamedTuple):
    """A problem that does not know its file yet: the path of keys and indices says where."""

    where: tuple[str | int, ...]
    code: str
    message: str
    hint: str = ""
    severity: Severity = "error"

    def at(self, path: str, text: str, start: int, block: Block) -> Problem:
        """Return the problem at its line and column; `start` is the block's offset in `text`."""
        offset = block.places.get(self.where)
        if offset is None and self.where and self.where[0] in block.pairs:
            offset = block.pairs[str(self.where[0])].key.start
        line, column = place(text, start + offset) if offset is not None else (1, 1)
        return Problem(path, line, column, self.code, self.message, self.severity, self.hint)


def normalised(values: Mapping[str, Value], record_type: RecordType) -> dict[str, object]:
    """Return the values in the shapes of the fields.

    Empty values are left out, one text for a list is a list of one, and `true` where text is
    wanted is that text: what a person writes without quotes stays what they wrote.
    """
    shapes = _shapes(record_type)
    result: dict[str, object] = {}
    for key, value in values.items():
        if value is None:
            continue
        shape = shapes.get(key)
        if type(value) is str:
            result[key] = (value,) if shape == "texts" else value
        elif shape == "texts":
            result[key] = _texts(value)
        elif shape == "claims":
            result[key] = _claims(value)
        elif isinstance(value, bool) and shape in ("text", "choice"):
            result[key] = _text(value)
        else:
            result[key] = value
    return result


@functools.cache
def _shapes(record_type: RecordType) -> dict[str, Shape]:
    return {name: field.shape for name, field in fields_of(record_type).items()}


def _text(value: bool) -> str:
    return "true" if value else "false"


def _texts(value: Value) -> Value:
    if isinstance(value, bool):
        return [_text(value)]
    if isinstance(value, list):
        return [_text(item) if isinstance(item, bool) else item for item in value]
    return value


def _claims(value: Value) -> Value:
    if isinstance(value, dict):
        return {k: _text(v) if isinstance(v, bool) else v for k, v in value.items()}
    return value


def value_faults(values: Mapping[str, object], record_type: RecordType) -> list[Fault]:
    """Return every fault of the values: missing fields first, then field by field."""
    faults = []
    for field in fields_of(record_type).values():
        if field.name not in values:
            if field.required:
                message = f"`{field.name}` is missing; a {record_type} needs it"
                hint = f"add a line `{field.name}: …` ({field.description})"
                faults.append(Fault((), "field.missing", message, hint))
        else:
            faults.extend(_faults_of(field, values[field.name]))
    return faults


def _faults_of(field: Field, value: object) -> Iterator[Fault]:
    try:
        msgspec.convert(value, field.type)
    except msgspec.ValidationError:
        if field.shape in ("texts", "claims") and isinstance(value, list | tuple | dict):
            pairs = value.items() if isinstance(value, dict) else enumerate(value)
            for key, item in pairs:
                if fault := _item_fault(field, (field.name, key), item):
                    yield fault
        elif fault := _item_fault(field, (field.name,), value):
            yield fault


def _item_fault(field: Field, where: tuple[str | int, ...], value: object) -> Fault | None:
    """Return what is wrong with one text of a field, or None."""
    if field.shape == "flag" or not isinstance(value, str):
        if field.shape == "flag" and isinstance(value, bool):
            return None
        return Fault(where, "field.shape", _shape_message(field, value), _SHAPE_HINTS[field.shape])
    if field.shape == "time":
        message = f"`{field.name}`: {_short(value)} is not a time with an offset"
        return Fault(where, "field.time", message, times.HINT)
    if field.shape == "choice":
        return _choice_fault(field, where, value)
    hint = _PATTERN_HINTS.get(field.name, "")
    if not _fits(field, value):
        return Fault(where, "field.value", f"`{field.name}`: {_short(value)} does not fit", hint)
    return None


def _fits(field: Field, value: str) -> bool:
    try:
        meta = msgspec.Meta(
            pattern=field.pattern, min_length=field.min_length, max_length=field.max_length
        )
        msgspec.convert(value, _annotated(meta))
    except msgspec.ValidationError:
        return False
    return True


def _annotated(meta: msgspec.Meta) -> object:
    from typing import Annotated

    return Annotated[str, meta]


def _choice_fault(field: Field, where: tuple[str | int, ...], value: str) -> Fault | None:
    if value in field.choices:
        return None
    message = f"`{field.name}`: {_short(value)} is none of {', '.join(field.choices)}"
    near = did_you_mean(value, field.choices)
    return Fault(where, "field.value", message, f"write {near or field.choices[0]}")


def _shape_message(field: Field, value: object) -> str:
    kind = {list: "a list", tuple: "a list", dict: "a mapping", bool: "true or false"}
    got = "empty" if value is None else kind.get(type(value), "a text")
    return f"`{field.name}` wants {_SHAPE_WORDS[field.shape]}, and this is {got}"


_SHAPE_WORDS: dict[Shape, str] = {
    "text": "one text",
    "texts": "a list of texts",
    "flag": "true or false",
    "time": "one time",
    "choice": "one word",
    "claims": "one line per claim",
}
_SHAPE_HINTS: dict[Shape, str] = {
    "text": 'write one value; put one with brackets or braces in "quotes"',
    "texts": 'write [one, two], or one `- text` a line; put `[[links]]` in "quotes"',
    "flag": "write true or false, without quotes",
    "time": times.HINT,
    "choice": "write one value",
    "claims": 'write `"/json/pointer": "json text"` lines, indented',
}
_PATTERN_HINTS = {
    "actions": "write a dotted lower-case name such as db.migrate",
    "required_for": "write a dotted lower-case name such as db.migrate",
    "paths": 'write a gitignore pattern such as "migrations/**"; `!` is not allowed',
    "scope": "write key=value, such as database=orders",
    "summary": "write one or two sentences",
    "origin_sha256": "write 64 lower-case hex digits",
    "reviewed_sha256": "write 64 lower-case hex digits",
    "redacted_sha256": "write 64 lower-case hex digits",
}


def unknown_keys(
    values: Mapping[str, Value], record_type: RecordType, *, strict: bool
) -> list[Fault]:
    """Return a fault for each key that the type does not have: warnings, errors when `strict`."""
    known = _shapes(record_type)
    severity: Severity = "error" if strict else "warning"
    faults = []
    for key in values:
        if key not in known:
            near = did_you_mean(key, known)
            hint = f"did you mean `{near}`?" if near else "its text is kept; doll does not read it"
            if strict and not near:
                hint = "remove it, or put what it says into the body"
            message = f"`{_short(key)}` is no field of a {record_type}"
            faults.append(Fault((key,), "field.unknown", message, hint, severity))
    return faults


def did_you_mean(word: str, known: Mapping[str, object] | tuple[str, ...]) -> str | None:
    """Return the known word nearest to `word`, or None."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word[:80].lower(), list(known), 1, 0.7)), None)


def field_rules(fields: Fields) -> list[Fault]:
    """Return the faults of fields that go only together with others."""
    faults = []
    begin, end = getattr(fields, "valid_from", None), getattr(fields, "valid_until", None)
    if begin and end and end <= begin:
        message = "`valid_until` is not after `valid_from`, so it never holds"
        faults.append(Fault(("valid_until",), "field.value", message, "swap them, or remove one"))
    reviewed = ("reviewed_by", "reviewed_at", "reviewed_sha256")
    present = [name for name in reviewed if getattr(fields, name) is not None]
    if present and len(present) < len(reviewed):
        missing = ", ".join(name for name in reviewed if name not in present)
        message = f"`{present[0]}` stands without {missing}"
        hint = "a review writes all three: use `doll review approve`"
        faults.append(Fault((present[0],), "field.needs", message, hint))
    return faults


def _short(value: str) -> str:
    return value if len(value) <= 60 else value[:59] + "…"
