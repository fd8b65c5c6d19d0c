"""jsonschema's errors as doll's problems: what is wrong, where, and what to write instead.

Values are shown only where they are short and of a closed kind; what a source holds may be secret.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from doll.errors import Problem
from doll.interchange.pointers import join
from doll.records import times
from doll.records.checks import did_you_mean

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

_SHORT = 40
_KINDS: dict[type, str] = {
    str: "text",
    bool: "true or false",
    int: "a number",
    float: "a number",
    list: "a list",
    dict: "an object",
    type(None): "null",
}


def problems_of(error: "ValidationError", base: str, name: str) -> Iterator[Problem]:
    """Yield the problems that one error stands for; `base` is the pointer of what was checked."""
    pointer = join(base, *error.absolute_path)
    if error.validator == "required":
        for field in _missing(error):
            message, hint = f"`{field}` is missing", f"add `{field}`"
            yield Problem(name, 0, 0, "pam.missing", message, hint=hint, pointer=pointer)
    elif error.validator == "additionalProperties":
        allowed, instance = _allowed(error), error.instance
        for field in instance if isinstance(instance, dict) else ():
            if field not in allowed:
                yield _unknown(field, allowed, pointer, name)
    elif error.validator == "format":
        message = f"{_shown(error.instance)} is no RFC 3339 time"
        yield Problem(name, 0, 0, "pam.time", message, hint=times.HINT, pointer=pointer)
    else:
        message, hint = _value(error)
        yield Problem(name, 0, 0, "pam.value", message, hint=hint, pointer=pointer)


def _allowed(error: "ValidationError") -> Mapping[str, Any]:
    schema: Any = error.schema
    allowed: Mapping[str, Any] = schema["properties"]
    return allowed


def _missing(error: "ValidationError") -> Iterable[str]:
    """Return the field that a `required` error is about; only its message says which."""
    required: Any = error.validator_value
    return [field for field in required if error.message.startswith(repr(field))]


def _unknown(field: str, allowed: Mapping[str, Any], pointer: str, name: str) -> Problem:
    near = did_you_mean(field, dict(allowed))
    hint = f"did you mean `{near}`?" if near else "of a memory only `metadata` may hold more"
    message = f"the format has no field `{_cut(field)}` here"
    where = join(pointer, field)
    return Problem(name, 0, 0, "pam.unknown_field", message, hint=hint, pointer=where)


def _value(error: "ValidationError") -> tuple[str, str]:
    wanted: Any = error.validator_value
    value = error.instance
    match error.validator:
        case "type":
            words = ", ".join([wanted] if isinstance(wanted, str) else wanted)
            return f"this is {_KINDS.get(type(value), 'a number')}", f"the format wants {words}"
        case "enum":
            words = ", ".join("null" if word is None else str(word) for word in wanted)
            return f"{_shown(value)} is not one of the values", f"write one of {words}"
        case "const":
            return f"{_shown(value)} is not the value", f"write {_json(wanted)}"
        case "pattern":
            return "this text has the wrong form", f"the format wants {wanted}"
        case "minLength" | "minItems":
            return _too_short(value, wanted)
        case "uniqueItems":
            return "a value stands twice", "keep one"
        case "minimum" | "maximum":
            return f"{_shown(value)} is out of bounds", f"the {error.validator} is {_json(wanted)}"
        case other:
            return f"this breaks the rule `{other}`", "see the published schema"


def _too_short(value: Any, wanted: int) -> tuple[str, str]:
    if not value:
        return "this is empty", "write something, or leave it out where it is optional"
    unit = "entry" if isinstance(value, list) else "character"
    units = "entries" if isinstance(value, list) else "characters"
    size = f"1 {unit}" if len(value) == 1 else f"{len(value)} {units}"
    return f"this is too short: it has {size}", f"the format wants at least {wanted}"


def _shown(value: object) -> str:
    if isinstance(value, str):
        return f"'{_cut(value)}'"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return f"this ({_KINDS.get(type(value), 'a number')})"
    return _cut(_json(value))


def _json(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)


def _cut(text: str) -> str:
    return text if len(text) <= _SHORT else text[: _SHORT - 1] + "…"
