"""`doll recall --include-staging`: candidates, searched only when asked for, and marked."""

import pytest

from tests.desk import Desk
from tests.recall_vault import entry, memory

AT = ("--as-of", "2026-08-20T12:00:00Z")
STAGED = ("--include-staging", *AT)


@pytest.fixture
def notes(desk: Desk) -> Desk:
    desk.put("confirmed/zebra.md", memory("Zebra", "confirmed"))
    desk.put("staging/pam/one/zebra-11111111.md", memory("Zebra, imported", origin="import"))
    desk.put("staging/pam/one/_import.md", memory("Zebra ledger"))
    desk.put("staging/pam/one/source/zebra.md", memory("Zebra source"))
    desk.put("staging/proposals/zebra-2.md", memory("Zebra, proposed", origin="model"))
    desk.put(
        "staging/projectmem/two/20260801T000000Z-attempt-zebra-aaaaaaaaaa.md",
        entry("Zebra attempt", assertion="imported_external", outcome="failed", origin="import"),
    )
    desk.git("add", "-A")
    desk.git("commit", "-qm", "notes")
    return desk


CANDIDATES = {
    "one/zebra-11111111",
    "proposals/zebra-2",
    "two/20260801T000000Z-attempt-zebra-aaaaaaaaaa",
}


def test_candidates_are_found_and_marked_when_asked_for(notes: Desk) -> None:
    plain = notes.ok("recall", "zebra", "--json", *AT).json
    assert [hit["id"] for hit in plain["hits"]] == ["zebra"]
    assert not (notes.root / ".doll/cache/recall-staging").exists()
    document = notes.ok("recall", "zebra", "--json", *STAGED).json
    assert {hit["id"] for hit in document["hits"]} == {"zebra", *CANDIDATES}
    marked = {hit["id"] for hit in document["hits"] if hit["marks"] == ["candidate"]}
    assert marked == CANDIDATES
    assert document["indexed"] == 4
    out = notes.ok("recall", "zebra", *STAGED).out
    assert "staging/pam/one/zebra-11111111.md (memory, candidate, origin import)" in out
    assert "confirmed/zebra.md (memory)" in out
    assert notes.ok("recall", "zebra", "--json", *AT).json == plain


def test_a_candidate_replaces_nothing_and_counts_as_nothing(notes: Desk) -> None:
    notes.put("staging/pam/one/new-22222222.md", memory("Newer zebra", supersedes="zebra"))
    notes.put("staging/pam/one/aka-33333333.md", memory("Other zebra", aliases="[zebra]"))
    notes.put("confirmed/newest.md", memory("Newest", supersedes="aka-33333333"))
    document = notes.ok("recall", "zebra", "--json", *STAGED).json
    found = {hit["id"]: hit["marks"] for hit in document["hits"]}
    assert found["zebra"] == []
    assert "candidate" in found["one/new-22222222"]
    assert "candidate" in found["one/aka-33333333"]


def test_a_candidate_brings_no_record_into_an_answer(notes: Desk) -> None:
    notes.put("confirmed/lonely.md", memory("Lonely", "nothing of it"))
    notes.put("staging/pam/one/new-22222222.md", memory("Quagga", related="[lonely]"))
    document = notes.ok("recall", "quagga", "--json", *STAGED).json
    assert [hit["id"] for hit in document["hits"]] == ["one/new-22222222"]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"review": "rejected"}, "rejected"),
        ({"valid_until": "2026-01-01T00:00:00Z"}, "expired"),
        ({"status": "archived"}, "archived"),
    ],
)
def test_what_is_settled_is_left_out_too(notes: Desk, fields: dict[str, str], reason: str) -> None:
    notes.put("staging/pam/one/other-22222222.md", memory("Quokka", origin="import", **fields))
    document = notes.ok("recall", "quokka", "--json", *STAGED).json
    assert (document["hits"], document["left_out"]) == ([], {reason: 1})
    hit = notes.ok("recall", "quokka", "--all", "--json", *STAGED).json["hits"][0]
    assert hit["marks"] == ["candidate", reason, "not_committed"]


def test_filters_and_secrets_hold_for_candidates(notes: Desk) -> None:
    key = "AKIA" + "Z3X7QK9LMWPR4TYB"
    notes.put("staging/pam/one/key-22222222.md", memory("Keyed zebra", f"zebra {key}"))
    notes.put("staging/pam/one/s-33333333.md", memory("Quokka", sensitivity="secret"))
    result = notes.ok("recall", "zebra", "--explain", *STAGED)
    assert "[secret: " in result.out
    assert key not in result.out + notes.ok("recall", "zebra", "--json", *STAGED).out
    assert notes.ok("recall", "quokka", "--json", *STAGED).json["hits"] == []
    failed = notes.ok("recall", "zebra", "--outcome", "failed", "--json", *STAGED).json
    assert [hit["type"] for hit in failed["hits"]] == ["experience"]


def test_words_of_candidates_correct_nothing_unasked(notes: Desk) -> None:
    notes.put("staging/pam/one/q-22222222.md", memory("Quokkasheets"))
    assert notes.ok("recall", "quokkasheetz", "--json", *AT).json["corrected"] == []
    assert notes.ok("recall", "quokka", "--json", *AT).json["hits"] == []
    found = notes.ok("recall", "quokkasheetz", "--json", *STAGED).json
    assert found["corrected"] == [{"said": "quokkasheetz", "meant": "Quokkasheets"}]
    assert notes.ok("recall", "quokka", "--json", *STAGED).json["hits"][0]["partial"] is True


def test_it_follows_the_files_as_the_index_does(notes: Desk) -> None:
    notes.ok("recall", "zebra", *STAGED)
    (notes.root / "staging/proposals/zebra-2.md").unlink()
    notes.put("staging/proposals/broken.md", "---\ntitle: [\n---\n")
    document = notes.ok("recall", "zebra", "--json", *STAGED).json
    assert {hit["id"] for hit in document["hits"]} == {"zebra", *CANDIDATES} - {"proposals/zebra-2"}
    assert [p["path"] for p in document["unreadable"]] == ["staging/proposals/broken.md"]
    assert "0 differences" in notes.ok("index", "--check").out
    assert notes.ok("recall", "zebra", "--json", *AT).json["unreadable"] == []


def test_an_index_that_doll_did_not_write_is_left_alone_until_made_anew(notes: Desk) -> None:
    expected = notes.ok("recall", "zebra", "--json", *STAGED).out
    place = notes.root / ".doll/cache/recall-staging/index"
    place.write_bytes(b"forged")
    result = notes.ok("recall", "zebra", "--json", *STAGED)
    assert result.out == expected
    assert ".doll/cache/recall-staging/index is not used" in result.err
    assert place.read_bytes() == b"forged"
    notes.ok("index", "--rebuild")
    again = notes.ok("recall", "zebra", "--json", *STAGED)
    assert (again.out, again.err) == (expected, "")


def test_nothing_but_the_cache_is_written(notes: Desk) -> None:
    before = notes.files()
    notes.ok("recall", "zebra", *STAGED)
    notes.ok("recall", "zebra", "--all", *STAGED)
    assert notes.files() == before
    assert notes.git("status", "--porcelain") == ""
