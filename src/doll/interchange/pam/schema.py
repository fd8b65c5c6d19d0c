"""A memory store against the published JSON Schema: every problem, by JSON Pointer.

The schema comes from the `portable-ai-memory` package. Entries that the fast types accept are not
looked at again; jsonschema reads the rest and gives the reasons.
"""

import functools
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from doll.errors import Problem
from doll.interchange.pam import shape
from doll.interchange.pam.faults import problems_of
from doll.interchange.pointers import join
from doll.interchange.refusals import MAX_PROBLEMS

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

_LISTS: dict[str, tuple[str, type[msgspec.Struct]]] = {
    "memories": ("MemoryObject", shape.MemoryShape),
    "relations": ("RelationObject", shape.RelationShape),
    "conversations_index": ("ConversationIndexEntry", shape.ConversationShape),
}
_DATE_TIME = re.compile(shape.DATE_TIME)


class Checked(NamedTuple):
    """What the schema says: problems, wrong memories by index, and wrong entries not examined."""

    problems: list[Problem]
    wrong: frozenset[int]
    unexamined: int


def check(store: Mapping[str, Any], name: str) -> Checked:
    """Check a whole store; after 100 problems the rest of the wrong entries is only counted."""
    emptied = {key: [] if _is_list(key, value) else value for key, value in store.items()}
    problems: list[Problem] = []
    if not shape.accepts(shape.StoreShape, emptied):
        problems += _problems(validator(None), emptied, "", name)
    wrong = {key: _wrong(key, store.get(key)) for key in _LISTS}
    pairs = [(key, index) for key, indices in wrong.items() for index in sorted(indices)]
    examined = 0
    for key, index in pairs:
        if len(problems) >= MAX_PROBLEMS:
            break
        found = _problems(validator(_LISTS[key][0]), store[key][index], join("", key, index), name)
        problems += found
        examined += 1
        if not found:  # the fast types refuse a little more than the schema does
            wrong[key].discard(index)
    return Checked(problems, frozenset(wrong["memories"]), len(pairs) - examined)


def _is_list(key: str, value: object) -> bool:
    return key in _LISTS and isinstance(value, list)


def _wrong(key: str, entries: object) -> set[int]:
    if not isinstance(entries, list):
        return set()
    fast = _LISTS[key][1]
    return {index for index, entry in enumerate(entries) if not shape.accepts(fast, entry)}


def _problems(checker: "Validator", value: Any, base: str, name: str) -> list[Problem]:
    errors = [error for error in checker.iter_errors(value) if not _follows(error, value)]
    found = [problem for error in errors for problem in problems_of(error, base, name)]
    return list(dict.fromkeys(found))


def _follows(error: "ValidationError", value: Any) -> bool:
    """Return whether an error only follows from a missing `type`, which counts as custom then."""
    if "then" not in error.absolute_schema_path or not isinstance(value, dict):
        return False
    return "content" in value and "type" not in value


@functools.cache
def validator(definition: str | None) -> "Validator":
    """Return the validator of the published schema, or of one of its definitions.

    It checks date-times, and reads `$` in a pattern as the end of the text, as ECMA-262 does.
    """
    import jsonschema

    schema = published()
    if definition is not None:
        schema = {"$ref": f"#/$defs/{definition}", "$defs": schema["$defs"]}
    strict: Any = jsonschema.validators.extend(  # type: ignore[no-untyped-call]
        jsonschema.Draft202012Validator, {"pattern": _matches_whole}
    )
    formats = jsonschema.FormatChecker(formats=())
    formats.checks("date-time")(_is_date_time)
    checker: Validator = strict(schema, format_checker=formats)
    return checker


def published() -> dict[str, Any]:
    """Return the published JSON Schema of a memory store."""
    import json
    from importlib.resources import files

    path = files("portable_ai_memory") / "schemas" / "portable-ai-memory.schema.json"
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def _is_date_time(value: object) -> bool:
    return not isinstance(value, str) or _DATE_TIME.match(value) is not None


def _matches_whole(
    _checker: "Validator", pattern: str, value: object, _schema: Any
) -> Iterator["ValidationError"]:
    from jsonschema.exceptions import ValidationError

    if isinstance(value, str) and not re.search(re.sub(r"\$\Z", r"\\Z", pattern), value):
        yield ValidationError(f"does not match {pattern}")
