"""Increments of an export: their base is known, or the user decides; nothing is ever deleted."""

import pytest

from doll.services.importing import ledger
from tests.foreign_desk import ForeignDesk, three
from tests.pam_documents import Json, memory, store

pytestmark = pytest.mark.sampled(4)


def increment(*memories: Json, base: str | None = "export-1", **changes: object) -> Json:
    made: Json = {
        "export_id": "export-2",
        "export_type": "incremental",
        "base_export_id": base,
        "since": "2026-02-15T22:00:00Z",
    }
    return store(*memories, **made | changes)


TEA = memory("Prefers coffee now.", id="mem-1")
NEW = memory("Plays the viola.", id="mem-9")


def test_an_increment_updates_what_its_base_brought(desk: ForeignDesk) -> None:
    tea, bees, _ = desk.committed(three(), "--name", "base")
    done = desk.bring(increment(TEA, NEW)).json
    assert done["counts"] | {"new": 1, "changed": 1} == done["counts"]
    changed, new = done["candidates"]
    assert changed["updates"] == tea["id"].partition("/")[2]
    assert new["updates"] is None
    assert (desk.root / bees["path"]).exists()
    facts = done["facts"]
    assert (facts["export_type"], facts["base"]) == ("incremental", "known from base")
    assert (facts["base_export_id"], facts["since"]) == ("export-1", "2026-02-15T22:00:00Z")
    assert {loss["field"] for loss in done["losses"]}.isdisjoint({"/base_export_id", "/since"})


def test_the_ledger_keeps_the_export_s_id(desk: ForeignDesk) -> None:
    desk.committed(three(), "--name", "base")
    kept = (desk.root / "staging/pam/base/_import.md").read_bytes()
    assert ledger.read(kept).export == "export-1"


@pytest.mark.parametrize("base", ["export-0", None, "", "\u202eexport-1"])
def test_an_unknown_base_is_refused_with_the_choice(desk: ForeignDesk, base: str | None) -> None:
    desk.committed(three())
    before = desk.files()
    refused = desk.bring(increment(NEW, base=base), code=5)
    (problem,) = refused.json["problems"]
    assert problem["code"] == "import.base_unknown"
    assert "--as-full" in problem["hint"]
    assert "\u202e" not in refused.err
    assert desk.files() == before


def test_a_base_of_another_owner_is_unknown(desk: ForeignDesk) -> None:
    desk.committed(store(owner={"id": "somebody-else"}))
    desk.bring(increment(NEW), code=5)


def test_a_dry_run_is_refused_alike(desk: ForeignDesk) -> None:
    desk.bring(increment(NEW), "--dry-run", code=5)


def test_as_full_imports_what_is_in_it_and_says_so(desk: ForeignDesk) -> None:
    desk.committed(three(), "--name", "base")
    done = desk.bring(increment(TEA, NEW, base="gone"), "--as-full", "--name", "more").json
    assert (done["counts"]["new"], done["counts"]["changed"]) == (1, 1)
    (warning,) = done["problems"]
    assert (warning["code"], warning["severity"]) == ("import.base_unknown", "warning")
    assert done["facts"]["base"] == "not known here"
    assert "import.base_unknown" in (desk.root / "staging/pam/more/_import.md").read_text()


@pytest.mark.parametrize("options", [(), ("--as-full",)])
def test_the_same_increment_again_changes_nothing(
    desk: ForeignDesk, options: tuple[str, ...]
) -> None:
    desk.bring(increment(NEW, base="gone"), "--as-full")
    before = desk.files()
    again = desk.bring(increment(NEW, base="gone"), *options).json
    assert again["counts"]["unchanged"] == 1
    assert desk.files() == before


def test_an_increment_can_be_a_base(desk: ForeignDesk) -> None:
    desk.committed(three())
    desk.bring(increment(TEA))
    third = increment(NEW, base="export-2", export_id="export-3")
    assert desk.bring(third).json["counts"]["new"] == 1


def test_retracted_marks_and_never_deletes(desk: ForeignDesk) -> None:
    tea = desk.committed(three(), "--name", "base")[0]
    desk.approve(tea, "--commit")
    (confirmed,) = (desk.root / "confirmed").glob("*.md")
    before = confirmed.read_bytes()
    taken_back = memory("Prefers tea to coffee.", id="mem-1", status="retracted")
    done = desk.bring(increment(taken_back), "--name", "more", "--commit").json
    (candidate,) = done["candidates"]
    assert (candidate["state"], candidate["mark"]) == ("changed", "retracted")
    assert confirmed.read_bytes() == before
    report = (desk.root / "staging/pam/more/_import.md").read_text()
    section = report.partition("## What the source no longer holds for current\n")[2]
    assert f"- retracted: `{candidate['id'].partition('/')[2]}.md`" in section
    text = (desk.root / candidate["path"]).read_text()
    assert "\nstatus:" not in text
    shown = desk.ok("review", "show", candidate["id"]).out
    assert 'status     "retracted" at its source' in shown
    desk.approve(candidate, "--commit")
    assert confirmed.read_bytes() == before


def test_an_active_memory_is_not_marked(desk: ForeignDesk) -> None:
    done = desk.bring(store(memory(status="active"))).json
    assert [each["mark"] for each in done["candidates"]] == [None]
