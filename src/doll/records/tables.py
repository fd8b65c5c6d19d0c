"""The field tables of docs/vault-format.md, made from the record types.

Reads annotations and nothing else; it knows no file, no page and no codec. A test holds the page
to what stands here, so a field that changes in `doll.records.model` changes there too.
"""

from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from doll.records import model
from doll.records.model import STRUCTS, RecordType

HEAD = "| field | value | required | meaning |\n|---|---|---|---|\n"

_WORDS: tuple[tuple[Any, str], ...] = (
    (str, "text"),
    (model.Text, "text"),
    (model.Time, "time"),
    (model.Digest, "digest"),
    (model.Reference, "id"),
    (model.Action, "action"),
    (model.Glob, "glob"),
    (model.ScopeEntry, "`key=value`"),
    (bool, "`true` or `false`"),
    (dict[str, str], "claims"),
)


def common_table() -> str:
    """Return the Markdown table of the fields that every record may have."""
    return _table(model.Common)


def field_table(record_type: RecordType) -> str:
    """Return the Markdown table of the fields that `record_type` has beside the common ones."""
    return _table(STRUCTS[record_type])


def _table(struct: type[msgspec.Struct]) -> str:
    hints = get_type_hints(struct, include_extras=True)
    fields = {field.name: field for field in msgspec.structs.fields(struct)}
    return HEAD + "".join(_row(fields[name], hints[name]) for name in struct.__annotations__)


def _row(field: msgspec.structs.FieldInfo, hint: Any) -> str:
    kind, meaning = _split(hint)
    value = _value(kind).replace("|", "\\|")
    return f"| `{field.name}` | {value} | {_required(field)} | {meaning} |\n"


def _split(hint: Any) -> tuple[Any, str]:
    """Return what a field holds without its description, and the description."""
    base, *metas = get_args(hint)
    inner = metas[:-1]
    return (Annotated[(base, *inner)] if inner else base), metas[-1].description


def _value(kind: Any) -> str:
    for known, word in _WORDS:
        if kind == known:
            return word
    members = [member for member in get_args(kind) if member not in (NoneType, Ellipsis)]
    if get_origin(kind) is Literal:
        return ", ".join(f"`{member}`" for member in members)
    if get_origin(kind) is tuple:
        return f"list: {_value(members[0])}"
    if len(members) == 1:  # something or None
        return _value(members[0])
    raise TypeError(f"no word for {kind!r}")


def _required(field: msgspec.structs.FieldInfo) -> str:
    if field.required:
        return "yes"
    if field.default in (msgspec.NODEFAULT, None, ()):
        return "no"
    default = str(field.default).lower() if isinstance(field.default, bool) else field.default
    return f"no: `{default}`"
