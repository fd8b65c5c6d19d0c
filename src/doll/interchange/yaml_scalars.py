"""The scalars of foreign YAML: text, or what the core schema says, and their JSON. Pure.

Source: YAML 1.2.2, section 10.3 (core schema).
"""

import re
from collections.abc import Iterable
from json.encoder import encode_basestring
from typing import Any

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_NULLS = frozenset(["", "~", "null", "Null", "NULL"])
_FLAGS = {
    **dict.fromkeys(["true", "True", "TRUE"], "true"),
    **dict.fromkeys(["false", "False", "FALSE"], "false"),
}


class Plain(str):
    """A scalar without quotes: text where text is wanted, else what the core schema says."""

    __slots__ = ()


def is_null(value: Any) -> bool:
    """Return whether a value says nothing: a plain `null`, `~`, or no text at all."""
    return value is None or (value.__class__ is Plain and value in _NULLS)


def json_text(value: Any, *, canonical: bool = False) -> str:
    """Return the JSON text of a value, numbers as the source wrote them.

    `canonical`: without white space and with the keys in order, to take a digest of.
    """
    if isinstance(value, str):
        return _scalar_text(value)
    comma, colon = (",", ":") if canonical else (", ", ": ")
    if isinstance(value, list):
        return f"[{comma.join(json_text(item, canonical=canonical) for item in value)}]"
    pairs: Iterable[tuple[str, Any]] = sorted(value.items()) if canonical else value.items()
    texts = (
        f"{encode_basestring(key)}{colon}{json_text(item, canonical=canonical)}"
        for key, item in pairs
    )
    return f"{{{comma.join(texts)}}}"


def _scalar_text(value: str) -> str:
    if value.__class__ is Plain:
        if value in _NULLS:
            return "null"
        if value in _FLAGS:
            return _FLAGS[value]
        if _NUMBER.fullmatch(value):
            return value[:]
    return encode_basestring(value)
