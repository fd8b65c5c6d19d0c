"""Approvals that are killed, raced or fail half-way: nothing is lost, and what is said is true."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from doll.errors import ConflictError
from doll.services.reviewing.marking import Signature, mark
from doll.vault import files
from tests.foreign_desk import ForeignDesk, three
from tests.pam_documents import Json

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(4)

KILLED = """
import os, sys
from doll.vault import files
left, whole = int(sys.argv.pop(1)), files.remove
def remove(*given):
    global left
    if not left:
        os._exit(9)
    left -= 1
    whole(*given)
files.remove = remove
from doll.cli import run
sys.exit(run(sys.argv[1:]))
"""


@pytest.fixture
def candidates(desk: ForeignDesk) -> list[Json]:
    return desk.committed(three(), "--name", "mine")


def _approve(candidate: Json, *options: str) -> tuple[str, ...]:
    return ("review", "approve", candidate["id"], "--digest", candidate["sha256"], *options)


def _kill(desk: ForeignDesk, *arguments: str, removed: int = 0) -> None:
    """Run `doll` and kill it before it removes one file more than `removed`."""
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(removed), *arguments],
        cwd=desk.root,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 9, done.stderr


def test_a_kill_between_leaves_both_and_the_next_approval_finishes(
    desk: ForeignDesk, candidates: list[Json]
) -> None:
    _kill(desk, *_approve(candidates[0]))
    path = f"confirmed/{candidates[0]['id'].partition('/')[2]}.md"
    assert {candidates[0]["path"], path} <= set(desk.files())
    kept = desk.files()[path]
    listed = desk.review("list")["candidates"]
    assert {each["id"]: each["state"] for each in listed}[candidates[0]["id"]] == "half-approved"
    assert "1 half-approved (approve again to finish)" in desk.ok("review").err
    done = desk.approve(candidates[0], "--commit")
    assert done["moves"][0]["finished"]
    assert desk.files()[path] == kept
    assert candidates[0]["path"] not in desk.files()
    assert desk.status() == []
    assert desk.doll("validate").code == 0


def test_several_of_which_one_was_taken_away_are_finished(
    desk: ForeignDesk, candidates: list[Json]
) -> None:
    words = "\n".join(f"{each['sha256']}  {each['id']}" for each in candidates[:2])
    desk.put("../list.txt", f"{words}\n")
    line = ("review", "approve", "--from", "../list.txt", "--commit")
    _kill(desk, *line, removed=1)
    there = [each["path"] in desk.files() for each in candidates[:2]]
    assert there == [False, True]
    half = desk.files()
    other = f"{words}\n{'0' * 64}  {candidates[2]['id']}\n"
    desk.put("../other.txt", other)
    assert "1 of 3 cannot be approved" in desk.refused(5, *line[:3], "../other.txt")
    assert desk.files() == half
    moved = json.loads(desk.ok(*line, "--json").out)["moves"]
    assert [each["finished"] for each in moved] == [True, True]
    assert not {each["path"] for each in candidates[:2]} & set(desk.files())
    assert desk.status() == []


def test_a_changed_copy_is_not_taken_for_a_half_done_move(
    desk: ForeignDesk, candidates: list[Json]
) -> None:
    _kill(desk, *_approve(candidates[0]))
    path = f"confirmed/{candidates[0]['id'].partition('/')[2]}.md"
    desk.put(path, desk.read(path) + "mine\n")
    err = desk.refused(5, *_approve(candidates[0]))
    assert f"{path} says that" in err
    assert "is not what your approval would write" in err


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("reviewed_by: ", "reviewed_by: Eve and "),
        ("reviewed_at: 20", "reviewed_at: 29"),
        ("reviewed_at: ", 'reviewed_at: "'),
        ("reviewed_by: ", "# seen\nreviewed_by: "),
        ("---\n", "---\nreviewed_by: a\n"),
    ],
)
def test_a_forged_half_is_not_taken_for_ones_own(
    desk: ForeignDesk, candidates: list[Json], old: str, new: str
) -> None:
    _kill(desk, *_approve(candidates[0]))
    path = f"confirmed/{candidates[0]['id'].partition('/')[2]}.md"
    text = desk.read(path)
    if new.endswith('"'):
        line = next(line for line in text.splitlines() if line.startswith(old))
        text = text.replace(line, f'{new}{line.removeprefix(old)}"')
    text = text.replace(old, new, 1)
    desk.put(path, text)
    desk.refused(5, *_approve(candidates[0]))
    listed = f"{candidates[0]['sha256']}  {candidates[0]['id']}\n".encode()
    desk.refused(5, "review", "approve", "--from", "-", stdin=listed)


def test_a_half_of_another_reviewer_is_not_finished(
    desk: ForeignDesk, candidates: list[Json]
) -> None:
    _kill(desk, *_approve(candidates[0]))
    err = desk.refused(5, *_approve(candidates[0]), GIT_AUTHOR_NAME="Somebody Else")
    assert "is not what your approval would write" in err
    line = next(each for each in err.splitlines() if "rm confirmed/" in each)
    desk.type(line.partition(": ")[2].partition("    then")[0])
    desk.ok(*_approve(candidates[0], "--commit"), GIT_AUTHOR_NAME="Somebody Else")
    assert desk.ok("validate")


def test_a_candidate_that_came_back_is_approved_already(
    desk: ForeignDesk, candidates: list[Json]
) -> None:
    desk.approve(candidates[0], "--commit")
    desk.git("checkout", "-q", "HEAD~1", "--", candidates[0]["path"])
    desk.git("commit", "-qm", "back")
    path = f"confirmed/{candidates[0]['id'].partition('/')[2]}.md"
    desk.put(path, desk.read(path) + "an edit of mine\n")
    desk.git("commit", "-qam", "edit")
    err = desk.refused(5, *_approve(candidates[0]))
    assert f"it is approved already, as {path}" in err
    line = next(each for each in err.splitlines() if "git rm" in each)
    desk.type(line.partition(": ")[2])
    assert desk.status() == [f"D  {candidates[0]['path']}"]


def test_importing_again_after_a_kill_brings_nothing(
    desk: ForeignDesk, candidates: list[Json]
) -> None:
    _kill(desk, *_approve(candidates[0]))
    assert desk.bring(three()).json["counts"]["unchanged"] == 3


@pytest.mark.sampled(6)
@pytest.mark.parametrize("fails_at", [1, 2, 3])
@pytest.mark.parametrize("what", ["create", "remove"])
def test_a_failure_half_way_undoes_all(
    desk: ForeignDesk,
    candidates: list[Json],
    monkeypatch: pytest.MonkeyPatch,
    what: str,
    fails_at: int,
) -> None:
    real, calls = getattr(files, what), 0

    def failing(root: Path, path: str, *rest: object) -> None:
        nonlocal calls
        calls += 1
        if calls == fails_at:
            raise ConflictError(f"{path} is not to be had")
        real(root, path, *rest)

    text = "".join(f"{each['sha256']}  {each['id']}\n" for each in candidates)
    before, status = desk.files(), desk.status()
    with monkeypatch.context() as patch:
        patch.setattr(files, what, failing)
        done = desk.doll("review", "approve", "--from", "-", stdin=text.encode())
    assert done.code == 5
    assert desk.files() == before
    assert desk.status() == status


def test_a_candidate_that_changes_meanwhile_is_not_lost(
    desk: ForeignDesk, candidates: list[Json], monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(data: bytes, signature: Signature) -> bytes:
        desk.put(candidates[0]["path"], "somebody's edit\n")
        return mark(data, signature)

    monkeypatch.setattr("doll.services.reviewing.approval_checks.mark", late)
    done = desk.doll(*_approve(candidates[0]))
    assert done.code == 5
    assert "changed on disk" in done.err
    assert desk.read(candidates[0]["path"]) == "somebody's edit\n"
    assert not [path for path in desk.files() if path.startswith("confirmed/")]


def test_two_approvals_at_once_end_in_one_move(desk: ForeignDesk, candidates: list[Json]) -> None:
    command = [sys.executable, "-m", "doll", *_approve(candidates[0])]
    running = [
        subprocess.Popen(command, cwd=desk.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(3)
    ]
    codes = sorted(each.wait() for each in running)
    for each in running:
        each.communicate()
    assert codes.count(0) == 1
    assert all(code in (0, 2, 5) for code in codes)
    assert len([path for path in desk.files() if path.startswith("confirmed/")]) == 1
    assert [line[:2] for line in desk.status()] == ["R "]


def test_two_imports_at_once_write_one_folder(desk: ForeignDesk) -> None:
    place = desk.export(three())
    command = [sys.executable, "-m", "doll", "import", "pam", str(place), "--name", "mine"]
    running = [
        subprocess.Popen(command, cwd=desk.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(3)
    ]
    outs = [each.communicate()[0].decode() for each in running]
    assert [each.returncode for each in running] == [0, 0, 0]
    assert sum("nothing new" in out for out in outs) == 2
    assert sorted(path.name for path in (desk.root / "staging/pam").iterdir()) == ["mine"]


def test_a_killed_import_leaves_no_candidate(desk: ForeignDesk) -> None:
    killing = KILLED.replace(
        "files.remove = remove", "import pathlib; pathlib.Path.rename = remove"
    )
    place = desk.export(three())
    done = subprocess.run(
        [sys.executable, "-c", killing, "0", "import", "pam", str(place), "--name", "mine"],
        cwd=desk.root,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 9, done.stderr
    assert desk.ok("review").out == ""
    assert desk.bring(three(), "--name", "mine").json["counts"]["new"] == 3
