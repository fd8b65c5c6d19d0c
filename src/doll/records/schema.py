"""The published JSON Schemas of the record types, for editors.

They describe front matter as editors parse it (YAML 1.2 core schema), where a text without quotes
may be a number or a boolean: doll keeps what was written. Made from `doll.records.fields`.
"""

from doll.records.fields import Field, fields_of
from doll.records.model import STRUCTS, RecordType

DIALECT = "https://json-schema.org/draft/2020-12/schema"

Json = dict[str, object]

_PLAIN = ["string", "number", "boolean"]


def json_schema(record_type: RecordType) -> Json:
    """Return the JSON Schema (draft 2020-12) of a type's front matter."""
    fields = fields_of(record_type)
    schema: Json = {
        "$schema": DIALECT,
        "title": f"doll/{record_type}/1",
        "description": (STRUCTS[record_type].__doc__ or "").strip(),
        "type": "object",
        "properties": {name: _property(field, record_type) for name, field in fields.items()},
        "required": [name for name, field in fields.items() if field.required],
    }
    if record_type not in ("memory", "experience"):
        schema["additionalProperties"] = False
    return schema


def _property(field: Field, record_type: RecordType) -> Json:
    if field.name == "schema":
        return {"enum": [f"doll/{record_type}/1", None], "description": field.description}
    value = _value(field)
    optional = value if field.required else {"anyOf": [value, {"type": "null"}]}
    return {"description": field.description, **optional}


def _value(field: Field) -> Json:
    match field.shape:
        case "texts":
            return {"anyOf": [_text(field), {"type": "array", "items": _text(field)}]}
        case "flag":
            return {"type": "boolean"}
        case "time":
            return {"type": "string", "format": "date-time"}
        case "choice":
            return {"enum": list(field.choices)}
        case "claims":
            return {"type": "object", "additionalProperties": {"type": _PLAIN}}
        case "text":
            return _text(field)


def _text(field: Field) -> Json:
    bounds: Json = {}
    if field.pattern is not None:
        # JSON Schema patterns are ECMA 262, which knows neither \A nor \Z.
        bounds["pattern"] = field.pattern.replace(r"\A", "^").replace(r"\Z", "$")
    if field.min_length is not None:
        bounds["minLength"] = field.min_length
    if field.max_length is not None:
        bounds["maxLength"] = field.max_length
    return {"type": _PLAIN, **bounds}
