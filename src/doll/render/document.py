"""JSON documents: versioned, key-sorted, ASCII, one per answer."""

import json
from collections.abc import Mapping


def to_json(schema: str, payload: Mapping[str, object]) -> str:
    """Return the document of a report; `schema` names its kind and version (`doll.status/1`)."""
    return json.dumps({"schema": schema, **payload}, sort_keys=True, indent=2)
