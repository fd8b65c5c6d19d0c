"""The checks of front matter values against a record type: every fault, with what to write.

`normalised` is on the path of every record; the rest runs only when something is wrong.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from types import SimpleNamespace
from typing import NamedTuple

import msgspec

from doll.errors import Problem, Severity
from doll.records import times
from doll.records.decoding import Places
from doll.records.fields import Field, Shape, fields_of, shapes_of
from doll.records.frontmatter import Block, Value
from doll.records.limits import MAX_PROBLEMS
from doll.records.model import RecordType, with_article
from doll.records.snippets import LONGEST, key_name, snippet


class Fault(NamedTuple):
    """A problem that does not know its file yet: the path of keys and indices says where.

    It is about the value there or, where `key` names one, about that key itself.
    """

    where: tuple[str | int, ...]
    code: str
    message: str
    hint: str = ""
    severity: Severity = "error"
    key: str | None = None

    def at(self, path: str, places: Places, start: int, block: Block) -> Problem:
        """Return the problem at its line and column; `start` is the block's offset in the text."""
        offset = block.places.get(self.where, block.places.get(self.where[:1]))
        if self.key in block.pairs:
            offset = block.pairs[self.key].key.start
        line, column = places.at(start + offset) if offset is not None else (1, 1)
        return Problem(path, line, column, self.code, self.message, self.severity, self.hint)


def normalised(values: Mapping[str, Value], record_type: RecordType) -> dict[str, object]:
    """Return the values in the shapes of the fields.

    Empty values are left out, one text for a list is a list of one, and `true` where text is
    wanted is that text: what a person writes without quotes stays what they wrote.
    """
    shapes = shapes_of(record_type)
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
    """Return the faults of the values, field by field in the order in which doll writes them."""
    faults = []
    for field in fields_of(record_type).values():
        if field.name not in values:
            if field.required:
                message = f"`{field.name}` is missing; {with_article(record_type)} needs it"
                hint = f"add a line `{field.name}: …` ({field.description})"
                faults.append(Fault((), "field.missing", message, hint, key=field.name))
        else:
            faults.extend(_faults_of(field, values[field.name]))
    return faults


def readable(values: Mapping[str, object], record_type: RecordType) -> SimpleNamespace:
    """Return the values that fit their fields, as attributes, for the rules that join fields."""
    fitting = {}
    for name, field in fields_of(record_type).items():
        if name in values and not any(_faults_of(field, values[name])):
            fitting[name] = msgspec.convert(values[name], field.type)
    return SimpleNamespace(**fitting)


def _faults_of(field: Field, value: object) -> Iterator[Fault]:
    if field.shape == "time" and isinstance(value, datetime):
        return
    items: Iterator[tuple[str | int, object]] | None = None
    if field.shape == "texts" and isinstance(value, list | tuple):
        items = enumerate(value)
    elif field.shape == "claims" and isinstance(value, dict):
        items = iter(value.items())
    if items is not None:
        for key, item in items:
            if fault := _text_fault(field, (field.name, key), item):
                yield fault
    elif field.shape in ("texts", "claims"):
        yield _shape_fault(field, (field.name,), value)
    elif field.shape != "flag":
        if fault := _text_fault(field, (field.name,), value):
            yield fault
    elif not isinstance(value, bool):
        yield _shape_fault(field, (field.name,), value)


def _text_fault(field: Field, where: tuple[str | int, ...], value: object) -> Fault | None:
    """Return what is wrong with one text of a field, or None."""
    if not isinstance(value, str):
        return _shape_fault(field, where, value)
    if field.shape == "time":
        return time_fault(field.name, value)
    if field.shape == "choice":
        return _choice_fault(field, where, value)
    if not _fits(field, value):
        message = f"`{field.name}`: {snippet(value) or 'an empty text'} does not fit"
        return Fault(where, "field.value", message, _text_hint(field, value))
    return None


def time_faults(values: Mapping[str, object], record_type: RecordType) -> list[Fault]:
    """Return the faults of the times alone: msgspec takes more texts for times than doll does."""
    shapes = shapes_of(record_type)
    found = (
        time_fault(name, value)
        for name, value in values.items()
        if isinstance(value, str) and shapes.get(name) == "time"
    )
    return [fault for fault in found if fault]


def time_fault(name: str, value: str) -> Fault | None:
    """Return what is wrong with the text of a time, or None."""
    try:
        times.parse(value)
    except ValueError:
        message = f"`{name}`: {snippet(value)} is not a time with an offset"
        return Fault((name,), "field.time", message, times.hint(value))
    return None


def _fits(field: Field, value: str) -> bool:
    if field.pattern is not None and not re.search(field.pattern, value):
        return False
    return (field.min_length or 0) <= len(value) <= (field.max_length or len(value))


def _text_hint(field: Field, value: str) -> str:
    if field.max_length is not None and len(value) > field.max_length:
        return f"write at most {field.max_length:,} characters; the body has room for more"
    if field.shape == "texts" and ", " in value:
        return f"write [{value}] for a list"
    return _PATTERN_HINTS.get(field.name, "write the id of a record")


