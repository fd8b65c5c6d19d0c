"""One record as a memory of a store: any record, its links, its times, its losses."""

import json
from datetime import UTC, datetime
from typing import Any, cast

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doll.interchange.base import Document, Options
from doll.interchange.pam import schema
from doll.interchange.pam.adapter import PamAdapter
from doll.interchange.pam.encoding import Exportable, Lost, content_of, encode, relations
from doll.interchange.pam.export_fields import FIELDS, LINKS
from doll.interchange.pam.exported_store import Base, Statement, assemble, memory_digests
from doll.records.model import Memory
from tests.exports import DATE, checked, survives
from tests.pam_documents import KEY, Json
from tests.record_strategies import bodies, fields, times

STATEMENT = Statement("ada", "2026-11-30T12:00:00Z", "1.2.3")
MEDIA = schema.validator(None)


@st.composite
def records(draw: st.DrawFn) -> list[Exportable]:
    """Some exportable records with distinct ids that may name each other."""
    names = draw(st.lists(st.sampled_from(("tea", "a b", "küche", "x.y", "Z")), unique=True))
    found = []
    for name in names:
        said = cast("Memory", draw(fields(types=("memory",))))
        record = Exportable(name, said, draw(bodies), ("schema", "odd"), draw(st.none() | times))
        if content_of(record)[0]:
            found.append(record)
    return found


def stored(found: list[Exportable], base: Base | None = None) -> Json:
    """Return the store of these records, as it is read back from its bytes."""
    encoded = {record.id: encode(record, DATE).memory for record in found}
    links, _ = relations(found, encoded)
    statement = STATEMENT._replace(base=base)
    document: Json = json.loads(assemble(list(encoded.values()), links, statement, KEY).data)
    return document


@settings(max_examples=25)
@given(records())
def test_any_record_makes_a_memory_that_the_format_allows(found: list[Exportable]) -> None:
    document = checked(stored(found))
    MEDIA.validate(document)
    jsonschema.Draft202012Validator(schema.published()).validate(document)
    by_id = {memory["id"]: memory for memory in document["memories"]}
    assert by_id.keys() == {record.id for record in found}
    for record in found:
        assert by_id[record.id]["content"] == content_of(record)[0]
        assert by_id[record.id]["type"] == (record.fields.kind or "custom")


@settings(max_examples=20)
@given(records())
def test_what_an_import_makes_of_it_says_the_same(found: list[Exportable]) -> None:
    document = stored(found)
    data = json.dumps(document).encode()
    decoded = PamAdapter().decode(Document("x.json", data), Options())
    assert decoded.facts["checksum"] == decoded.facts["signature"] == "verified"
    again = {
        candidate.source_id: encode(
            Exportable("again", cast("Memory", candidate.fields), candidate.body), DATE
        ).memory
        for candidate in decoded.candidates
    }
    for memory in document["memories"]:
        if memory["id"] in again:
            assert survives(again[memory["id"]]) == survives(memory)
    assert len(again) + len(decoded.parked) == len(found)


@settings(max_examples=20)
@given(records())
def test_every_field_of_a_record_is_exported_or_lost(found: list[Exportable]) -> None:
    kept = {rule.field for rule in FIELDS if not rule.reason} | {"summary", *LINKS}
    for record in found:
        memory, lost = encode(record, DATE)
        named = {each.field for each in lost}
        assert {"id", "odd"} <= named
        for name in Memory.__struct_fields__:
            said = getattr(record.fields, name) != getattr(Memory(), name)
            if said and name not in kept and content_of(record)[1] != name:
                assert name in named or (name == "tags" and memory["tags"])


def test_the_order_of_the_records_does_not_matter() -> None:
    found = [Exportable(name, Memory(related=("tea",)), f"{name}\n") for name in ("z", "tea", "Ä")]
    assert stored(found) == stored(found[::-1])
    assert [memory["id"] for memory in stored(found)["memories"]] == ["tea", "z", "Ä"]


def test_each_memory_is_one_line() -> None:
    record = Exportable("tea", Memory(), "a\nb\u2028c\r\n")
    data = assemble([encode(record, DATE).memory], [], STATEMENT, None).data
    assert len(data.decode().split("\n")) == 16
    assert "\u2028" in data.decode()


@pytest.mark.parametrize(
    ("tags", "kept", "lost"),
    [
        (("a", "b-2_c"), ["a", "b-2_c"], []),
        (("Tea", "#tea", "tea"), ["tea"], ["Tea became tea", "#tea became tea"]),
        (("home / kitchen",), ["home-kitchen"], ["home / kitchen became home-kitchen"]),
        (("küche", "-x", "", " "), [], ["küche is left out", "-x is left out",
                                        " is left out", "  is left out"]),
        (("tea\n",), ["tea"], ["tea\n became tea"]),
    ],
)  # fmt: skip
def test_tags_take_the_form_of_the_format(
    tags: tuple[str, ...], kept: list[str], lost: list[str]
) -> None:
    found = encode(Exportable("tea", Memory(tags=tags), "x"), DATE)
    assert found.memory["tags"] == kept
    assert [each.detail for each in found.lost if each.field == "tags"] == lost


def test_the_time_of_creation_is_never_invented() -> None:
    moments: Any = [datetime(2024, 1, day, tzinfo=UTC) for day in (1, 2)]
    written = Memory(created=moments[0])
    for record, created in (
        (Exportable("tea", written, "x", since=moments[1]), "2024-01-01T00:00:00Z"),
        (Exportable("tea", Memory(), "x", since=moments[1]), "2024-01-02T00:00:00Z"),
        (Exportable("tea", Memory(), "x"), "2026-11-30T12:00:00Z"),
    ):
        assert encode(record, DATE).memory["temporal"] == {"created_at": created}


def test_links_by_alias_to_itself_and_to_two() -> None:
    found = [
        Exportable("tea", Memory(aliases=("chai",), related=("[[chai]]", "TEA")), "x"),
        Exportable("milk", Memory(related=("[[CHAI]]", "tea"), contradicts=("twin",)), "x"),
        Exportable("one", Memory(aliases=("twin",)), "x"),
        Exportable("two", Memory(aliases=("twin",)), "x"),
    ]
    encoded = {record.id: encode(record, DATE).memory for record in found}
    links, lost = relations(found, encoded)
    assert [(each["from"], each["type"], each["to"]) for each in links] == [
        ("milk", "related_to", "tea")
    ]
    assert lost == {"tea": (Lost("related"),), "milk": (Lost("contradicts"),)}


def test_the_name_of_an_export_follows_from_all_that_it_holds() -> None:
    record = Exportable("tea", Memory(created=DATE), "x")
    plain = stored([record])
    other = [
        stored([record._replace(body="y")]),
        stored([record, Exportable("milk", Memory(related=("tea",)), "x")]),
        stored([record], Base("doll-1", "2026-01-01T00:00:00Z", {})),
    ]
    assert len({each["export_id"] for each in (plain, *other)}) == 4
    assert stored([record])["export_id"] == plain["export_id"]


def test_digests_of_memories_are_those_of_an_import() -> None:
    document = stored([Exportable("tea", Memory(), "x"), Exportable("milk", Memory(), "y")])
    data = json.dumps(document).encode()
    decoded = PamAdapter().decode(Document("x.json", data), Options())
    found = {candidate.source_id: candidate.entry_digest for candidate in decoded.candidates}
    assert memory_digests(document["memories"]) == found
