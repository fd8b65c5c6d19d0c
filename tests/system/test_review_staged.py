"""`doll review approve --staged`: completing moves that the user made by hand."""

import hashlib

import pytest

from doll.records.splice import splice
from tests.foreign_desk import AWS, ForeignDesk, three
from tests.pam_documents import Json

pytestmark = pytest.mark.sampled(4)

STAGED = ("review", "approve", "--staged")
FIELDS = ("reviewed_by", "reviewed_at", "reviewed_sha256")


@pytest.fixture
def candidates(desk: ForeignDesk) -> list[Json]:
    desk.put("confirmed/README.md", "# confirmed\n")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "a folder")
    return desk.committed(three(), "--name", "mine")


def test_a_staged_move_is_completed(desk: ForeignDesk, candidates: list[Json]) -> None:
    desk.git("mv", candidates[0]["path"], "confirmed/tea.md")
    assert desk.doll("validate", "--staged").code == 1
    done = desk.review("approve", "--staged")
    move = done["moves"][0]
    assert (move["candidate"], move["path"]) == (candidates[0]["id"], "confirmed/tea.md")
    assert move["digest"] == candidates[0]["sha256"]
    data = desk.files()["confirmed/tea.md"]
    assert hashlib.sha256(splice(data, dict.fromkeys(FIELDS))).hexdigest() == move["digest"]
    assert desk.status() == [f"R  {candidates[0]['path']} -> confirmed/tea.md"]
    assert desk.doll("validate", "--staged").code == 0
    desk.git("commit", "-qm", "review")
    assert desk.doll("validate").code == 0


def test_several_moves_and_commit(desk: ForeignDesk, candidates: list[Json]) -> None:
    desk.put("confirmed/own.md", "---\ntitle: Own\n---\n")
    desk.git("add", "confirmed/own.md")
    for each in candidates[:2]:
        desk.git("mv", each["path"], "confirmed/")
    done = desk.review("approve", "--staged", "--commit")
    assert len(done["moves"]) == 2
    assert desk.status() == ["A  confirmed/own.md"]
    assert "confirmed/own.md" not in desk.git("show", "--name-only", "HEAD")


def test_nothing_staged(desk: ForeignDesk, candidates: list[Json]) -> None:
    desk.put("confirmed/own.md", "---\ntitle: Own\n---\n")
    desk.git("add", "confirmed/own.md")
    assert "no move of a candidate is staged" in desk.refused(5, *STAGED)


def _edited_move(desk: ForeignDesk, candidate: Json, path: str) -> None:
    desk.git("mv", candidate["path"], path)
    desk.put(path, desk.read(path) + "more\n")
    desk.git("add", path)


@pytest.mark.parametrize("name", ["tea.md", ""])
def test_a_move_with_an_edit_is_named(desk: ForeignDesk, candidates: list[Json], name: str) -> None:
    source = candidates[0]["path"]
    path = f"confirmed/{name or source.rpartition('/')[2]}"
    _edited_move(desk, candidates[0], path)
    desk.git("mv", candidates[1]["path"], "confirmed/")
    err = desk.refused(5, *STAGED, "--commit")
    assert "1 of 2 cannot be approved, so none was; nothing was changed" in err
    assert f"{path}: error: it was edited on its way from {source}" in err
    line = next(each for each in err.splitlines() if "as it was: " in each)
    desk.type(line.partition(": ")[2])
    assert len(desk.review("approve", "--staged", "--commit")["moves"]) == 2
    assert desk.status() == []
    desk.ok("validate")


def test_an_edited_move_can_be_reviewed_with_its_edit(
    desk: ForeignDesk, candidates: list[Json]
) -> None:
    _edited_move(desk, candidates[0], "confirmed/tea.md")
    err = desk.refused(5, *STAGED)
    assert "confirmed/tea.md is not approved: it was edited" in err
    line = next(each for each in err.splitlines() if "with the edit: " in each)
    desk.type(line.partition(": ")[2].partition("    then")[0])
    assert desk.status() == []
    desk.git("mv", candidates[0]["path"], "confirmed/tea.md")
    desk.review("approve", "--staged", "--commit")
    assert desk.read("confirmed/tea.md").endswith("more\n")


def test_a_copy_whose_candidate_stays_is_named(desk: ForeignDesk, candidates: list[Json]) -> None:
    source = candidates[0]["path"]
    path = f"confirmed/{source.rpartition('/')[2]}"
    desk.put(path, desk.read(source))
    desk.git("add", path)
    err = desk.refused(5, *STAGED)
    assert f"{path} is not approved: origin import, and no candidate" in err
    desk.type(next(e for e in err.splitlines() if "git rm" in e).partition(": ")[2])
    assert len(desk.review("approve", "--staged", "--commit")["moves"]) == 1


def test_a_candidate_in_place_of_a_record_is_refused(
    desk: ForeignDesk, candidates: list[Json]
) -> None:
    desk.put("confirmed/own.md", "---\ntitle: Own\n---\n")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "own")
    desk.git("mv", "-f", candidates[0]["path"], "confirmed/own.md")
    err = desk.refused(5, *STAGED)
    assert "would replace a record that HEAD has" in err
    line = next(e for e in err.splitlines() if "git restore" in e)
    desk.type(line.partition("    drops")[0])
    assert desk.read("confirmed/own.md") == "---\ntitle: Own\n---\n"


