"""The tour's own PAM document: valid, its hashes right, with the traits that the tour shows."""

import hashlib
import json
import re
import unicodedata
from importlib.resources import files
from typing import Any

import jsonschema
import pytest
import rfc8785

from doll.records import times

TOUR = files("doll") / "data" / "tour" / "chatgpt-export.json"


def _sha256(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


def _content_hash(content: str) -> str:
    text = unicodedata.normalize("NFC", content.strip().lower())
    return _sha256(re.sub(r"\s+", " ", text).encode())


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(TOUR.read_text(encoding="utf-8"))
    return loaded


def test_the_published_schema_accepts_it(document: dict[str, Any]) -> None:
    schema = json.loads(
        (files("portable_ai_memory") / "schemas" / "portable-ai-memory.schema.json").read_text(
            encoding="utf-8"
        )
    )
    checker = jsonschema.Draft202012Validator(schema)
    assert [error.message for error in checker.iter_errors(document)] == []


def test_every_time_is_rfc_3339(document: dict[str, Any]) -> None:
    found = [
        value
        for entry in [*document["memories"], *document["conversations_index"]]
        for value in entry["temporal"].values()
    ]
    assert all(times.render(times.parse(value)) == value for value in found)


def test_every_content_hash_is_right(document: dict[str, Any]) -> None:
    for memory in document["memories"]:
        assert memory["content_hash"] == _content_hash(memory["content"]), memory["id"]


def test_the_integrity_block_is_right(document: dict[str, Any]) -> None:
    memories = sorted(document["memories"], key=lambda memory: str(memory["id"]))
    assert document["integrity"] == {
        "canonicalization": "RFC8785",
        "checksum": _sha256(rfc8785.dumps(memories)),
        "total_memories": len(memories),
    }


def test_it_names_its_memories_and_conversations_consistently(document: dict[str, Any]) -> None:
    ids = [memory["id"] for memory in document["memories"]]
    conversations = {entry["id"] for entry in document["conversations_index"]}
    assert len(set(ids)) == len(ids)
    for relation in document["relations"]:
        assert {relation["from"], relation["to"]} <= set(ids)
    for memory in document["memories"]:
        assert memory["provenance"].get("conversation_ref") in {None, *conversations}


def test_it_has_what_the_tour_shows(document: dict[str, Any]) -> None:
    memories = document["memories"]
    assert [m["id"] for m in memories if not m["access"]["exportable"]] == ["mem-0005"]
    assert [m["id"] for m in memories if re.search(r"[一-龯]", m["content"])] == ["mem-0004"]
    assert [m["id"] for m in memories if "languages" in m["tags"]] == ["mem-0001"]
    assert [m["type"] for m in memories].count("instruction") == 1
    assert len(document["relations"]) == 1
    assert "signature" not in document
