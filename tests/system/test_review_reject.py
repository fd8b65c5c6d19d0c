"""`doll review reject`: marked in place, and it stays rejected."""

import pytest

from doll.records.splice import splice
from tests.foreign_desk import AWS, ForeignDesk, three
from tests.pam_documents import Json

pytestmark = pytest.mark.sampled(4)


@pytest.fixture
def candidate(desk: ForeignDesk) -> Json:
    return desk.committed(three(), "--name", "mine")[0]


def test_the_file_stays_and_gains_two_lines(desk: ForeignDesk, candidate: Json) -> None:
    before = desk.files()[candidate["path"]]
    done = desk.review("reject", candidate["id"], "--reason", "was true: in 2019")
    assert done["path"] == candidate["path"]
    after = desk.files()[candidate["path"]]
    assert splice(after, {"review": None, "review_reason": None}) == before
    assert b"\nreview: rejected\nreview_reason: " in after
    assert b"was true: in 2019" in after
    assert desk.status() == [f"M  {candidate['path']}"]
    assert desk.doll("validate").code == 0


def test_it_is_listed_as_rejected_and_asked_about_no_more(
    desk: ForeignDesk, candidate: Json
) -> None:
    desk.review("reject", candidate["id"], "--reason", "no", "--commit")
    assert desk.git("log", "-1", "--format=%s") == f"review: reject {candidate['id']}"
    assert desk.status() == []
    assert f"rejected       {candidate['id']}" in desk.ok("review").out
    assert candidate["path"] not in desk.ok("review", "list", "--digests").out


def test_an_import_that_is_not_committed_can_be_rejected(desk: ForeignDesk) -> None:
    candidate = desk.bring(three(), "--name", "mine").json["candidates"][0]
    done = desk.review("reject", candidate["id"], "--reason", "no")
    assert not done["staged"]
    assert f"?? {candidate['path']}" in desk.status()


def test_twice_is_once(desk: ForeignDesk, candidate: Json) -> None:
    desk.review("reject", candidate["id"], "--reason", "no")
    err = desk.refused(5, "review", "reject", candidate["id"], "--reason", "again")
    assert "is rejected already" in err


@pytest.mark.parametrize("reason", ["", "  ", "two\nlines", "a\x07b"])
def test_a_reason_is_one_line(desk: ForeignDesk, candidate: Json, reason: str) -> None:
    desk.refused(2, "review", "reject", candidate["id"], "--reason", reason)


def test_a_reason_is_wanted(desk: ForeignDesk, candidate: Json) -> None:
    desk.refused(2, "review", "reject", candidate["id"])


def test_no_secret_comes_in_by_the_reason(desk: ForeignDesk, candidate: Json) -> None:
    err = desk.refused(5, "review", "reject", candidate["id"], "--reason", f"holds {AWS}")
    assert AWS not in err


def test_the_digest_holds_it_to_what_was_shown(desk: ForeignDesk, candidate: Json) -> None:
    reject = ("review", "reject", candidate["id"], "--reason", "no", "--digest")
    desk.refused(5, *reject, "0" * 64)
    desk.refused(2, *reject, "12")
    desk.ok(*reject, candidate["sha256"])


def test_a_model_rejects_nothing(desk: ForeignDesk, candidate: Json) -> None:
    reject = ("review", "reject", candidate["id"], "--reason", "no")
    assert "that is the user's" in desk.refused(5, *reject, DOLL_BY="model:helper")
    desk.refused(5, *reject, "--by", "model:helper")


def test_what_cannot_be_read_is_not_edited(desk: ForeignDesk, candidate: Json) -> None:
    desk.put(candidate["path"], "---\ntitle: [\n---\n")
    desk.refused(5, "review", "reject", candidate["id"], "--reason", "no")