def test_what_is_staged_beside_the_moves_is_said(desk: ForeignDesk, candidates: list[Json]) -> None:
    desk.git("mv", candidates[0]["path"], "confirmed/")
    desk.git("rm", "-q", candidates[1]["path"])
    desk.put("confirmed/own.md", "---\ntitle: Own\n---\n")
    desk.git("add", "confirmed/own.md")
    err = desk.ok(*STAGED).err
    assert "note: confirmed/own.md is staged, and no candidate that moved: left as it is" in err
    assert f"note: {candidates[1]['path']} is staged as deleted, and moved nowhere" in err
    assert sorted(line[:2] for line in desk.status()) == ["A ", "D ", "R "]


def test_an_approval_that_is_staged_already_is_left_alone(
    desk: ForeignDesk, candidates: list[Json]
) -> None:
    desk.approve(candidates[0])
    path = f"confirmed/{candidates[0]['id'].partition('/')[2]}.md"
    desk.git("mv", candidates[1]["path"], "confirmed/")
    before = desk.read(path)
    done = desk.review("approve", "--staged")
    assert [move["source"] for move in done["moves"]] == [candidates[1]["path"]]
    assert f"{path} is approved already, and staged" in done["notes"]
    assert desk.read(path) == before
    assert f"{path} is approved already, and staged" in desk.refused(5, *STAGED)


def test_another_name_within_staging_is_no_move(desk: ForeignDesk, candidates: list[Json]) -> None:
    desk.git("mv", candidates[0]["path"], "staging/pam/mine/other-0a1b2c3d.md")
    assert "no move of a candidate is staged" in desk.refused(5, *STAGED)


def test_an_edit_after_staging_is_refused(desk: ForeignDesk, candidates: list[Json]) -> None:
    desk.git("mv", candidates[0]["path"], "confirmed/tea.md")
    desk.put("confirmed/tea.md", desk.read("confirmed/tea.md") + "more\n")
    assert "its bytes on disk are not those that are staged" in desk.refused(5, *STAGED)


def test_a_move_into_authority_is_refused(desk: ForeignDesk, candidates: list[Json]) -> None:
    (desk.root / "authority/policies").mkdir()
    desk.git("mv", candidates[0]["path"], "authority/policies/tea.md")
    assert "never becomes authority" in desk.refused(5, *STAGED)


def test_a_rejected_one_is_refused(desk: ForeignDesk, candidates: list[Json]) -> None:
    desk.review("reject", candidates[0]["id"], "--reason", "no", "--commit")
    desk.git("mv", candidates[0]["path"], "confirmed/tea.md")
    assert "it is rejected" in desk.refused(5, *STAGED)


def test_a_secret_is_refused(desk: ForeignDesk, candidates: list[Json]) -> None:
    path = candidates[0]["path"]
    desk.put(path, desk.read(path) + f"\n{AWS}\n")
    desk.git("commit", "-qam", "edit")
    desk.git("mv", path, "confirmed/tea.md")
    err = desk.refused(5, *STAGED)
    assert "aws-key" in err
    assert AWS not in err


def test_a_taken_id_is_refused(desk: ForeignDesk, candidates: list[Json]) -> None:
    desk.put("confirmed/deep/tea.md", "---\ntitle: Own\n---\n")
    desk.git("mv", candidates[0]["path"], "confirmed/tea.md")
    assert "the id tea is taken by confirmed/deep/tea.md" in desk.refused(5, *STAGED)


def test_one_that_cannot_be_approved_stops_all(desk: ForeignDesk, candidates: list[Json]) -> None:
    desk.git("mv", candidates[0]["path"], "confirmed/tea.md")
    desk.git("mv", candidates[1]["path"], "confirmed/bees.md")
    desk.put("confirmed/bees.md", "changed\n")
    err = desk.refused(5, *STAGED, "--commit")
    assert "1 of 2 cannot be approved, so none was" in err


def test_equal_candidates_are_told_apart_by_their_names(
    desk: ForeignDesk, candidates: list[Json]
) -> None:
    twin = candidates[0]["path"].replace("/mine/", "/yours/").replace("tea-", "twin-")
    desk.put(twin, desk.read(candidates[0]["path"]))
    desk.git("add", twin)
    desk.git("commit", "-qm", "twin")
    desk.git("mv", candidates[0]["path"], "confirmed/")
    desk.git("mv", twin, "confirmed/")
    moves = desk.review("approve", "--staged")["moves"]
    assert {(m["source"], m["path"]) for m in moves} == {
        (path, f"confirmed/{path.rpartition('/')[2]}") for path in (candidates[0]["path"], twin)
    }


def test_a_model_completes_nothing(desk: ForeignDesk, candidates: list[Json]) -> None:
    desk.git("mv", candidates[0]["path"], "confirmed/tea.md")
    assert "that is the user's" in desk.refused(5, *STAGED, DOLL_BY="model:helper")
