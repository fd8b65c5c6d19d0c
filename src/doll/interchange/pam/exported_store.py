"""A whole PAM store from its memories: what stands around them, the checksum, the bytes.

Pure, and the same for the same values: no clock, no random id. Each memory is one line, so that two
exports can be compared line by line.
Source: PAM specification v1.0, sections 17 and 18; RFC 8785.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from doll.interchange.pam import signing
from doll.interchange.pam.envelope import SCHEMA, VERSION
from doll.interchange.pam.integrity import canonical
from doll.records.digest import sha256

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

SPECIFICATION = "https://portable-ai-memory.org/spec/v1.0"
EXPORTED_BY = '"exported_by": "doll/'
# Files that begin so are exports of doll's.
BEGINNING = f'{{\n  "schema": "{SCHEMA}",\n'


class Base(NamedTuple):
    """The earlier export that an incremental one starts from.

    `memories` are SHA-256 (64 hex digits) of its memories by id, `links` the types and ends of the
    relations that start from each.
    """

    export_id: str
    export_date: str
    memories: Mapping[str, str]
    links: Mapping[str, frozenset[tuple[str, str]]] = {}


class Statement(NamedTuple):
    """What an export says of itself. `version` is doll's; `export_date` RFC 3339."""

    owner: str
    export_date: str
    version: str
    base: Base | None = None


class Store(NamedTuple):
    """An export: its bytes, and what it is known by."""

    data: bytes
    export_id: str
    checksum: str
    public_key: str


def memory_digests(memories: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return SHA-256 (64 hex digits) of the RFC 8785 bytes of each encoded memory, by id."""
    return {each["id"]: sha256(_canonical(each)) for each in memories}


def _canonical(memory: Mapping[str, Any]) -> bytes:
    """Return the RFC 8785 bytes of a memory that doll encoded.

    It holds no numbers, and its names are ASCII: for such values msgspec writes that form, and
    thirty times as fast as what can write it for any.
    """
    return msgspec.json.encode(memory, order="sorted")


def _checksum(memories: Iterable[Mapping[str, Any]]) -> str:
    """Return the checksum of memories that are sorted by id."""
    return f"sha256:{sha256(b'[' + b','.join(map(_canonical, memories)) + b']')}"


def assemble(
    memories: Sequence[Mapping[str, Any]],
    relations: Sequence[Mapping[str, str]],
    statement: Statement,
    key: "Ed25519PrivateKey | None",
) -> Store:
    """Return the store of these memories, sorted by id; signed where there is a key."""
    ordered = sorted(memories, key=lambda each: str(each["id"]))
    checksum = _checksum(ordered)
    base = statement.base
    head: dict[str, Any] = {
        "schema": SCHEMA,
        "schema_version": VERSION,
        "spec_uri": SPECIFICATION,
        "export_id": "",
        "exported_by": f"doll/{statement.version}",
        "export_date": statement.export_date,
        "owner": {"id": statement.owner},
    }
    tail: dict[str, Any] = {
        "integrity": {
            "canonicalization": "RFC8785",
            "checksum": checksum,
            "total_memories": len(ordered),
        },
        "export_type": "incremental" if base else "full",
    }
    if base:
        tail |= {"base_export_id": base.export_id, "since": base.export_date}
    head["export_id"] = _export_id(head | tail, relations)
    public_key = ""
    if key is not None:
        tail["signature"] = signing.block(key, head, checksum)
        public_key = tail["signature"]["public_key"]
    data = "".join(_text(head, ordered, relations, tail)).encode()
    return Store(data, head["export_id"], checksum, public_key)


def _export_id(stated: Mapping[str, Any], relations: Sequence[Mapping[str, str]]) -> str:
    """Return a name that only an export with the same content has."""
    data = canonical({**stated, "relations": list(relations)})
    assert data is not None, "texts and whole numbers have an RFC 8785 form"
    return f"doll-{sha256(data)[:32]}"


def _text(
    head: Mapping[str, Any],
    memories: Sequence[Mapping[str, Any]],
    relations: Sequence[Mapping[str, str]],
    tail: Mapping[str, Any],
) -> Iterator[str]:
    yield "{\n"
    yield from (f'  "{name}": {_line(value)},\n' for name, value in head.items())
    yield from _list("memories", memories)
    yield from _list("relations", relations)
    last = len(tail) - 1
    for number, (name, value) in enumerate(tail.items()):
        yield f'  "{name}": {_line(value)}{"," if number < last else ""}\n'
    yield "}\n"


def _list(name: str, values: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if not values:
        yield f'  "{name}": [],\n'
        return
    yield f'  "{name}": [\n'
    last = len(values) - 1
    for number, value in enumerate(values):
        yield f"    {_line(value)}{',' if number < last else ''}\n"
    yield "  ],\n"


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
