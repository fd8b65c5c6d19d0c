"""`doll imports`: what was imported, what became of it, and what waits of it dropped."""

import json

import pytest

from tests.foreign_desk import AWS, ForeignDesk, three
from tests.pam_documents import Json, memory, store

pytestmark = pytest.mark.sampled(4)


def listed(desk: ForeignDesk) -> dict[str, Json]:
    return {each["name"]: each for each in desk.ok("imports", "--json").json["imports"]}


def counts(desk: ForeignDesk, name: str = "mine") -> dict[str, int]:
    return {state: number for state, number in listed(desk)[name]["counts"].items() if number}


def drop(desk: ForeignDesk, *options: str, name: str = "mine") -> Json:
    found: Json = desk.ok("imports", "drop", name, "--json", *options).json
    return found


def test_a_vault_without_imports_says_what_to_type(desk: ForeignDesk) -> None:
    assert "doll import --help" in desk.ok("imports").out
    assert desk.ok("imports", "--json").json["imports"] == []


def test_each_entry_is_counted_where_it_is_by_now(desk: ForeignDesk) -> None:
    entries = [*three()["memories"], memory("a\0b", id="nul"), memory(f"key {AWS}", id="aws")]
    found = desk.bring(store(*entries), "--name", "mine", "--commit", code=1).json["candidates"]
    assert counts(desk) == {"new": 3, "staged": 3, "parked": 1, "refused": 1}
    desk.approve(found[0], "--commit")
    desk.review("reject", found[1]["id"], "--reason", "no", "--commit")
    assert counts(desk) == {
        "new": 3, "staged": 1, "approved": 1, "rejected": 1, "parked": 1, "refused": 1,
    }  # fmt: skip
    line = desk.ok("imports").out
    assert "mine  pam  3 new, 1 in staging, 1 approved, 1 rejected, 1 parked, 1 refused" in line


def test_an_approved_memory_counts_under_another_name_too(desk: ForeignDesk) -> None:
    (first, *_) = desk.committed(three(), "--name", "mine")
    desk.approve(first, "--commit")
    desk.ok("mv", first["id"].partition("/")[2], "tea", "--commit")
    assert counts(desk) == {"new": 3, "staged": 2, "approved": 1}


def test_what_changed_is_told_apart(desk: ForeignDesk) -> None:
    desk.committed(three(), "--name", "mine")
    changed = store(memory("Prefers coffee.", id="mem-1", summary="Coffee"))
    desk.bring(changed, "--name", "later", "--commit")
    assert counts(desk, "later") == {"changed": 1, "staged": 1}


def test_a_drop_removes_what_waits_and_keeps_the_ledger(desk: ForeignDesk) -> None:
    one, two, _ = desk.committed(three(), "--name", "mine")
    desk.approve(one, "--commit")
    desk.review("reject", two["id"], "--reason", "no", "--commit")
    before = desk.files()
    done = drop(desk)
    assert len(done["dropped"]) == 1
    after = desk.files()
    assert before.keys() - after.keys() == set(done["dropped"])
    assert {path: before[path] for path in after} == after
    assert counts(desk) == {"new": 3, "approved": 1, "rejected": 1, "dropped": 1}
    assert desk.status() == [f"D  {done['dropped'][0]}"]
    assert desk.ok("validate").code == 0


def test_what_was_dropped_stays_away_and_again_brings_it_back(desk: ForeignDesk) -> None:
    desk.committed(three(), "--name", "mine")
    drop(desk, "--commit")
    again = desk.bring(three()).json
    assert (again["counts"]["new"], again["dropped"], again["folder"]) == (0, 3, None)
    assert counts(desk) == {"new": 3, "dropped": 3}
    back = desk.bring(three(), "--again", "--name", "back").json
    assert back["counts"]["new"] == 3
    assert counts(desk, "back") == {"new": 3, "staged": 3}


