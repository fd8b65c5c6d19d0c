"""`doll duplicates judge`: the user's word on two texts, kept by git until one changes."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from doll.vault.judged import path_of
from tests.desk import Desk
from tests.gitbox import git, hook
from tests.system.test_duplicates import AS_OF, KEY, ORDER, found, put

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(4)

JUDGE = ("duplicates", "judge", "a", "b", "--distinct")
COMMITTED = (*JUDGE, "--commit")
PLACE = path_of("a", "b")


@pytest.fixture
def pair(desk: Desk) -> Desk:
    """Two memories that are near, committed."""
    put(desk, "a", "Order", ORDER)
    put(desk, "b", "Order", ORDER.replace("espresso", "cortado"))
    desk.git("add", "-A")
    desk.git("commit", "-qm", "two")
    assert found(desk) == [("near", ["a", "b"])]
    return desk


def test_a_judged_pair_is_not_told_again(pair: Desk) -> None:
    said = pair.ok(*COMMITTED)
    assert said.out == "a and b: distinct\n"
    assert found(pair) == []
    assert "1 pair judged distinct: doll duplicates --judged" in pair.ok("duplicates", *AS_OF).out
    assert pair.ok("duplicates", "--judged").out.startswith("holds: a b  distinct 2")
    assert pair.ok("validate").code == 0


def test_it_counts_once_it_is_committed(pair: Desk) -> None:
    """What stands in the work tree alone may be anybody's."""
    said = pair.ok(*JUDGE)
    assert PLACE in said.err
    assert "it counts once it is" in said.err
    assert found(pair) == [("near", ["a", "b"])]
    told = pair.ok("duplicates", *AS_OF)
    assert "1 judgement not committed, which does not count yet" in told.out
    assert pair.ok("duplicates", "--json", *AS_OF).json["judged_not_committed"] == 1
    assert pair.ok("duplicates", "--judged").out.startswith("not committed: a b")
    pair.ok(*COMMITTED)
    assert found(pair) == []
    # An edit that is not committed does not count either, nor does what a branch has.
    pair.put(PLACE, pair.read(PLACE).replace("at: 2", "at:  2"))
    assert found(pair) == [("near", ["a", "b"])]


def test_a_judgement_on_a_branch_counts_once_it_is_merged(pair: Desk) -> None:
    base = pair.git("branch", "--show-current")
    pair.git("switch", "-qc", "side")
    pair.ok(*COMMITTED)
    assert found(pair) == [("near", ["a", "b"])]
    pair.git("switch", "-q", base)
    pair.git("merge", "-q", "side")
    assert found(pair) == []


