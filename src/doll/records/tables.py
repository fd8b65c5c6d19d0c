"""The field tables of docs/vault-format.md, made from the record types.

Turns what `doll.records.fields` says into Markdown and nothing else; it knows no file and no
page. A test holds the page to these tables, so a field that changes in the model changes there.
"""

from typing import get_args

from doll.records import model
from doll.records.fields import Field, fields_of
from doll.records.model import STRUCTS, RecordType

HEAD = "| field | value | required | meaning |\n|---|---|---|---|\n"

_BY_PATTERN = {
    get_args(model.Action)[1].pattern: "action",
    get_args(model.Glob)[1].pattern: "glob",
    get_args(model.Digest)[1].pattern: "digest",
    get_args(model.ScopeEntry)[1].pattern: "`key=value`",
}
_ID_LENGTH = get_args(model.Reference)[1].max_length


def common_table() -> str:
    """Return the Markdown table of the fields that every record may have."""
    return _table("memory", tuple(model.Common.__annotations__))


def field_table(record_type: RecordType) -> str:
    """Return the Markdown table of the fields that `record_type` has beside the common ones."""
    return _table(record_type, tuple(STRUCTS[record_type].__annotations__))


def _table(record_type: RecordType, names: tuple[str, ...]) -> str:
    fields = fields_of(record_type)
    return HEAD + "".join(_row(fields[name]) for name in names)


def _row(field: Field) -> str:
    required = "yes" if field.required else "no"
    if field.default not in (None, ()):
        default = field.default
        required = f"no: `{str(default).lower() if isinstance(default, bool) else default}`"
    return f"| `{field.name}` | {_value(field)} | {required} | {field.description} |\n"


def _value(field: Field) -> str:
    match field.shape:
        case "choice":
            return ", ".join(f"`{choice}`" for choice in field.choices)
        case "flag":
            return "`true` or `false`"
        case "texts":
            return f"list: {_text(field)}"
        case "text":
            return _text(field)
        case "time" | "claims":
            return field.shape


def _text(field: Field) -> str:
    if field.max_length == _ID_LENGTH:
        return "id"
    return _BY_PATTERN.get(field.pattern, "text") if field.pattern else "text"
