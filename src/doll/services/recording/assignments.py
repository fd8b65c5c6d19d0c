"""`--set FIELD=VALUE`: typed assignments to the fields of a new record.

A list field takes one entry for each `--set`, whatever characters the entry holds: commas split
nothing. Every fault is reported at once, under the option that was typed. Pure, save references.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from doll.errors import Problem, UsageError
from doll.records import checks, times
from doll.records.fields import Field, fields_of
from doll.records.model import RecordType, with_article
from doll.records.references import TARGETS
from doll.services.reading.referring import Known, canonical
from doll.services.recording.wording import one_line, path_pattern, readable

# What doll writes itself, and what only a review or a redaction may say.
_BOOKKEEPING = ("schema", "created", "updated", "updates", "claims", "title")
_PREFIXES = ("origin", "review", "redacted")

Value = str | bool | datetime | list[str] | None


def parse_assignments(record_type: RecordType, options: Sequence[str]) -> dict[str, Value]:
    """Return the values by field, in the order typed; an empty value leaves the field out.

    UsageError with every fault: no `=`, no such field, one that doll writes, a value given twice,
    a value that does not fit.
    """
    typed: dict[str, list[str]] = {}
    problems = []
    for option in options:
        key, equals, text = readable(option, "--set").partition("=")
        key = key.strip()
        problem = _key_problem(record_type, key, equals, option)
        if problem is None:
            typed.setdefault(key, []).append(text.strip())
        else:
            problems.append(problem)
    values: dict[str, Value] = {}
    for key, texts in typed.items():
        field = fields_of(record_type)[key]
        if len(texts) > 1 and field.shape != "texts":
            message = f"`{key}` takes one value, and {len(texts)} were given"
            problems.append(_problem(key, "field.shape", message, "keep one of them"))
            continue
        counting, faults = _patterns(texts) if key == "paths" else (texts, [])
        problems.extend(faults)
        values[key] = _value(field, counting)
        problems.extend(_value_problems(record_type, key, values[key]))
    if problems:
        message = "not all of --set fits; nothing was written"
        raise UsageError(message, problems=problems, hint=f"doll schema {record_type}")
    return values


def resolved(
    known: Known, record_type: RecordType, values: Mapping[str, Value]
) -> dict[str, Value]:
    """Return the values with the ids of the records that their references name.

    UsageError when one names no record of the right type, with near matches.
    """
    result = dict(values)
    for key, value in values.items():
        if (record_type, key) in TARGETS and value:
            names = [value] if isinstance(value, str) else value
            assert isinstance(names, list)
            found = canonical(known, record_type, key, names, f"--set {key}")
            ids = [record.id for record in found]
            result[key] = ids[0] if isinstance(value, str) else ids
    return result


def notes_on(values: Mapping[str, Value]) -> Iterator[str]:
    """Yield what looks like a list typed with commas, which it is not."""
    for key, value in values.items():
        if isinstance(value, list) and len(value) == 1 and "," in value[0]:
            yield f"`{key}` has one entry, {value[0]}: for several, repeat --set {key}=…"


def _key_problem(record_type: RecordType, key: str, equals: str, option: str) -> Problem | None:
    if not equals or not key:
        message = f"{option[:80]!r} is not FIELD=VALUE"
        return _problem("", "field.shape", message, "write --set tags=coffee")
    if key == "title":
        return _problem(key, "field.unknown", "the title has its own option", "write --title")
    if key in _BOOKKEEPING or key.startswith(_PREFIXES):
        return _problem(key, "field.unknown", f"`{key}` is written by doll", "leave it out")
    known = fields_of(record_type)
    if key in known:
        return None
    near = checks.did_you_mean(key, tuple(known))
    hint = f"did you mean `{near}`?" if near else f"`doll schema {record_type}` lists the fields"
    return _problem(
        key, "field.unknown", f"{with_article(record_type)} has no field `{key[:60]}`", hint
    )


def _patterns(texts: Sequence[str]) -> tuple[list[str], list[Problem]]:
    """Return the globs as they count, and what is wrong with those that could never match."""
    patterns, problems = [], []
    for text in filter(None, texts):
        try:
            patterns.append(path_pattern(text, "--set paths"))
        except UsageError as error:
            message = error.message.partition(": ")[2]
            problems.append(_problem("paths", "field.value", message, error.hint))
    return patterns, problems


def _value(field: Field, texts: Sequence[str]) -> Value:
    if not any(texts):
        return None
    if field.shape == "texts":
        return [text for text in texts if text]
    text = texts[0]
    if field.shape == "flag":
        return {"true": True, "false": False}.get(text, text)
    if field.shape == "time":
        return _moment(text)
    return text


def _moment(text: str) -> datetime | str:
    try:
        moment = times.parse(text)
        moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return text  # the check of the value says what is wrong with it
    return moment


def _value_problems(record_type: RecordType, key: str, value: Value) -> Iterator[Problem]:
    if value is None:
        return
    try:
        for text in [value] if isinstance(value, str) else value if isinstance(value, list) else []:
            one_line(text, f"--set {key}")
    except UsageError as error:
        yield _problem(key, "field.value", error.message.partition(": ")[2], error.hint)
        return
    for fault in checks.value_faults({key: value}, record_type):
        if fault.where:
            hint = f"repeat --set {key}=… for each" if _looks_split(value) else fault.hint
            yield _problem(key, fault.code, fault.message, hint)


def _looks_split(value: Value) -> bool:
    return isinstance(value, list) and any("," in text for text in value)


def _problem(key: str, code: str, message: str, hint: str) -> Problem:
    return Problem(f"--set {key}".strip(), 0, 0, code, message, hint=hint)
