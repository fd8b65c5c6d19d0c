"""What `doll review` says when it does not do what was asked: true, and with what to type."""

import hashlib

import pytest

from tests.foreign_desk import ForeignDesk, three
from tests.pam_documents import Json, memory, store

pytestmark = pytest.mark.sampled(4)


@pytest.fixture
def candidates(desk: ForeignDesk) -> list[Json]:
    return desk.committed(three(), "--name", "mine")


def _approve(candidate: Json) -> tuple[str, ...]:
    return ("review", "approve", candidate["id"], "--digest", candidate["sha256"])


@pytest.mark.parametrize("committed", [False, True])
def test_one_that_is_approved_already(
    desk: ForeignDesk, candidates: list[Json], committed: bool
) -> None:
    move = desk.approve(candidates[0], *(["--commit"] if committed else []))["moves"][0]
    stem = candidates[0]["id"].partition("/")[2]
    for name in (candidates[0]["id"], candidates[0]["path"], stem, stem.upper()):
        err = desk.refused(5, "review", "approve", name, "--digest", candidates[0]["sha256"])
        assert f"it is approved already, as {move['path']}" in err
        assert f"doll show {stem}" in err
    assert "approved already" in desk.refused(5, "review", "show", stem)
    assert "approved already" in desk.refused(5, "review", "reject", stem, "--reason", "no")
    listed = f"{candidates[1]['sha256']}  {candidates[1]['id']}\n{'0' * 64}  {stem}\n".encode()
    assert "approved already" in desk.refused(5, "review", "approve", "--from", "-", stdin=listed)
    desk.ok("show", stem)


def test_the_name_of_an_own_record(desk: ForeignDesk, candidates: list[Json]) -> None:
    desk.put("confirmed/own.md", "---\ntitle: Own\n---\n")
    err = desk.refused(2, "review", "show", "own")
    assert "confirmed/own.md is a record already" in err
    assert "doll show own" in err


@pytest.mark.parametrize("change", ["part", "slip", "import"])
def test_an_unknown_id_names_near_ones(
    desk: ForeignDesk, candidates: list[Json], change: str
) -> None:
    wanted = candidates[0]["id"]
    stem = wanted.partition("/")[2]
    name = {
        "part": "tea-not",
        "slip": stem.replace("coffee", "cofee"),
        "import": f"other/{stem[:-1]}",
    }[change]
    err = desk.refused(2, "review", "approve", name, "--digest", "0" * 64)
    assert f"did you mean {wanted}?" in err


def test_an_id_like_nothing_here(desk: ForeignDesk, candidates: list[Json]) -> None:
    err = desk.refused(2, "review", "show", "zzz")
    assert "doll review list" in err


def test_a_reason_of_two_lines(desk: ForeignDesk, candidates: list[Json]) -> None:
    err = desk.refused(2, "review", "reject", candidates[0]["id"], "--reason", "a\nb")
    assert "--body" not in err
    assert "say it in one line" in err


def test_front_matter_without_room_for_a_review(desk: ForeignDesk) -> None:
    path = "staging/proposals/long-0a1b2c3d.md"
    head = "---\nschema: doll/memory/1\norigin: model\nsummary: "
    text = f"{head}{'x' * (65_500 - len(head))}\n---\nText.\n"
    desk.put(path, text)
    desk.git("add", path)
    desk.git("commit", "-qm", "propose")
    digest = hashlib.sha256(text.encode()).hexdigest()
    err = desk.refused(5, "review", "approve", path, "--digest", digest)
    assert "there is no room in the file" in err
    assert "larger than 64 KiB" in err
    assert "one on a line" not in err
    err = desk.refused(5, "review", "reject", path, "--reason", "x" * 100)
    assert "there is no room in the file" in err


@pytest.mark.sampled(6)
@pytest.mark.parametrize("length", range(57_000, 66_000, 1_500))
def test_what_an_import_writes_has_room_for_a_review(desk: ForeignDesk, length: int) -> None:
    document = store(memory(metadata={"note": "x" * length}))
    result = desk.doll("import", "pam", str(desk.export(document)), "--commit", "--json").json
    if not result["candidates"]:
        assert result["parked"][0]["code"] == "frontmatter.too_large"
        return
    desk.approve(result["candidates"][0], "--commit")
    desk.ok("validate")


@pytest.mark.parametrize(("times", "said"), [(2, "is found there once only"), (3, "once only")])
def test_an_allowance_that_is_given_too_often(desk: ForeignDesk, times: int, said: str) -> None:
    secret = "AKIA" + "QWERTYUIOPASDFGH"
    text = ("new", "memory", "--title", "Tea", "--body", f"key {secret}")
    allowed = ("--not-a-secret", "aws-key:body") * times
    err = desk.refused(2, *text, *allowed)
    assert said in err
    assert "nothing there looks like that" not in err
    assert "give the option once" in err
    desk.ok(*text, "--not-a-secret", "aws-key:body")


@pytest.mark.parametrize(
    "command",
    [
        ("new", "memory", "--title", "x" * 10_001),
        ("new", "memory", "--title", "T", "--set", f"summary={'x' * 70_000}"),
        ("log", "lesson", "x" * 70_000, "--project", "garden"),
    ],
)
def test_a_line_that_front_matter_could_not_hold(
    desk: ForeignDesk, command: tuple[str, ...]
) -> None:
    err = desk.refused(2, *command)
    assert "characters, and a line has at most 10,000" in err
    assert "put what is longer into the body" in err
    assert "second `---`" not in err