def test_again_does_not_bring_back_what_was_rejected(desk: ForeignDesk) -> None:
    one, *_ = desk.committed(three(), "--name", "mine")
    desk.review("reject", one["id"], "--reason", "no", "--commit")
    drop(desk, "--commit")
    assert desk.bring(three(), "--again").json["counts"]["new"] == 2


def test_a_drop_is_undone_by_git(desk: ForeignDesk) -> None:
    desk.committed(three(), "--name", "mine")
    before = desk.files()
    said = desk.ok("imports", "drop", "mine")
    desk.type(said.err.partition("to undo it: ")[2])
    assert desk.status() == []
    assert desk.files() == before
    made = drop(desk, "--commit")["commit"]
    assert desk.head() == made
    assert desk.status() == []
    desk.git("revert", "--no-edit", made)
    assert desk.files() == before


def test_a_commit_of_a_drop_holds_nothing_else(desk: ForeignDesk) -> None:
    desk.committed(three(), "--name", "mine")
    desk.put("confirmed/other.md", "---\ntitle: O\n---\n")
    desk.git("add", "confirmed/other.md")
    done = drop(desk, "--commit")
    changed = desk.git("show", "--name-status", "--format=", "HEAD").splitlines()
    assert changed == [f"D\t{path}" for path in sorted(done["dropped"])]
    assert desk.status() == ["A  confirmed/other.md"]


def test_a_second_drop_has_nothing_to_do(desk: ForeignDesk) -> None:
    desk.committed(three(), "--name", "mine")
    drop(desk, "--commit")
    assert drop(desk, "--commit")["dropped"] == []
    assert "nothing was dropped" in desk.ok("imports", "drop", "mine").out


def test_an_import_that_is_not_committed_is_not_dropped(desk: ForeignDesk) -> None:
    desk.bring(three(), "--name", "mine")
    said = desk.refused(5, "imports", "drop", "mine")
    assert "git could not give it back" in said
    assert "rm -r --" in said


def test_a_candidate_that_was_edited_is_not_dropped(desk: ForeignDesk) -> None:
    one, *_ = desk.committed(three(), "--name", "mine")
    desk.put(one["path"], desk.read(one["path"]) + "mine\n")
    said = desk.refused(5, "imports", "drop", "mine")
    assert "1 candidate is not committed" in said
    assert one["path"] in said
    desk.git("commit", "-qam", "edit")
    assert len(drop(desk)["dropped"]) == 3


def test_a_file_that_the_import_did_not_bring_stays(desk: ForeignDesk) -> None:
    desk.committed(three(), "--name", "mine")
    desk.put("staging/pam/mine/own.md", "---\nschema: doll/memory/1\n---\nmine\n")
    done = drop(desk)
    assert done["other_files"] == 1
    assert "staging/pam/mine/own.md" in desk.files()


def test_a_model_drops_nothing(desk: ForeignDesk) -> None:
    desk.committed(three(), "--name", "mine")
    assert "the user's" in desk.refused(5, "imports", "drop", "mine", "--by", "model:x")
    assert "the user's" in desk.refused(5, "imports", "drop", "mine", DOLL_BY="model:x")


def test_a_hook_that_refuses_leaves_all_as_it_was(desk: ForeignDesk) -> None:
    desk.committed(three(), "--name", "mine")
    hook = desk.root / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    assert "nothing was dropped" in desk.refused(7, "imports", "drop", "mine", "--commit")
    assert desk.status() == []


def test_the_report_is_shown_without_its_ledger(desk: ForeignDesk) -> None:
    desk.bring(store(memory("a\0b", id="nul\u202e")), "--name", "mine", code=1)
    shown = desk.ok("imports", "show", "mine").out
    assert "| ## Parked" in shown
    assert "(and a ledger of 1 entry)" in shown
    assert "```ledger" not in shown
    assert "\u202e" not in shown
    document = desk.ok("imports", "show", "pam/mine", "--json").json
    assert document["import"]["counts"]["parked"] == 1
    assert document["report"].startswith("# Import mine")


