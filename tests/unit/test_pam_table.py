"""The mapping of PAM against the published schema, and the adapters that the page names."""

from collections.abc import Iterator
from typing import Any

import msgspec

from doll.interchange.pam import schema
from doll.interchange.pam.fields import FIELDS
from doll.interchange.registry import ADAPTERS, adapter
from doll.records.model import Memory
from tests.mapping_tables import BECOMES, DOC


def test_every_field_of_the_published_schema_has_a_rule() -> None:
    rules = {rule.field for rule in FIELDS}
    published = schema.published()
    for pointer in _pointers(published, published["$defs"], ""):
        parts = pointer.split("/")
        above = {"/".join(parts[:n]) for n in range(2, len(parts) + 1)}
        above |= {f"{each}/*" for each in above}
        assert above & rules, pointer


def _pointers(node: dict[str, Any], definitions: Any, pointer: str) -> Iterator[str]:
    if "$ref" in node:
        node = definitions[node["$ref"].rpartition("/")[2]]
    if "properties" in node:
        for name, inner in node["properties"].items():
            yield from _pointers(inner, definitions, f"{pointer}/{name}")
    elif node.get("type") == "array" and pointer in ("/memories", "/relations"):
        yield from _pointers(node["items"], definitions, f"{pointer}/*")
    else:
        yield pointer


def test_every_rule_names_a_field_of_the_schema() -> None:
    published = schema.published()
    pointers = set(_pointers(published, published["$defs"], ""))
    for rule in FIELDS:
        stem = rule.field.removesuffix("/*")
        assert any(each == stem or each.startswith(f"{stem}/") for each in pointers), rule.field


def test_fields_that_values_go_to_are_fields_of_a_memory() -> None:
    names = {field.name for field in msgspec.structs.fields(Memory)}
    for rule in FIELDS:
        if rule.becomes.startswith("field "):
            assert rule.becomes.removeprefix("field ") in names
        else:
            assert rule.becomes in BECOMES
        assert (
            rule.reason or rule.becomes in ("body", "report", "checked") or "field" in rule.becomes
        )


def test_the_document_names_every_adapter_with_its_version() -> None:
    text = DOC.read_text(encoding="utf-8")
    for name in ADAPTERS:
        assert f"`{name}`, version {adapter(name).version}" in text