def _choice_fault(field: Field, where: tuple[str | int, ...], value: str) -> Fault | None:
    if value in field.choices:
        return None
    choices = ", ".join(field.choices)
    message = f"`{field.name}`: {snippet(value) or 'an empty text'} is none of {choices}"
    near = did_you_mean(value, field.choices)
    if near is None or _is_opposite(value.lower(), near):
        return Fault(where, "field.value", message, f"write one of: {choices}")
    return Fault(where, "field.value", message, f"write {near}")


def _is_opposite(word: str, near: str) -> bool:
    """Return whether a word begins with a syllable that can turn the near one into its opposite."""
    negated = _NEGATION.match(word)
    return negated is not None and not near.startswith(negated.group())


def _shape_fault(field: Field, where: tuple[str | int, ...], value: object) -> Fault:
    kinds = {list: "a list", tuple: "a list", dict: "a mapping", bool: "true or false"}
    got = "empty" if value is None else kinds.get(type(value), "a text")
    wanted = _SHAPE_WORDS[field.shape]
    message = f"`{field.name}` wants {wanted}, and this is {got}"
    if len(where) > 1:
        message = f"an entry of `{field.name}` wants one text, and this is {got}"
    elif alone := _alone(field, value):
        return Fault(where, "field.shape", message, f"write {field.name}: {alone}")
    return Fault(where, "field.shape", message, _SHAPE_HINTS[field.shape])


def _alone(field: Field, value: object) -> str | None:
    """Return how the one entry of a list stands as the value of a field that wants one."""
    if field.shape not in ("text", "choice", "time") or not isinstance(value, list | tuple):
        return None
    if len(value) != 1 or not isinstance(value[0], str) or len(value[0]) > LONGEST:
        return None
    from doll.records.handler import scalar

    fits = not any(_faults_of(field, value[0]))
    if not fits or field.shape != "text":
        return value[0] if fits else None
    return scalar(value[0])


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
# What git writes for an author; the mail may be empty. Source: git-commit-tree(1).
_IDENTITY = re.compile(r"([^<>\n]*[^<>\s]) <([^<>\n]*)>")
_MODEL = re.compile(r"\s*model:", re.IGNORECASE)
_NEGATION = re.compile(r"un|in|im|dis|de|non?|not")
_PATTERN_HINTS = {
    "actions": "write a dotted lower-case name such as db.migrate",
    "required_for": "write a dotted lower-case name such as db.migrate",
    "paths": 'write a gitignore pattern from the top of the work tree, such as "migrations/**", '
    "without `!`, `./` and `../`",
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
    known = shapes_of(record_type)
    severity: Severity = "error" if strict else "warning"
    faults: list[Fault] = []
    for key in values:
        if key not in known:
            # Looking for a near word is slow, and nobody reads more than these.
            near = did_you_mean(key, known) if len(faults) < MAX_PROBLEMS else None
            hint = f"did you mean `{near}`?" if near else "its text is kept; doll does not read it"
            if strict and not near:
                hint = "remove it, or put what it says into the body"
            message = f"{key_name(key)} is no field of {with_article(record_type)}"
            faults.append(Fault((key,), "field.unknown", message, hint, severity, key))
    return faults


def did_you_mean(word: str, known: Mapping[str, object] | tuple[str, ...]) -> str | None:
    """Return the known word nearest to `word`, or None."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word[:80].lower(), list(known), 1, 0.7)), None)


def field_rules(fields: object) -> list[Fault]:
    """Return the faults of fields that go only together with others.

    `fields` has fields as attributes; one that it lacks is as one that is absent.
    """
    faults = []
    begin, end = getattr(fields, "valid_from", None), getattr(fields, "valid_until", None)
    if begin and end and end <= begin:
        message = "`valid_until` is not after `valid_from`, so it never holds"
        faults.append(Fault(("valid_until",), "field.value", message, "swap them, or remove one"))
    reviewed = ("reviewed_by", "reviewed_at", "reviewed_sha256")
    present = [name for name in reviewed if getattr(fields, name, None) is not None]
    if present and len(present) < len(reviewed):
        missing = ", ".join(name for name in reviewed if name not in present)
        message = f"`{present[0]}` stands without {missing}"
        hint = "a review writes all three: use `doll review approve`"
        faults.append(Fault((present[0],), "field.needs", message, hint))
    return [*faults, *_redaction_faults(fields)]


def _redaction_faults(fields: object) -> Iterator[Fault]:
    """Yield what is wrong with whom and when a redaction says: a person, after what it redacts."""
    by = getattr(fields, "redacted_by", None)
    if by is not None and not is_identity(by):
        message = f"`redacted_by`: {snippet(by)} is no git identity of a person"
        hint = "write Name <mail>, as git has yours; a redaction is the user's act"
        yield Fault(("redacted_by",), "field.value", message, hint)
    at, moment = getattr(fields, "at", None), getattr(fields, "redacted_at", None)
    if at and moment and moment < at:
        message = "`redacted_at` is before `at`, the time of what it redacts"
        yield Fault(("redacted_at",), "field.value", message, "write the time of the redaction")


def is_identity(text: str) -> bool:
    """Return whether a text is a git identity, `Name <mail>`, and is not one of a model."""
    found = _IDENTITY.fullmatch(text)
    return found is not None and not any(map(_MODEL.match, found.groups()))