def test_a_report_that_was_tampered_with_is_escaped_and_masked(desk: ForeignDesk) -> None:
    desk.committed(three(), "--name", "mine")
    path = "staging/pam/mine/_import.md"
    text = desk.read(path).replace("## What did", f"\x1b[2J\u202e token {AWS}\n\n## What did")
    desk.put(path, text)
    for options in ((), ("--json",)):
        shown = desk.ok("imports", "show", "mine", *options).out
        assert AWS not in shown
        assert "\x1b" not in shown
        assert "\u202e" not in shown


@pytest.mark.parametrize("words", [("show",), ("drop",)])
def test_a_name_that_means_nothing_is_said(desk: ForeignDesk, words: tuple[str, ...]) -> None:
    desk.committed(three(), "--name", "mine")
    assert "did you mean mine?" in desk.refused(2, "imports", *words, "mime")
    assert "doll imports" in desk.refused(2, "imports", *words, "../../x")
    assert "there is no import" in desk.refused(2, "imports", *words, "")


def test_an_import_whose_folder_is_gone_is_still_listed(desk: ForeignDesk) -> None:
    desk.committed(three(), "--name", "mine")
    desk.git("rm", "-rq", "staging/pam/mine")
    desk.git("commit", "-qm", "gone")
    assert listed(desk)["mine"]["folder"] is None
    assert counts(desk) == {"new": 3, "dropped": 3}
    assert "its folder is gone" in desk.ok("imports").out
    assert "diff-filter=D" in desk.refused(5, "imports", "show", "mine")
    assert drop(desk)["dropped"] == []


def test_a_ledger_that_cannot_be_read_is_said(desk: ForeignDesk) -> None:
    desk.bring(three(), "--name", "mine")
    desk.put("staging/pam/mine/_import.md", "no ledger\n")
    found = desk.doll("imports", "--json")
    assert found.code == 1
    assert [each["code"] for each in json.loads(found.out)["problems"]] == ["import.ledger"]
    desk.refused(5, "imports", "drop", "mine")


@pytest.mark.parametrize("said", ["import: ../../../..", "adapter: ..", "import: linked"])
def test_a_ledger_of_another_s_making_leads_nowhere(desk: ForeignDesk, said: str) -> None:
    desk.committed(three(), "--name", "mine")
    name = said.partition(":")[0]
    (desk.root / "staging" / "pam" / "linked").symlink_to(desk.root / "authority")
    text = desk.read("staging/pam/mine/_import.md")
    old = {"import": "import: mine", "adapter": "adapter: pam"}[name]
    desk.put("staging/pam/other/_import.md", text.replace(old, said))
    found = desk.ok("imports", "--json").json["imports"]
    assert {each["folder"] for each in found} == {"staging/pam/mine", None}
    before = desk.files()
    desk.doll("imports", "drop", said.partition(": ")[2])
    assert desk.files() == before


def test_one_name_in_two_adapters_asks_which(desk: ForeignDesk) -> None:
    desk.committed(three(), "--name", "mine")
    text = desk.read("staging/pam/mine/_import.md").replace("adapter: pam", "adapter: engram")
    desk.put("staging/engram/mine/_import.md", text)
    assert "pam/mine" in desk.refused(2, "imports", "show", "mine")
    assert desk.ok("imports", "show", "pam/mine").code == 0
    assert desk.ok("imports", "show", "staging/engram/mine/").code == 0


def test_options_stand_behind_the_subcommand(desk: ForeignDesk) -> None:
    desk.refused(2, "imports", "--json", "show", "mine")


@pytest.mark.soak
def test_ten_thousand_candidates_are_dropped(desk: ForeignDesk) -> None:
    entries = [memory(f"Memory {number}", id=f"m{number}") for number in range(10_000)]
    desk.committed(store(*entries), "--name", "mine")
    assert len(drop(desk, "--commit")["dropped"]) == 10_000
    assert counts(desk) == {"new": 10_000, "dropped": 10_000}