FORGED: dict[str, Callable[[str], str]] = {
    "by a model": lambda text: re.sub("by: .*", "by: model:gpt", text),
    "by a model with a mail": lambda text: re.sub("by: .*", 'by: "Model:gpt <g@x.org>"', text),
    "by nobody": lambda text: re.sub("by: .*", "by: Ada", text),
    "later": lambda text: re.sub("at: .*", "at: 2999-01-01T00:00:00Z", text),
    "more text": lambda text: f"{text}Obey.\n",
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", FORGED)
def test_what_the_command_would_not_write_does_not_count(pair: Desk, name: str) -> None:
    pair.ok(*COMMITTED)
    pair.put(PLACE, FORGED[name](pair.read(PLACE)))
    pair.git("add", "-A")
    pair.git("commit", "-qnm", "forged")
    assert found(pair) == [("near", ["a", "b"])]
    assert "[judgement.invalid]" in pair.ok("duplicates", "--judged").err
    checked = pair.doll("validate", "--json")
    assert checked.code == 1
    assert {each["code"] for each in checked.json["problems"]} == {"judgement.invalid"}
    pair.ok(*COMMITTED)
    assert found(pair) == []


def test_a_secret_in_it_is_covered_and_named(pair: Desk) -> None:
    pair.ok(*COMMITTED)
    pair.put(PLACE, re.sub("by: .*", f'by: "{KEY} <a@example.org>"', pair.read(PLACE)))
    for result in (
        pair.ok("duplicates", "--judged"),
        pair.ok("duplicates", "--judged", "--json"),
        pair.doll("validate"),
    ):
        assert KEY not in result.out + result.err
    checked = pair.doll("validate", "--json")
    assert checked.code == 1
    assert {each["code"] for each in checked.json["problems"]} == {"secret.found"}


def test_it_is_one_file_that_git_takes(pair: Desk) -> None:
    before = pair.files()
    pair.ok(*JUDGE)
    after = pair.files()
    assert after.keys() - before.keys() == {PLACE}
    assert all(after[path] == data for path, data in before.items())
    assert "ids: [a, b]\n" in pair.read(PLACE)
    assert "by: Ada Tester <ada@example.org>\n" in pair.read(PLACE).replace('"', "")
    assert pair.git("status", "--porcelain", "--untracked-files=all") == f"?? {PLACE}"


def test_commit_takes_just_that_file(pair: Desk) -> None:
    pair.put("confirmed/c.md", "---\ntitle: C\n---\n")
    pair.git("add", "confirmed/c.md")
    pair.ok(*JUDGE, "--commit")
    assert pair.git("show", "--name-only", "--format=%s", "HEAD").split("\n\n") == [
        "duplicates: a and b are distinct",
        PLACE,
    ]
    assert pair.git("diff", "--cached", "--name-only") == "confirmed/c.md"
    again = pair.ok(*JUDGE, "--commit", "--json").json
    assert (again["changed"], again["commit"], again["next"]) == (False, None, [])


def test_the_line_that_is_said_commits_it(pair: Desk) -> None:
    (line,) = pair.ok(*JUDGE, "--json").json["next"]
    pair.type(line)
    assert pair.git("status", "--porcelain") == ""
    (line,) = pair.ok("duplicates", "judge", "b", "a", "--undo", "--json").json["next"]
    pair.type(line)
    assert pair.git("status", "--porcelain") == ""


def test_a_changed_text_opens_it_again(pair: Desk) -> None:
    pair.ok(*JUDGE, "--commit")
    put(pair, "b", "Order", ORDER.replace("espresso", "cortado").replace("lunch", "noon"))
    assert found(pair) == [("near", ["a", "b"])]
    told = pair.ok("duplicates", *AS_OF).out
    assert "judged distinct at 2" in told
    assert pair.ok("duplicates", "--judged").out.startswith("text changed: a b")
    pair.ok(*COMMITTED)
    assert found(pair) == []


def test_other_fields_and_white_space_do_not(pair: Desk) -> None:
    pair.ok(*COMMITTED)
    put(pair, "b", "Order", ORDER.replace("espresso", "cortado") + " \n\n", tags="[coffee]")
    assert found(pair) == []


def test_it_can_be_taken_back(pair: Desk) -> None:
    pair.ok(*JUDGE, "--commit")
    pair.ok("duplicates", "judge", "b", "a", "--undo", "--commit")
    assert not (pair.root / PLACE).exists()
    assert found(pair) == [("near", ["a", "b"])]
    assert pair.git("log", "-1", "--format=%s") == "duplicates: b and a are open again"
    assert "not judged" in pair.refused(5, "duplicates", "judge", "a", "b", "--undo")


def test_a_model_cannot_judge(pair: Desk) -> None:
    assert "model:m cannot judge" in pair.refused(5, *JUDGE, "--by", "model:m")
    assert "cannot judge" in pair.refused(5, *JUDGE, DOLL_BY="model:m")
    pair.ok(*JUDGE)
    undo = ("duplicates", "judge", "a", "b", "--undo")
    assert "cannot take a judgement back" in pair.refused(5, *undo, DOLL_BY="model:m")


def test_a_rename_keeps_it(pair: Desk) -> None:
    pair.ok(*JUDGE, "--commit")
    pair.ok("mv", "b", "cortado", "--commit")
    assert found(pair) == []
    assert pair.ok("validate").code == 0
    # Judged anew, the one file has the new names.
    put(pair, "a", "Order", ORDER.replace("lunch", "noon"))
    pair.ok("duplicates", "judge", "cortado", "a", "--distinct", "--commit")
    assert not (pair.root / PLACE).exists()
    assert (pair.root / path_of("a", "cortado")).is_file()
    assert found(pair) == []
    assert pair.git("status", "--porcelain") == "M confirmed/a.md"


def test_a_record_that_is_gone(pair: Desk) -> None:
    pair.ok(*JUDGE)
    (pair.root / "confirmed/b.md").unlink()
    assert pair.ok("duplicates", "--judged").out.startswith("record gone: a b")
    assert pair.ok("duplicates", "--json", *AS_OF).json["judged"] == 0
    assert pair.ok("validate").code == 0


DAMAGE: dict[str, Callable[[str], str]] = {
    "cut": lambda text: text[:60],
    "conflict": lambda text: f"<<<<<<< ours\n{text}=======\n>>>>>>> theirs\n",
    "not text": lambda text: text.replace("a", "\0"),
    "another pair": lambda text: text.replace("[a, b]", "[a, c]"),
}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_file_counts_for_nothing_and_is_named(pair: Desk, name: str) -> None:
    pair.ok(*JUDGE, "--commit")
    pair.put(PLACE, DAMAGE[name](pair.read(PLACE)))
    assert found(pair) == [("near", ["a", "b"])]
    assert "[judgement.invalid]" in pair.ok("duplicates", *AS_OF).err
    checked = pair.doll("validate", "--json")
    assert checked.code == 1
    assert {each["code"] for each in checked.json["problems"]} == {"judgement.invalid"}
    pair.git("add", "-A")
    assert pair.doll("validate", "--staged").code == 1
    pair.ok(*COMMITTED)
    pair.git("add", "-A")
    assert found(pair) == []
    assert pair.ok("validate").code == 0


def test_a_folder_that_is_a_link_is_not_read(pair: Desk, tmp_path: Path) -> None:
    pair.ok(*JUDGE)
    (pair.root / ".doll/judged").rename(tmp_path / "judged")
    (pair.root / ".doll/judged").symlink_to(tmp_path / "judged")
    assert found(pair) == [("near", ["a", "b"])]
    assert pair.doll("validate").code == 1
    pair.refused(5, "duplicates", "judge", "a", "b", "--distinct")


def test_a_file_in_the_place_of_the_folder(pair: Desk) -> None:
    pair.put(".doll/judged", "x")
    assert "judgements lie in a folder" in pair.ok("duplicates", *AS_OF).err
    assert pair.doll("validate").code == 1
    said = pair.refused(5, *JUDGE)
    assert ".doll/judged: this is a file" in said
    assert "disk space" not in said


def test_what_cannot_be_judged(pair: Desk) -> None:
    put(pair, "hidden", "H", f"About {KEY[:3]}", sensitivity="secret")
    pair.refused(2, "duplicates", "judge", "a", "b")
    pair.refused(2, "duplicates", "judge", "a", "b", "--distinct", "--undo")
    assert "those of a" in pair.refused(2, "duplicates", "judge", "a", "a", "--distinct")
    assert "secret" in pair.refused(2, "duplicates", "judge", "a", "hidden", "--distinct")
    assert "a project" in pair.refused(2, "duplicates", "judge", "a", "atlas", "--distinct")
    pair.refused(2, "duplicates", "judge", "a", "nobody", "--distinct")


def test_judgements_of_two_clones_merge(pair: Desk, tmp_path: Path) -> None:
    """Each pair has its own file, so that two people judge without a conflict."""
    put(pair, "c", "Order", ORDER.replace("espresso", "ristretto"))
    pair.git("add", "-A")
    pair.git("commit", "-qm", "three")
    git(tmp_path, "clone", "-q", str(pair.root), "clone")
    other = Desk(tmp_path / "clone", pair._capsys)
    pair.ok(*JUDGE, "--commit")
    other.ok("duplicates", "judge", "a", "c", "--distinct", "--commit")
    other.git("pull", "-q", "--no-rebase", "--no-edit")
    assert found(other) == [("near", ["b", "c"])]


def test_a_hook_that_refuses_leaves_the_judgement_and_says_how_to_go_on(pair: Desk) -> None:
    hook(pair.root, "#!/bin/sh\nexit 1\n")
    result = pair.doll(*JUDGE, "--commit")
    assert result.code == 7
    assert "is written and not committed" in result.err
    assert pair.ok("duplicates", "--judged").out.startswith("not committed: a b")
    (pair.root / ".git/hooks/pre-commit").unlink()
    pair.ok(*JUDGE, "--commit")
    assert pair.git("status", "--porcelain") == ""


def test_many_at_once_judge_one_pair(pair: Desk) -> None:
    line = f"doll {' '.join(JUDGE)}"
    pair.type(f"for each in 1 2 3 4; do {line} & done; wait")
    assert pair.ok("duplicates", "--judged").out.startswith("not committed: a b")
    assert [path for path in pair.files() if path.startswith(".doll/judged")] == [PLACE]
    assert pair.ok("validate").code == 0
