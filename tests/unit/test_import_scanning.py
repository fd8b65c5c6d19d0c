"""Scanning the texts of a document: names count for their values, places are masked."""

import pytest

from doll.errors import UsageError
from doll.interchange.base import Candidate
from doll.records.model import Memory
from doll.render.import_values import Place
from doll.services.importing.secret_scan import (
    Owners,
    by_index,
    masked_pointer,
    parse_declared,
    require_used,
    scan_texts,
)

AWS = "AKIA" + "QWERTYUIOPASDFGH"


def _candidate(*places: str) -> Candidate:
    return Candidate("x", "memory", Memory(), "", "id", "0" * 64, places[0], places)


def test_a_value_is_judged_under_its_name() -> None:
    texts = [("/a/password", "password"), ("/a/password", "Tr0ub4dor&3-horse")]
    assert [hit.place for hit in scan_texts(texts)] == [Place("password-assignment", "/a/password")]
    assert scan_texts([("/a/note", "Tr0ub4dor&3-horse")]) == ()


def test_the_name_of_a_list_holds_for_its_entries() -> None:
    found = scan_texts([("/a/password/0", "Tr0ub4dor&3-horse")])
    assert [hit.place.pointer for hit in found] == ["/a/password/0"]


def test_a_secret_name_is_found_once_and_masked() -> None:
    pointer = f"/a/{AWS}"
    found = scan_texts([(pointer, AWS), (pointer, "harmless")])
    assert [hit.place for hit in found] == [Place("aws-key", "/a/[secret: aws-key]")]
    assert found[0].pointer == pointer


def test_a_value_below_a_secret_name_is_looked_at_too() -> None:
    found = scan_texts([(f"/a/{AWS}", f"x {AWS}")])
    assert [hit.place.detector for hit in found] == ["aws-key"]


def test_names_with_slashes_keep_their_place() -> None:
    assert masked_pointer("/a~1b/c~0d/0") == "/a~1b/c~0d/0"
    assert masked_pointer("") == ""


def test_hits_belong_to_the_candidates_that_hold_them() -> None:
    owners = Owners([_candidate("/memories/0", "/relations/3"), _candidate("/memories/1")])
    assert owners.of("/memories/0/content") == (0,)
    assert owners.of("/relations/3/id") == (0,)
    assert owners.of("/memories/10") == ()
    assert owners.of("/memories/1") == (1,)
    assert owners.of("") == ()
    hits = scan_texts([("/memories/1/content", AWS), ("/export_id", AWS)])
    inside, outside = by_index(hits, owners)
    assert dict(inside) == {1: [Place("aws-key", "/memories/1/content")]}
    assert outside == (Place("aws-key", "/export_id"),)


def test_declarations_name_a_detector_and_a_pointer() -> None:
    assert parse_declared(["aws-key:/a/b:c"]) == {Place("aws-key", "/a/b:c")}
    assert parse_declared(["jwt:"]) == {Place("jwt", "")}
    for text in ("", "jwt", "jwt:a", "other:/a"):
        with pytest.raises(UsageError):
            parse_declared([text])


def test_a_declaration_without_its_hit_is_refused_and_the_hits_are_named() -> None:
    with pytest.raises(UsageError) as caught:
        require_used([Place("jwt", "/b")], [Place("jwt", "/a")])
    assert "--not-a-secret 'jwt:/a'" in caught.value.hint
    require_used([Place("jwt", "/a")], [Place("jwt", "/a")])
