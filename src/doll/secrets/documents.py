"""Scans a parsed JSON document: every text in it, with its JSON Pointer.

Escapes hide nothing here, and a member's name counts for its value (`{"password": "…"}`).
"""

from collections.abc import Iterator
from typing import NamedTuple

from doll.secrets import names, values
from doll.secrets.hits import Hit
from doll.secrets.masking import mask
from doll.secrets.scanning import scan


class _Node(NamedTuple):
    """A value, its pointer, and the telling name that it stands under."""

    pointer: str
    value: object
    kind: str | None = None


class _Name(NamedTuple):
    """A member's name: what is found in it, how it stands in a pointer, what it announces."""

    hits: tuple[Hit, ...]
    token: str
    kind: str | None


def scan_document(document: object) -> tuple[Hit, ...]:
    """Return the secrets in the names and texts of a parsed JSON `document`, in its own order.

    `line`, `column`, `start` and `end` count within the text that the hit's `pointer` names; for a
    secret in a member's name the pointer is the member's, with the name masked.
    """
    return tuple(_hits(document))


def text_at(document: object, pointer: str) -> str:
    """Return the text that a pointer of a hit leads to, "" where it is the name of a member."""
    node = document
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(node, dict):
            node = node.get(name)
        elif isinstance(node, list | tuple) and name.isdecimal() and int(name) < len(node):
            node = node[int(name)]
        else:
            return ""
    return node if isinstance(node, str) else ""


def _hits(document: object) -> Iterator[Hit]:
    waiting = [_Node("", document)]
    names_seen: dict[str, _Name] = {}
    while waiting:
        node = waiting.pop()
        if isinstance(node.value, str):
            yield from _in_text(node, node.value)
        elif isinstance(node.value, dict):
            members = []
            for key, value in node.value.items():
                name = names_seen.get(key) or names_seen.setdefault(key, _name(str(key)))
                member = _Node(f"{node.pointer}/{name.token}", value, name.kind)
                yield from (_at(hit, member.pointer) for hit in name.hits)
                members.append(member)
            waiting += reversed(members)
        elif isinstance(node.value, list):
            items = [_Node(f"{node.pointer}/{i}", v, node.kind) for i, v in enumerate(node.value)]
            waiting += reversed(items)


def _name(key: str) -> _Name:
    token = mask(key).replace("~", "~0").replace("/", "~1")
    return _Name(scan(key), token, names.kind_of_key(key))


def _in_text(node: _Node, text: str) -> Iterator[Hit]:
    hits = scan(text)
    if hits:
        yield from (_at(hit, node.pointer) for hit in hits)
        return
    if node.kind is None:
        return
    password = names.is_password(node.kind)
    if values.is_secret(text, password=password, context="quoted"):
        kind = "password-assignment" if password else "secret-assignment"
        yield Hit(kind, 1, 1, node.pointer, 0, len(text))


def _at(hit: Hit, pointer: str) -> Hit:
    return hit._replace(pointer=pointer)
