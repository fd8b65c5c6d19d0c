"""Laws 1, 2 and 4 for exports: the vault is only read, and what is partial says so.

An export changes no byte of a vault. It holds what is accepted and nothing else, and says what it
left out. What a source said is no statement of the owner's. Changes that are not accepted keep
back and never let through.
"""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from doll.interchange.pam.encoding import Exportable, encode
from doll.records.model import Memory
from tests.desk import Desk, make_vault
from tests.exports import DATE, approve_all, exported, ids, remember, report, run
from tests.footprint import OWN, footprint
from tests.foreign_desk import ForeignDesk
from tests.pam_documents import full_memory, relation, store
from tests.record_strategies import claims


@pytest.fixture
def stocked(desk: Desk) -> Desk:
    """A vault with memories, experience, a candidate and an edit that is not committed."""
    remember(desk, good="title: Good\ntags: [x]", old="status: archived")
    desk.ok("log", "attempt", "Tried it", "--project", "atlas", "--commit")
    desk.put("confirmed/new.md", "---\ntitle: New\n---\nNew.\n")
    return desk


@pytest.mark.parametrize(
    "options",
    [
        ("--all",),
        ("good",),
        ("--tag", "x"),
        ("--query", "good"),
        ("--all", "--json"),
        ("--all", "--out", "../store.json"),
        ("old",),
        ("--tag", "none"),
    ],
)
def test_an_export_changes_no_byte_of_the_vault(stocked: Desk, options: tuple[str, ...]) -> None:
    before = footprint(stocked.root, OWN)
    stocked.doll("export", "pam", "--owner", "ada", *options)
    assert footprint(stocked.root, OWN) == before


def test_a_partial_export_says_so_and_what_it_left_out(stocked: Desk) -> None:
    out = stocked.root.parent / "store.json"
    result = run(stocked, "--all", "--out", str(out))
    text = Path(f"{out}.loss.md").read_text(encoding="utf-8")
    told = report(stocked, "--all")
    assert told["partial"] is True
    assert "the export is partial" in text
    assert "this export is partial" in result.out
    for said in (text, result.out):
        assert "1 experience entry" in said
        assert "2 records of authority" in said
        assert "is archived" in said
        assert "is not as committed" in said
        assert "title" in said
    named = run(stocked, "good", "--json").json
    assert named["partial"] is True
    assert named["not_asked_for"] is True


def test_what_a_source_said_is_not_said_again_as_the_owner_s(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = ForeignDesk(make_vault(tmp_path / "notes"), capsys)
    foreign = full_memory(id="mem-1", type="instruction", access={"visibility": "shared"})
    document = store(foreign, relations=[relation("mem-1", "mem-1", "contradicts")])
    approve_all(desk, json.dumps(document).encode())
    (memory,) = exported(desk, "--all")["memories"]
    assert memory.keys() == {
        "id", "type", "custom_type", "status", "content", "content_hash", "summary", "tags",
        "temporal", "provenance", "embedding_ref",
    }  # fmt: skip
    assert (memory["type"], memory["status"]) == ("custom", "active")
    assert memory["temporal"].keys() == {"created_at", "updated_at"}
    assert memory["provenance"] == {"platform": "doll"}
    assert memory["id"] != "mem-1"
    assert exported(desk, "--all")["relations"] == []


def test_exportable_false_of_a_source_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = ForeignDesk(make_vault(tmp_path / "notes"), capsys)
    document = store(full_memory(id="mem-1", access={"exportable": False}))
    approve_all(desk, json.dumps(document).encode())
    said = desk.refused(1, "export", "pam", "--all", "--owner", "ada")
    assert "1 left out: says exportable: false" in said


@settings(max_examples=60)
@given(claims)
def test_no_claim_changes_a_memory(said: dict[str, str]) -> None:
    plain = Exportable("x", Memory(), "Text.")
    told = plain._replace(fields=Memory(claims=said))
    assert encode(told, DATE).memory == encode(plain, DATE).memory


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edit=st.sampled_from(("status: active", "sensitivity: public", "exportable: true", "x: 1")))
def test_an_edit_that_is_not_accepted_lets_nothing_through(stocked: Desk, edit: str) -> None:
    for name in ("old", "good"):
        stocked.put(f"confirmed/{name}.md", f"---\n{edit}\n---\nOther.\n")
    result = stocked.doll("export", "pam", "--all", "--owner", "ada")
    assert (result.code, result.out) == (1, "")


def test_a_candidate_is_in_no_export(stocked: Desk) -> None:
    stocked.put("staging/proposals/idea.md", "---\ntitle: Idea\norigin: model\n---\nGood idea.\n")
    remember(stocked)
    for options in (("--all",), ("--query", "good"), ("--tag", "x")):
        assert "idea" not in ids(exported(stocked, *options))
