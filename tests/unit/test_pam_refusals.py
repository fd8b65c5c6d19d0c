"""Documents that break the format are refused whole: exit 4, all problems, each with its place."""

import json
from pathlib import Path
from typing import Any

import pytest

from doll.errors import CODES, InvalidDocumentError, Problem
from doll.interchange.base import Decoded, Document, Options
from doll.interchange.pam.adapter import PamAdapter
from tests.pam_documents import Json, encoded, full_memory, memory, relation, sealed, signed, store

NAME = "export.json"


def decode(document: Json | bytes, **options: Any) -> Decoded:
    data = document if isinstance(document, bytes) else encoded(document)
    return PamAdapter().decode(Document(NAME, data), Options(**options))


def refused(document: Json | bytes) -> list[Problem]:
    with pytest.raises(InvalidDocumentError) as caught:
        decode(document)
    assert caught.value.exit_code == 4
    problems = list(caught.value.problems)
    assert problems
    for problem in problems:
        assert problem.code in CODES
        assert problem.path == NAME
        assert problem.line >= 1
    return problems


def found(document: Json | bytes) -> list[tuple[str, str]]:
    return [(problem.code, problem.pointer) for problem in refused(document)]


def test_a_plain_store_is_accepted() -> None:
    decoded = decode(store())
    assert len(decoded.candidates) == 1
    assert decoded.problems == ()


@pytest.mark.parametrize("value", [[], "text", 7, None, {}, {"memories": []}])
def test_other_json_is_no_store(value: Any) -> None:
    assert found(json.dumps(value).encode()) == [("pam.not_a_store", "")]


@pytest.mark.parametrize("kind", ["conversation", "embeddings"])
def test_companion_files_are_refused_by_name(foreign: Path, kind: str) -> None:
    (problem,) = refused((foreign / "pam" / f"example-{kind}.json").read_bytes())
    assert (problem.code, problem.pointer) == ("pam.not_a_store", "/schema")
    assert "companion" in problem.message
    assert "memory-store.json" in problem.hint


@pytest.mark.parametrize("version", ["2.0", "1.1", "1.0-rc1", "1", None, 1.0])
def test_other_versions_are_refused(version: object) -> None:
    (problem,) = refused(store(schema_version=version))
    assert (problem.code, problem.pointer) == ("pam.version", "/schema_version")
    assert "1.0" in problem.message


def test_every_unknown_field_is_named_at_once() -> None:
    bad = full_memory(importance=3)
    bad["temporal"]["expires"] = "2027-01-01T00:00:00Z"
    bad["access"]["shared_with"][0]["note"] = "x"
    bad["metadata"]["anything"] = "is allowed here"
    document = store(bad, memory(), owner={"id": "o", "name": "Ada"}, licence="none")
    document["memories"][1]["a/b~c"] = None
    assert sorted(found(document)) == [
        ("pam.unknown_field", "/licence"),
        ("pam.unknown_field", "/memories/0/access/shared_with/0/note"),
        ("pam.unknown_field", "/memories/0/importance"),
        ("pam.unknown_field", "/memories/0/temporal/expires"),
        ("pam.unknown_field", "/memories/1/a~1b~0c"),
        ("pam.unknown_field", "/owner/name"),
    ]


def test_a_misspelt_field_is_answered_with_the_right_name() -> None:
    (problem,) = refused(store(memory(sumary="Tea")))
    assert problem.hint == "did you mean `summary`?"


@pytest.mark.parametrize(
    "time",
    [
        "yesterday",
        "2025-03-04",
        "2025-03-04 08:12:00Z",
        "2025-03-04T08:12:00",
        "2025-02-29T08:12:00Z",
        "2025-13-01T00:00:00Z",
        "2025-03-04T24:00:00Z",
        "2025-03-04T08:12:00+0200",
        "2025-03-04T08:12:00Z\n",
        "٢٠٢٥-03-04T08:12:00Z",
        "",
    ],
)
def test_what_is_no_rfc_3339_time_is_refused(time: str) -> None:
    problems = refused(
        store(
            memory(temporal={"created_at": time}, confidence={"last_reinforced": time}),
            relations=[relation("mem-1", "mem-1", created_at=time)],
        )
    )
    assert {(problem.code, problem.pointer) for problem in problems} == {
        ("pam.time", "/memories/0/temporal/created_at"),
        ("pam.time", "/memories/0/confidence/last_reinforced"),
        ("pam.time", "/relations/0/created_at"),
    }
    assert all("2026-08-20T14:32:05Z" in problem.hint for problem in problems)


