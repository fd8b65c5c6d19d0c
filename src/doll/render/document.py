"""JSON documents: versioned, key-sorted, ASCII, one per answer; without halves of surrogate pairs.

A file name that is no UTF-8 has such halves in Python, and readers of JSON refuse or replace them.
Here, for every document, they become what `render.text.visible` shows: `\\u{dcff}`.
"""

import json
from collections.abc import Mapping
from typing import Any

from doll.render.text import lone_halves_shown


def to_json(schema: str, payload: Mapping[str, object]) -> str:
    """Return the document of a report; `schema` names its kind and version (`doll.status/1`)."""
    return _written({"schema": schema, **payload}, indent=2)


def to_line(schema: str, payload: Mapping[str, object]) -> str:
    """Return the same on one line, for commands that print one document after the other."""
    return _written({"schema": schema, **payload}, indent=None)


def _written(document: object, indent: int | None) -> str:
    text = json.dumps(document, sort_keys=True, indent=indent)
    # Halves are rare, and looking at each text of a long report would take longer than writing it.
    if "\\ud" in text:
        text = json.dumps(whole(document), sort_keys=True, indent=indent)
    return text


def whole(value: Any) -> Any:
    """Return a value as `json` writes it, its texts and names without halves of surrogate pairs."""
    if isinstance(value, str):
        return lone_halves_shown(value)
    if isinstance(value, Mapping):
        return {whole(name): whole(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [whole(each) for each in value]
    return value
