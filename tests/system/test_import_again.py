"""What was met once stays known: approved, rejected and dropped entries do not come back."""

import shutil

import pytest

from tests.foreign_desk import ForeignDesk, three
from tests.pam_documents import memory, sealed, store

pytestmark = pytest.mark.sampled(4)


def _unchanged(desk: ForeignDesk, *options: str) -> int:
    before = desk.files()
    counts = desk.bring(three(), *options).json["counts"]
    assert desk.files() == before
    assert counts["new"] == counts["changed"] == 0
    return int(counts["unchanged"])


def test_approved_and_rejected_stay_so(desk: ForeignDesk) -> None:
    tea, bees, _ = desk.committed(three(), "--name", "mine")
    desk.approve(tea)
    desk.review("reject", bees["id"], "--reason", "not true")
    for options in ((), ("--again",)):
        assert _unchanged(desk, *options) == 3
    desk.git("commit", "-qm", "review")
    for options in ((), ("--again",)):
        assert _unchanged(desk, *options) == 3


def test_a_changed_entry_of_a_rejected_one_is_reviewed_anew(desk: ForeignDesk) -> None:
    tea = desk.committed(three(), "--name", "mine")[0]
    desk.review("reject", tea["id"], "--reason", "not true", "--commit")
    later = three()
    later["memories"][0]["content"] = "Prefers coffee now."
    done = desk.bring(sealed(later)).json
    assert done["counts"]["changed"] == 1
    assert done["candidates"][0]["updates"] == tea["id"].partition("/")[2]


def test_an_approved_memory_under_another_name_is_not_dropped(desk: ForeignDesk) -> None:
    tea = desk.committed(three(), "--name", "mine")[0]
    move = desk.approve(tea, "--commit")["moves"][0]
    desk.git("mv", move["path"], "confirmed/tea.md")
    desk.git("commit", "-qm", "rename")
    assert _unchanged(desk, "--again") == 3


def test_what_was_dropped_stays_away_until_asked_for(desk: ForeignDesk) -> None:
    tea = desk.committed(three(), "--name", "mine")[0]
    (desk.root / tea["path"]).unlink()
    assert _unchanged(desk) == 3
    said = desk.ok("import", "pam", str(desk.export(three())))
    assert "--again brings back what you dropped" in said.out
    done = desk.bring(three(), "--name", "mine", "--again").json
    assert done["counts"]["new"] == 1
    assert done["import"] == "mine-2"
    back = done["candidates"][0]
    assert back["id"].partition("/")[2] == tea["id"].partition("/")[2]
    assert back["sha256"] == tea["sha256"]
    assert _unchanged(desk, "--again") == 3


@pytest.mark.parametrize("committed", [True, False])
def test_a_dropped_folder_keeps_its_ledger_in_git(desk: ForeignDesk, *, committed: bool) -> None:
    desk.committed(three(), "--name", "mine")
    shutil.rmtree(desk.root / "staging" / "pam")
    if committed:
        desk.git("add", "-A")
        desk.git("commit", "-qm", "drop the import")
        desk.put("confirmed/x.md", "---\ntitle: X\n---\n")
        desk.git("add", "-A")
        desk.git("commit", "-qm", "go on")
    assert _unchanged(desk) == 3
    done = desk.bring(three(), "--again").json
    assert done["counts"]["new"] == 3
    assert _unchanged(desk) == 3


def test_a_folder_dropped_before_a_commit_leaves_nothing_behind(desk: ForeignDesk) -> None:
    desk.bring(three(), "--name", "mine")
    shutil.rmtree(desk.root / "staging" / "pam")
    assert desk.bring(three(), "--name", "mine").json["counts"]["new"] == 3


def test_the_kept_report_alone_keeps_the_ledger(desk: ForeignDesk) -> None:
    candidates = desk.bring(three(), "--name", "mine").json["candidates"]
    for each in candidates:
        (desk.root / each["path"]).unlink()
    assert _unchanged(desk) == 3


def test_what_is_brought_back_updates_what_it_updated(desk: ForeignDesk) -> None:
    desk.bring(store(memory("one bee")), "--name", "one")
    second = desk.bring(store(memory("two bees")), "--name", "two").json["candidates"][0]
    (desk.root / second["path"]).unlink()
    back = desk.bring(store(memory("two bees")), "--again").json["candidates"][0]
    assert back["updates"] == second["updates"]
    assert back["sha256"] == second["sha256"]


def test_a_broken_ledger_is_refused_and_nothing_is_forgotten(desk: ForeignDesk) -> None:
    desk.bring(three(), "--name", "mine")
    path = "staging/pam/mine/_import.md"
    desk.put(path, desk.read(path).replace("```ledger", "```ledgre"))
    err = desk.refused(5, "import", "pam", str(desk.export(three())))
    assert f"git restore -- {path}" in err


def test_a_broken_ledger_that_head_has_whole_is_a_warning(desk: ForeignDesk) -> None:
    desk.committed(three(), "--name", "mine")
    path = "staging/pam/mine/_import.md"
    desk.put(path, "oops\n")
    done = desk.bring(three()).json
    assert done["counts"]["unchanged"] == 3
    assert [problem["code"] for problem in done["problems"]] == ["import.ledger"]


def test_a_candidate_that_the_user_moved_or_edited_is_unchanged(desk: ForeignDesk) -> None:
    tea, bees, _ = desk.committed(three(), "--name", "mine")
    desk.put(tea["path"], desk.read(tea["path"]) + "\nand more\n")
    (desk.root / "staging/pam/kept").mkdir()
    stem = bees["path"].rpartition("/")[2]
    (desk.root / bees["path"]).rename(desk.root / "staging/pam/kept" / stem)
    assert _unchanged(desk) == 3
    assert _unchanged(desk, "--again") == 3


def test_imports_of_a_clone_are_known_after_a_merge(
    desk: ForeignDesk, capsys: pytest.CaptureFixture[str]
) -> None:
    other = ForeignDesk(desk.root.parent / "clone", capsys)
    desk.git("clone", "-q", str(desk.root), str(other.root))
    other.committed(three(), "--name", "mine")
    desk.git("pull", "-q", str(other.root), "main")
    assert _unchanged(desk) == 3


def test_where_a_known_source_is_is_said(desk: ForeignDesk) -> None:
    desk.committed(three(), "--name", "mine")
    again = ("import", "pam", str(desk.export(three())), "--name", "other")
    assert "  it is known from staging/pam/mine\n" in desk.ok(*again).out
    assert desk.bring(three(), "--name", "other").json["earlier"] == ["staging/pam/mine"]
    shutil.rmtree(desk.root / "staging/pam/mine")
    assert "  it is known from mine\n" in desk.ok(*again).out
    assert desk.bring(store(memory("New one", id="n"))).json["earlier"] == []


@pytest.mark.parametrize("name", ["a/b", "", "proposals", "CON"])
def test_an_invalid_name_is_refused_whatever_is_known(desk: ForeignDesk, name: str) -> None:
    source = str(desk.export(three()))
    for committed in (False, True):
        if committed:
            desk.committed(three(), "--name", "mine")
        assert "--name: " in desk.refused(2, "import", "pam", source, "--name", name)
        assert "--name: " in desk.refused(2, "import", "pam", source, "--name", name, "--dry-run")


def test_a_hint_is_said_once(desk: ForeignDesk) -> None:
    (desk.root / "bad.json").write_text('{"x":')
    said = desk.refused(4, "import", "pam", "bad.json")
    assert said.count("the file was cut off") == 1
    assert said.endswith("  nothing was written\n")
