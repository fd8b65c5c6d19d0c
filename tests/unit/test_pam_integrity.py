"""Content hashes, checksum, signature: verified on the raw JSON, and never more than that."""

import hashlib
import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from doll.errors import InvalidDocumentError
from doll.interchange.base import Decoded, Document, Options
from doll.interchange.pam import public_keys
from doll.interchange.pam.adapter import PamAdapter
from tests.pam_documents import (
    Json,
    canonical,
    encoded,
    full_memory,
    memory,
    multibase,
    sealed,
    sha256,
    signed,
    store,
)


def decode(document: Json | bytes, *, accept: bool = False) -> Decoded:
    data = document if isinstance(document, bytes) else encoded(document)
    return PamAdapter().decode(Document("export.json", data), Options(accept))


def codes(document: Json | bytes) -> set[tuple[str, str]]:
    with pytest.raises(InvalidDocumentError) as caught:
        decode(document)
    return {(problem.code, problem.pointer) for problem in caught.value.problems}


def test_the_specification_s_own_example(foreign: Path) -> None:
    data = (foreign / "pam" / "example-memory-store.json").read_bytes()
    decoded = decode(data)
    assert len(decoded.candidates) == 5
    assert decoded.parked == ()
    assert decoded.facts["checksum"] == "verified"
    assert decoded.facts["signature"] == "not_checkable"
    assert decoded.source_digest == hashlib.sha256(data).hexdigest()
    lost = {loss.field: loss.count for loss in decoded.losses}
    for field in ("confidence/current", "access/visibility", "embedding_ref", "status"):
        assert lost[f"/memories/*/{field}"] == 5
    assert lost["/memories/*/access/shared_with"] == 2
    assert lost["/relations/*"] == 3


def test_one_changed_byte_of_the_example_is_refused(foreign: Path) -> None:
    data = (foreign / "pam" / "example-memory-store.json").read_bytes()
    changed = data.replace(b"15 Scrapy web", b"16 Scrapy web")
    assert codes(changed) == {
        ("pam.content_hash", "/memories/1/content_hash"),
        ("pam.checksum", "/integrity/checksum"),
    }
    assert codes(data.replace(b'"current": 0.88', b'"current": 0.89')) == {
        ("pam.checksum", "/integrity/checksum")
    }


@pytest.mark.parametrize("keep", [0.1, 0.5, 0.9, 0.999])
def test_the_truncated_example_is_refused(foreign: Path, keep: float) -> None:
    data = (foreign / "pam" / "example-memory-store.json").read_bytes()
    cut = data[: int((len(data) - 2) * keep)]
    assert {code for code, _ in codes(cut)} <= {"json.truncated", "json.syntax"}


def test_nulls_count_in_the_checksum() -> None:
    document = store(memory(summary=None, custom_type=None))
    assert decode(document).facts["checksum"] == "verified"
    del document["memories"][0]["summary"]
    assert codes(document) == {("pam.checksum", "/integrity/checksum")}


def test_the_checksum_is_over_memories_sorted_by_id() -> None:
    ids = ["b", "a", "B", "10", "9", "\u00e9"]
    assert decode(store(*(memory(id=each) for each in ids))).facts["checksum"] == "verified"


def test_ids_may_be_sorted_by_code_points_or_by_utf_16_units() -> None:
    document = store(memory(id="\U0001f375"), memory(id="\uff21"))
    assert decode(document).facts["checksum"] == "verified"
    by_units = sorted(document["memories"], key=lambda each: str(each["id"]).encode("utf-16-be"))
    assert by_units != sorted(document["memories"], key=lambda each: str(each["id"]))
    document["integrity"]["checksum"] = sha256(canonical(by_units))
    assert decode(document).facts["checksum"] == "verified"


def test_numbers_are_hashed_as_rfc_8785_writes_them() -> None:
    document = store(memory(metadata={"a": 0, "b": 0, "c": 0}))
    data = encoded(document).replace(b'"a": 0', b'"a": 1.0').replace(b'"b": 0', b'"b": 1e21')
    data = data.replace(b'"c": 0', b'"c": 0.0000001')
    raw = json.loads(data)["memories"]
    stated = document["integrity"]["checksum"].encode()
    data = data.replace(stated, sha256(rfc8785.dumps(raw)).encode())
    assert b'"a":1,"b":1e+21,"c":1e-7' in rfc8785.dumps(raw)
    assert decode(data).facts["checksum"] == "verified"


def test_a_store_without_integrity_is_taken_and_says_none() -> None:
    document = store()
    del document["integrity"]
    assert decode(document).facts["checksum"] == "none"


def test_a_wrong_count_is_refused() -> None:
    document = store()
    document["integrity"]["total_memories"] = 2
    assert codes(document) == {("pam.total_memories", "/integrity/total_memories")}


@pytest.mark.parametrize(
    "content", ["  Two\n lines ", "a \t b", "ＡＢ  ｃ", "ΑΣ", "İ x", "e\u0301"]
)
def test_both_readings_of_the_content_hash_are_accepted(content: str) -> None:
    assert decode(store(memory(content))).candidates[0].body == content
    document = store(memory(content))
    text = unicodedata.normalize("NFC", content.strip().lower())
    while "  " in text:
        text = text.replace("  ", " ")
    document["memories"][0]["content_hash"] = sha256(text.encode())
    document["integrity"]["checksum"] = sha256(canonical(document["memories"]))
    assert decode(document).candidates[0].body == content


