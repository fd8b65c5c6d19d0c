"""Entries that no record file can hold exactly are parked with a reason; the others go on."""

import json
from typing import Any

import pytest

from doll.errors import CODES
from doll.interchange.base import Decoded, Document, Options, Parked
from doll.interchange.pam.adapter import PamAdapter
from doll.records import codec
from doll.records.limits import MAX_FILE_BYTES
from tests.pam_documents import Json, encoded, memory, relation, sealed, store


def decode(document: Json | bytes) -> Decoded:
    data = document if isinstance(document, bytes) else encoded(document)
    return PamAdapter().decode(Document("export.json", data), Options())


def parked(each: Json, **changes: Any) -> Parked:
    """Decode a store with a good memory and `each`; return the one that was parked."""
    decoded = decode(store(memory(), each, **changes))
    assert [found.source_id for found in decoded.candidates] == ["mem-1"]
    (found,) = decoded.parked
    assert found.pointer == "/memories/1"
    assert found.code in CODES
    f"{found.source_id}{found.reason}".encode()
    return found


def surrogate_store(**changes: Any) -> bytes:
    """Return a store whose second memory holds half of a surrogate pair somewhere."""
    document = store(memory(), memory("Other.", id="mem-2"))
    document["memories"][1] |= changes
    return json.dumps(document).encode()


def test_a_nul_byte() -> None:
    assert parked(memory("a\0b", id="x")).code == "file.nul"


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"content": "half \ud83d"}, "/content"),
        ({"summary": "\udfff"}, "/summary"),
        ({"metadata": {"deep": [{"a": "\ud800"}]}}, "/metadata/deep/0/a"),
        ({"metadata": {"\ud800": 1}}, "/metadata/\\ud800"),
        ({"id": "\ud800"}, "/id"),
    ],
)
def test_half_of_a_surrogate_pair(change: Json, place: str) -> None:
    decoded = decode(surrogate_store(**change))
    (found,) = decoded.parked
    assert (found.pointer, found.code) == ("/memories/1", "text.surrogate")
    assert place in found.reason
    found.source_id.encode()
    assert [each.source_id for each in decoded.candidates] == ["mem-1"]


def test_the_checksum_is_not_checkable_then_and_that_is_said() -> None:
    decoded = decode(surrogate_store(content="half \ud83d"))
    assert decoded.facts["checksum"] == "not_checkable"
    (problem,) = decoded.problems
    assert (problem.code, problem.severity) == ("pam.checksum_not_checkable", "warning")


def test_the_other_hashes_are_still_checked_then() -> None:
    data = surrogate_store(content="half \ud83d").replace(b"Prefers tea", b"Prefers bee")
    with pytest.raises(Exception, match="1 problem"):
        decode(data)


def test_a_whole_surrogate_pair_is_just_a_character() -> None:
    data = json.dumps(store(memory("tea \U0001f375"))).encode()
    assert b"\\ud83c\\udf75" in data
    assert decode(data).candidates[0].body == "tea \U0001f375"


@pytest.mark.parametrize("number", ["9007199254740992", "-12345678901234567890", "1e999"])
def test_numbers_that_no_double_holds(number: str) -> None:
    document = store(memory(), memory("Other.", id="x", metadata={"n": 7}))
    decoded = decode(encoded(document).replace(b'"n": 7', b'"n": ' + number.encode()))
    (found,) = decoded.parked
    assert (found.code, found.source_id) == ("json.number", "x")
    assert found.reason.startswith("/metadata/n ")


def test_the_largest_whole_number_is_kept() -> None:
    found = decode(store(memory(metadata={"n": 2**53 - 1}))).candidates[0]
    assert found.fields.claims["/metadata/n"] == str(2**53 - 1)


def test_one_megabyte_is_imported_exactly() -> None:
    content = "Tee für zwei ☕\r\n---\n" * 45_000
    assert len(content.encode()) > 1_000_000
    found = decode(store(memory(content))).candidates[0]
    assert codec.parse(codec.render(found.fields, content), "x.md", "x", "memory").body == content


@pytest.mark.parametrize("character", ["a", "€", "🫖"])
def test_more_than_a_record_holds(character: str) -> None:
    limit = MAX_FILE_BYTES // len(character.encode())
    assert parked(memory(character * limit, id="x")).code == "file.too_large"
    smaller = decode(store(memory(character * (limit - 2000))))
    assert (len(smaller.candidates), smaller.parked) == (1, ())


@pytest.mark.parametrize(
    "change",
    [
        {"summary": "s" * 70_000},
        {"summary": "\u2028" * 11_000},
        {"metadata": {"notes": "n" * 70_000}},
        {"metadata": {f"name{n}": n for n in range(4_000)}},
        {"id": "i" * 70_000},
        {"tags": [f"tag-{n}" for n in range(9_000)]},
    ],
)
def test_more_than_front_matter_holds(change: Json) -> None:
    found = parked(memory(**{"id": "x", **change}))
    assert found.code == "frontmatter.too_large"


def test_more_relations_than_front_matter_holds() -> None:
    edges = [relation("x", "mem-1", id=str(n)) for n in range(600)]
    assert parked(memory("Hub.", id="x"), relations=edges).code == "frontmatter.too_large"


@pytest.mark.parametrize("length", [990, 1010, 5000])
def test_long_names_of_metadata(length: int) -> None:
    each = memory("Other.", id="x", metadata={"k" * length: 1})
    decoded = decode(store(each))
    assert len(decoded.candidates) + len(decoded.parked) == 1
    assert bool(decoded.parked) is (length > 1000)


def test_what_git_would_take_for_a_conflict() -> None:
    content = "Notes:\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n"
    found = parked(memory(content, id="x"))
    assert found.code == "file.conflict_marker"


def test_nothing_else_is_parked_by_its_text() -> None:
    contents = [
        "---\nschema: doll/policy/1\neffect: deny\n---\nbody",
        "---",
        "\r\n\r\r\n",
        " ",
        "\ufeff---\n",
        "a\u2028b\u0085c\x1b[31m\u202e",
        "=======\n<<<<<<< x\n",
        "%YAML 1.2\n...\n",
        "\x7f\ufffe\U0010ffff",
    ]
    decoded = decode(store(*(memory(text, id=str(n)) for n, text in enumerate(contents))))
    assert decoded.parked == ()
    for found, content in zip(decoded.candidates, contents, strict=True):
        parsed = codec.parse(codec.render(found.fields, found.body), "x.md", "x", "memory")
        assert parsed.body == content
        assert parsed.record is not None


def test_a_parked_memory_is_no_loss_and_no_candidate() -> None:
    document = sealed(store(memory("a\0b", status="active")))
    decoded = decode(document)
    assert decoded.candidates == ()
    assert [loss for loss in decoded.losses if loss.field.startswith("/memories")] == []
