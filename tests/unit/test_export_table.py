"""The mapping table of exports in docs/interchange.md against the code, and against the fields."""

import re

from doll.interchange.pam import schema
from doll.interchange.pam.encoding import PLATFORM, Exportable, encode
from doll.interchange.pam.export_fields import BODY, FIELDS, ID, LINKS, OTHER
from doll.records.model import Memory
from doll.render.export_values import FAULTS, REASONS
from tests.exports import DATE
from tests.mapping_tables import section

TITLE = "Export: Portable AI Memory"
ROW = re.compile(r"^\| `([a-z_0-9*]+)` \| (.*?) \| (.*?) \|$", re.MULTILINE)


def test_the_document_says_what_the_code_does() -> None:
    expected = [(rule.field, _words(rule.becomes), rule.reason or "—") for rule in FIELDS]
    assert ROW.findall(section(TITLE)) == expected


def _words(becomes: str) -> str:
    if becomes in ("", "checked"):
        return becomes or "—"
    return f"`{becomes}`"


def test_every_field_of_a_memory_has_a_row_and_no_other() -> None:
    rows = [rule.field for rule in FIELDS]
    assert len(set(rows)) == len(rows)
    assert set(rows) == {*Memory.__struct_fields__, ID, BODY, OTHER}


def test_what_goes_nowhere_says_why() -> None:
    assert all(rule.reason for rule in FIELDS if not rule.becomes)


def test_fields_become_fields_of_the_published_schema() -> None:
    definitions = schema.published()["$defs"]
    memory = definitions["MemoryObject"]["properties"]
    for rule in FIELDS:
        if rule.becomes.startswith("/memories/*/"):
            first, _, second = rule.becomes.removeprefix("/memories/*/").partition("/")
            assert first in memory
            assert not second or second in definitions["TemporalBlock"]["properties"]
    kinds = definitions["RelationObject"]["properties"]["type"]["enum"]
    assert set(LINKS.values()) <= set(kinds)


def test_every_kind_of_memory_is_a_type_of_the_format() -> None:
    types = schema.published()["$defs"]["MemoryType"]["enum"]
    kinds = [kind for kind in types if kind != "custom"]
    for kind in kinds:
        memory = encode(Exportable("x", Memory(kind=kind), "x"), DATE).memory
        assert (memory["type"], memory["custom_type"]) == (kind, None)
    memory = encode(Exportable("x", Memory(), "x"), DATE).memory
    assert (memory["type"], memory["custom_type"]) == ("custom", "doll_memory")
    assert memory["provenance"] == {"platform": PLATFORM}


def test_the_document_lists_every_reason() -> None:
    text = section(TITLE)
    for reason, words in REASONS.items():
        assert f"| `{reason}` | {words} |" in text
    assert set(FAULTS) <= REASONS.keys()