@pytest.mark.parametrize(
    ("change", "code", "pointer"),
    [
        ({"type": "opinion"}, "pam.value", "/memories/0/type"),
        ({"type": "custom"}, "pam.missing", "/memories/0"),
        ({"type": "custom", "custom_type": None}, "pam.value", "/memories/0/custom_type"),
        ({"type": "custom", "custom_type": ""}, "pam.value", "/memories/0/custom_type"),
        ({"custom_type": "recipe"}, "pam.value", "/memories/0/custom_type"),
        ({"id": ""}, "pam.value", "/memories/0/id"),
        ({"id": 7}, "pam.value", "/memories/0/id"),
        ({"tags": ["Tea"]}, "pam.value", "/memories/0/tags/0"),
        ({"tags": ["tea\n"]}, "pam.value", "/memories/0/tags/0"),
        ({"tags": ["tea", "tea"]}, "pam.value", "/memories/0/tags"),
        ({"confidence": {"current": 1.5}}, "pam.value", "/memories/0/confidence/current"),
        ({"confidence": {"current": True}}, "pam.value", "/memories/0/confidence/current"),
        ({"confidence": None}, "pam.value", "/memories/0/confidence"),
        ({"status": "deleted"}, "pam.value", "/memories/0/status"),
        ({"access": {"exportable": "no"}}, "pam.value", "/memories/0/access/exportable"),
        ({"metadata": {"language": "English"}}, "pam.value", "/memories/0/metadata/language"),
        ({"provenance": {}}, "pam.missing", "/memories/0/provenance"),
    ],
)
def test_what_the_schema_forbids_is_named_by_pointer(change: Json, code: str, pointer: str) -> None:
    assert found(store(memory(**change))) == [(code, pointer)]


def test_a_memory_without_type_is_told_only_that() -> None:
    bad = memory()
    del bad["type"]
    (problem,) = refused(store(bad))
    assert (problem.code, problem.message) == ("pam.missing", "`type` is missing")


def test_a_signature_needs_export_id_and_date() -> None:
    document = signed(store())
    del document["export_id"]
    assert found(document) == [("pam.missing", "")]


def test_memories_and_relations_must_be_lists_of_objects() -> None:
    assert found(store() | {"memories": {}}) == [("pam.value", "/memories")]
    assert found(store() | {"relations": None}) == [("pam.value", "/relations")]
    document = store() | {"memories": [7, None, []]}
    assert {pointer for _, pointer in found(document)} == {f"/memories/{n}" for n in range(3)}


def test_duplicate_ids_are_refused() -> None:
    document = store(memory(), memory("Other."), memory("Third.", id="mem-2"))
    (problem,) = refused(document)
    assert (problem.code, problem.pointer) == ("pam.duplicate_id", "/memories/1/id")
    assert "/memories/0" in problem.message


def test_ids_that_differ_by_case_or_composition_are_different() -> None:
    ids = ["a", "A", "\u00e9", "e\u0301", "a ", "a\0"]
    document = store(*(memory(id=each) for each in ids))
    assert [each.source_id for each in decode(document).candidates] == ids


def test_problems_of_every_kind_come_together_in_the_order_of_the_file() -> None:
    document = store(memory(), memory("Other.", id="mem-2", colour=1), memory("Third."))
    document["memories"][0]["content_hash"] = "sha256:" + "0" * 64
    problems = refused(document)
    assert [(problem.code, problem.pointer) for problem in problems] == [
        ("pam.content_hash", "/memories/0/content_hash"),
        ("pam.unknown_field", "/memories/1/colour"),
        ("pam.duplicate_id", "/memories/2/id"),
    ]
    lines = encoded(document).decode().split("\n")
    for problem, text in zip(problems, ['"content_hash"', '"colour"', '"id"'], strict=True):
        assert lines[problem.line - 1][problem.column - 1 :].startswith(text)


def test_problems_are_bounded_and_counted() -> None:
    document = store(*(memory(id=f"mem-{n}", colour=n) for n in range(250)))
    with pytest.raises(InvalidDocumentError, match=r"250 problems .*100 are listed, \+150 more"):
        decode(document)


def test_messages_hold_no_half_of_a_surrogate_pair() -> None:
    document = sealed(store() | {"integrity": None})
    del document["integrity"]
    document["\ud800"] = "\ud800"
    document["memories"][0]["type"] = "\udfff"
    data = json.dumps(document).encode()
    for problem in refused(data):
        assert f"{problem.pointer}{problem.message}{problem.hint}".encode()


@pytest.mark.parametrize("place", [("owner", "id"), ("export_id",)])
def test_half_of_a_surrogate_pair_cannot_name_the_source(place: tuple[str, ...]) -> None:
    document = store()
    target = document
    for part in place[:-1]:
        target = target[part]
    target[place[-1]] = "x\ud83d"
    assert found(json.dumps(document).encode()) == [("text.surrogate", "/" + "/".join(place))]


@pytest.mark.parametrize(
    ("value", "message", "hint"),
    [
        ("", "this is empty", "write something, or leave it out where it is optional"),
        ("x", "this is too short: it has 1 character", "the format wants at least 2"),
    ],
)
def test_what_is_too_short_is_not_called_empty(value: str, message: str, hint: str) -> None:
    problems = refused(store(memory(provenance={"platform": value})))
    said = {(p.code, p.pointer, p.message, p.hint) for p in problems}
    assert ("pam.value", "/memories/0/provenance/platform", message, hint) in said
