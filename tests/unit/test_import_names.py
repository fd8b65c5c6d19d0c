"""Names of imports: from the file and its digest, unique over all adapters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doll.errors import UsageError
from doll.records.names import fold, id_fault
from doll.services.importing.names import choose, safe_file_name

DIGEST = "0123456789abcdef" * 4
OTHER = "fedcba9876543210" * 4


def test_the_default_is_the_stem_and_eight_digits() -> None:
    assert choose(None, "memory-store.json", DIGEST, {}).name == "memory-store-01234567"


def test_the_name_of_a_folder_has_no_ending() -> None:
    assert choose(None, "shop.v2", DIGEST, {}, folder=True).name == "shop.v2-01234567"
    assert choose(None, ".projectmem", DIGEST, {}, folder=True).name == "projectmem-01234567"


def test_a_wanted_name_is_taken_as_it_is() -> None:
    assert choose("chatgpt-2026-02", "x.json", DIGEST, {}) == ("chatgpt-2026-02", "")


def test_a_name_that_another_source_has_gets_digits_and_it_is_said() -> None:
    name, note = choose("mine", "x.json", DIGEST, {"mine": OTHER})
    assert name == "mine-01234567"
    assert "another source has the name mine" in note


def test_the_same_source_again_gets_a_number() -> None:
    taken: dict[str, str | None] = {"mine": DIGEST}
    assert choose("mine", "x.json", DIGEST, taken).name == "mine-2"
    taken["mine-2"] = DIGEST
    assert choose("mine", "x.json", DIGEST, taken).name == "mine-3"


def test_names_are_compared_folded_and_a_folder_without_ledger_counts() -> None:
    assert choose("MINE", "x.json", DIGEST, {"mine": None}).name == "MINE-01234567"


@pytest.mark.parametrize(
    "name", ["", "../x", "a/b", "proposals", "Proposals", "source", "con", ".x", "_x", "a" * 121]
)
def test_what_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(UsageError):
        choose(name, "x.json", DIGEST, {})


@given(st.text(max_size=300), st.text(max_size=40))
def test_any_file_name_gives_a_valid_new_name(file_name: str, taken_name: str) -> None:
    file_name = file_name.encode("utf-8", "ignore").decode()
    first = choose(None, file_name, DIGEST, {}).name
    assert id_fault(first) is None
    taken: dict[str, str | None] = {fold(first): OTHER, fold(taken_name): None}
    second = choose(None, file_name, DIGEST, taken).name
    assert id_fault(second) is None
    assert fold(second) not in taken


@given(st.text(max_size=300))
def test_any_source_file_name_is_made_safe(name: str) -> None:
    name = name.encode("utf-8", "ignore").decode()
    safe = safe_file_name(name)
    assert id_fault(safe) is None
    assert "/" not in safe


def test_the_ending_of_a_source_file_survives() -> None:
    assert safe_file_name("my: store?.json") == "my- store.json"
    assert safe_file_name("store.json") == "store.json"