def test_the_content_hash_is_no_identity() -> None:
    document = store(memory("C", id="1"), memory("c", id="2"), memory("a\n b", id="3"))
    candidates = decode(document).candidates
    assert document["memories"][0]["content_hash"] == document["memories"][1]["content_hash"]
    assert [each.body for each in candidates] == ["C", "c", "a\n b"]
    assert len({each.stem for each in candidates}) == 3


def test_every_wrong_content_hash_is_named() -> None:
    document = store(*(memory(str(n), id=str(n)) for n in range(4)))
    for index in (1, 3):
        document["memories"][index]["content_hash"] = "sha256:" + "0" * 64
    wrong = {f"/memories/{n}/content_hash" for n in (1, 3)}
    assert {pointer for code, pointer in codes(document) if code == "pam.content_hash"} == wrong


def test_an_entry_digest_is_that_of_its_rfc_8785_bytes() -> None:
    document = store(full_memory())
    (candidate,) = decode(document).candidates
    digest = hashlib.sha256(canonical(document["memories"][0])).hexdigest()
    assert candidate.entry_digest == digest
    assert candidate.fields.origin_sha256 == digest


@settings(deadline=None)
@given(st.data())
def test_no_byte_of_the_memories_can_change_unnoticed(data: st.DataObject) -> None:
    document = store(full_memory(), memory("Café au lait", id="mem-2"))
    raw = bytearray(encoded(document))
    start, end = raw.index(b'"memories": ['), raw.index(b'"integrity"')
    raw[data.draw(st.integers(start, end))] = data.draw(st.integers(0, 255))
    if _json(bytes(raw)) == document:
        assert decode(bytes(raw)).facts["checksum"] == "verified"
    else:
        assert codes(bytes(raw))


def _json(data: bytes) -> Any:
    try:
        return json.loads(data.decode())
    except ValueError:
        return None


class TestSignature:
    """none, not_checkable, verified, wrong."""

    def test_absent_or_null_is_none(self) -> None:
        assert decode(store()).facts["signature"] == "none"
        assert decode(store(signature=None)).facts["signature"] == "none"

    def test_a_right_one_is_verified_and_confers_nothing(self) -> None:
        plain, verified = decode(store()), decode(signed(store()))
        assert verified.facts["signature"] == "verified"
        assert verified.candidates == plain.candidates

    @pytest.mark.parametrize("field", ["export_id", "export_date", "owner"])
    def test_each_signed_field_counts(self, field: str) -> None:
        changed = {
            "export_id": "export-2",
            "export_date": "2026-02-15T22:00:01Z",
            "owner": {"id": "somebody-else"},
        }
        document = signed(store()) | {field: changed[field]}
        assert codes(document) == {("pam.signature_wrong", "/signature/value")}

    def test_other_memories_with_a_right_checksum_are_wrong(self) -> None:
        document = signed(store())
        document["memories"][0]["content"] = "Prefers coffee to tea."
        assert codes(sealed(document)) == {("pam.signature_wrong", "/signature/value")}

    def test_a_wrong_one_can_be_accepted_and_is_named(self) -> None:
        document = signed(store()) | {"export_id": "export-2"}
        decoded = decode(document, accept=True)
        assert decoded.facts["signature"] == "wrong"
        (problem,) = decoded.problems
        assert (problem.code, problem.severity) == ("pam.signature_wrong", "warning")
        assert decoded.candidates == decode(store()).candidates

    def test_another_key_is_wrong(self) -> None:
        other = Ed25519PrivateKey.from_private_bytes(bytes(32))
        document = signed(store(), public_key=multibase(other))
        assert codes(document) == {("pam.signature_wrong", "/signature/value")}

    @pytest.mark.parametrize(
        "block",
        [
            {"algorithm": "ES256"},
            {"algorithm": "RS512"},
            {"public_key": "6Mk"},
            {"public_key": "z6Mk"},
            {"public_key": "z6MkIlO0"},
            {"public_key": "z" * 100_000},
            {"value": "eyJhbGciOiJFZERTQSJ9_EXAMPLE_SIGNATURE_Rk9SIERFTU9OU1RSQVRJT04gT05MWQ"},
            {"value": "AAAA"},
            {"value": "A" * 85 + "+"},
            {"value": "é"},
        ],
    )
    def test_what_cannot_be_checked_goes_on(self, block: Json) -> None:
        decoded = decode(signed(store(), **block))
        assert decoded.facts["signature"] == "not_checkable"
        assert len(decoded.candidates) == 1

    def test_without_a_checksum_there_is_nothing_to_check(self) -> None:
        document = signed(store())
        del document["integrity"]
        assert decode(document).facts["signature"] == "not_checkable"

    def test_padding_of_the_value_is_allowed(self) -> None:
        document = signed(store())
        document["signature"]["value"] += "=="
        assert decode(document).facts["signature"] == "verified"

    @settings(deadline=None)
    @given(st.binary(min_size=32, max_size=32))
    def test_keys_are_read_back_from_multibase(self, seed: bytes) -> None:
        key = Ed25519PrivateKey.from_private_bytes(seed)
        assert public_keys.read(multibase(key)) == key.public_key()

    @settings(deadline=None)
    @given(st.text(max_size=80) | st.text("z6Mk123abcXYZ", max_size=80).map("z6Mk".__add__))
    def test_no_text_breaks_the_reading_of_keys(self, text: str) -> None:
        found = public_keys.read(text)
        assert found is None or hasattr(found, "verify")
