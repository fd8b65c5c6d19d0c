"""What the annotations of the record types say, as plain values.

One reading of `doll.records.model` for the checks, the JSON Schemas and the field tables.
"""

import functools
from datetime import datetime
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    NamedTuple,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec

from doll.records.model import STRUCTS, RecordType

if TYPE_CHECKING:
    from msgspec import inspect

Shape = Literal["text", "texts", "flag", "time", "choice", "claims"]

_SHAPES: dict[object, Shape] = {
    str: "text",
    tuple: "texts",
    bool: "flag",
    datetime: "time",
    Literal: "choice",
    dict: "claims",
}


class Field(NamedTuple):
    """One field of a record type.

    `choices` are the allowed texts of a choice; `pattern`, `min_length` and `max_length` bound a
    text or each entry of a list. `type` is the annotation that msgspec converts to.
    """

    name: str
    shape: Shape
    required: bool
    description: str
    choices: tuple[str, ...]
    pattern: str | None
    min_length: int | None
    max_length: int | None
    default: object
    type: Any


@functools.cache
def shapes_of(record_type: RecordType) -> dict[str, Shape]:
    """Return the shape of each field by name: all that reading a sound record has to know."""
    hints = get_type_hints(STRUCTS[record_type])
    return {name: _shape(hint) for name, hint in hints.items()}


def _shape(hint: Any) -> Shape:
    if get_origin(hint) in (Union, UnionType):
        hint = next(each for each in get_args(hint) if each is not NoneType)
    return _SHAPES[get_origin(hint) or hint]


@functools.cache
def fields_of(record_type: RecordType) -> dict[str, Field]:
    """Return the fields of a record type by name, in the order in which doll writes them.

    Type-specific fields that readers look for first come before the shared bookkeeping.
    """
    hints = get_type_hints(STRUCTS[record_type], include_extras=True)
    shapes, infos = shapes_of(record_type), _info(record_type).fields
    fields = {info.name: _field(info, hints[info.name], shapes[info.name]) for info in infos}
    return {name: fields[name] for name in _written_order(tuple(fields))}


_FIRST = ("schema", "title", "summary")
_LAST = (
    "tags",
    "aliases",
    "sensitivity",
    "created",
    "updated",
    "origin",
    "origin_adapter",
    "origin_source",
    "origin_id",
    "origin_sha256",
    "updates",
    "claims",
    "reviewed_by",
    "reviewed_at",
    "reviewed_sha256",
    "review",
    "review_reason",
)


def _written_order(names: tuple[str, ...]) -> list[str]:
    between = [name for name in names if name not in _FIRST and name not in _LAST]
    return [*_FIRST, *between, *_LAST]


def _info(record_type: RecordType) -> "inspect.StructType":
    from msgspec import inspect

    info = inspect.type_info(STRUCTS[record_type])
    assert isinstance(info, inspect.StructType)
    return info


def _field(field: "inspect.Field", annotation: Any, shape: Shape) -> Field:
    from msgspec import inspect

    kind, description = _unwrap(field.type)
    item = kind.item_type if isinstance(kind, inspect.VarTupleType) else kind
    if isinstance(item, inspect.Metadata):
        item = item.type
    text = item if isinstance(item, inspect.StrType) else None
    return Field(
        name=field.name,
        shape=shape,
        required=field.required,
        description=description,
        choices=_choices(annotation),
        pattern=text.pattern if text else None,
        min_length=text.min_length if text else None,
        max_length=text.max_length if text else None,
        default=None if field.required else _default(field),
        type=annotation,
    )


def _default(field: "inspect.Field") -> object:
    return None if field.default is msgspec.NODEFAULT else field.default


def _choices(annotation: Any) -> tuple[str, ...]:
    """Return the texts of the `Literal` in an annotation, in the order in which they stand there.

    msgspec's own view of them is sorted.
    """
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    parts = getattr(annotation, "__origin__", None), *get_args(annotation)
    found = (_choices(part) for part in parts if part is not None and part is not annotation)
    return next((choices for choices in found if choices), ())


def _unwrap(kind: "inspect.Type") -> tuple["inspect.Type", str]:
    """Return the type without its metadata and without `| None`, and the description."""
    from msgspec import inspect

    description = ""
    while True:
        if isinstance(kind, inspect.Metadata):
            description = (kind.extra_json_schema or {}).get("description", description)
            kind = kind.type
        elif isinstance(kind, inspect.UnionType):
            kind = next(t for t in kind.types if not isinstance(t, inspect.NoneType))
        else:
            return kind, description
