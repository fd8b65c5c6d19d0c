"""docs/vault-format.md says of every field what the record types say."""

import json
import re
from pathlib import Path

import pytest

from doll.records.codec import parse
from doll.records.model import STRUCTS, TYPES, Common, RecordType
from doll.records.tables import common_table, field_table
from doll.vault.settings import parse_settings

PAGE = Path(__file__).resolve().parents[2] / "docs" / "vault-format.md"


def _block(name: str) -> str:
    text = PAGE.read_text(encoding="utf-8")
    found = re.findall(rf"<!-- fields: {name} -->\n(.*?)<!-- /fields -->", text, re.DOTALL)
    assert len(found) == 1, f"the page has {len(found)} blocks for {name}"
    return str(found[0])


def _expect(name: str, table: str) -> None:
    wanted = f"\n{table}\n"
    assert _block(name) == wanted, f"docs/vault-format.md, {name}: the table must be\n{wanted}"


def test_the_common_fields() -> None:
    _expect("common", common_table())


@pytest.mark.parametrize("name", TYPES)
def test_the_fields_of_a_type(name: RecordType) -> None:
    _expect(name, field_table(name))


@pytest.mark.parametrize("name", TYPES)
def test_the_tables_have_every_field_once(name: RecordType) -> None:
    rows = re.findall(r"(?m)^\| `(\w+)` \|", field_table(name))
    assert rows == list(STRUCTS[name].__annotations__)
    assert set(rows) | set(Common.__annotations__) == set(STRUCTS[name].__struct_fields__)


def test_the_examples_of_the_page_are_valid() -> None:
    settings, claims = (
        block
        for start in ("format: 1", "claims:")
        for block in re.findall(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
        if block.startswith(start)
    )
    assert parse_settings(settings.encode())[1] == ()
    parsed = parse(f"---\n{claims}---\n".encode(), "confirmed/one.md", "one", "memory")
    assert parsed.problems == ()
    assert parsed.record is not None
    values = {pointer: json.loads(text) for pointer, text in parsed.record.fields.claims.items()}
    assert values["/provenance/conversation_ref"] == "conv-0001"


def test_the_glossary_is_in_order() -> None:
    text = PAGE.with_name("glossary.md").read_text(encoding="utf-8")
    terms = re.findall(r"(?m)^\*\*([^*]+)\*\* — \S", text)
    assert len(terms) > 50
    assert text.count("\n**") == len(terms)
    assert terms == sorted(terms, key=str.casefold)
