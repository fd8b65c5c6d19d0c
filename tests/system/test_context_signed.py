"""A context pack of a vault that asks for signatures holds what is signed and nothing else."""

import pytest

from tests.recall_vault import entry, memory
from tests.signing import NEEDS_SSH, Signer
from tests.system.test_context import FAILED, TASK, context, ids, item
from tests.system.test_context_accepted import ACCEPTED, DECISION, left_out

pytestmark = NEEDS_SSH


@pytest.fixture
def reviewed(ada: Signer) -> Signer:
    """A vault that asks for signed authority and reviews, with a signed memory and decision."""
    settings = ada.desk.read("doll.yaml") + "review:\n  signed: required\n"
    ada.signed(
        ("doll.yaml", settings),
        ("confirmed/kept.md", memory("Orders are kept")),
        (DECISION, ACCEPTED),
    )
    return ada


def test_what_is_not_signed_never_appears(reviewed: Signer) -> None:
    desk = reviewed.desk
    assert ids(context(desk, TASK, "--project", "atlas")) == ["orders", "kept"]
    reviewed.plain(
        ("confirmed/kept.md", memory("Orders are dropped")),
        ("confirmed/new.md", memory("Orders are new")),
        (DECISION, ACCEPTED.replace("one table", "two tables")),
        ("authority/decisions/more.md", ACCEPTED),
        ("authority/work-items/more-work.md", item("Orders")),
    )
    found = context(desk, TASK, "--project", "atlas")
    assert ids(found) == ["orders"]
    assert found["items"][0]["quote"] == ["Orders stay in one table"]
    number, named = left_out(found)["not_signed"]
    assert (number, set(named)) == (5, {"kept", "new", "orders", "more", "more-work"})


def test_what_is_not_signed_supersedes_nothing(reviewed: Signer) -> None:
    reviewed.plain(("confirmed/young.md", memory("Of late", supersedes="[kept]")))
    assert ids(context(reviewed.desk, TASK), "memory") == ["kept"]


def test_a_decision_with_several_signed_versions_is_left_out(reviewed: Signer) -> None:
    desk = reviewed.desk
    desk.git("switch", "-qc", "side")
    reviewed.signed((DECISION, ACCEPTED.replace("one table", "two tables")))
    desk.git("switch", "-q", "main")
    reviewed.signed((DECISION, ACCEPTED.replace("one table", "three tables")))
    desk.git("merge", "-q", "-s", "ours", "-m", "join", "side")
    found = context(desk, TASK, "--project", "atlas")
    assert ids(found) == ["kept"]
    assert left_out(found)["unsettled"] == (1, ["orders"])
    reviewed.signed((DECISION, ACCEPTED.replace("one table", "four tables")))
    assert ids(context(desk, TASK, "--project", "atlas")) == ["orders", "kept"]


def test_a_key_that_is_gone_leaves_nothing_signed(reviewed: Signer) -> None:
    desk = reviewed.desk
    (desk.root.parent / "home" / "signers").write_text("", encoding="ascii")
    found = context(desk, TASK, "--project", "atlas")
    assert ids(found) == []
    assert found["complete"] is False
    assert left_out(found)["not_signed"] == (2, ["orders", "kept"])


def test_an_entry_needs_no_signature(reviewed: Signer) -> None:
    """Experience is history, and grants nothing: who asserts it is said, and that is all."""
    reviewed.plain((f"experience/atlas/{FAILED}.md", entry("Orders were locked", outcome="failed")))
    found = context(reviewed.desk, TASK, "--project", "atlas")
    (failed,) = [each for each in found["items"] if each["section"] == "failures"]
    assert failed["facts"]["assertion"] == "user_recorded"
    assert "not_signed" not in left_out(found)
