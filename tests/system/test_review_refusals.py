"""`doll review approve`: everything that is not approved, one by one and in lists."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from doll.services.reviewing.approval_list import MAX_BYTES
from tests.foreign_desk import AWS, ForeignDesk, three
from tests.pam_documents import Json

pytestmark = pytest.mark.sampled(4)


def _approve(candidate: Json, *options: str) -> tuple[str, ...]:
    return ("review", "approve", candidate["id"], "--digest", candidate["sha256"], *options)


def _other_digest(desk: ForeignDesk, candidate: Json) -> None:
    candidate["sha256"] = "0" * 64


def _edited(desk: ForeignDesk, candidate: Json) -> None:
    desk.put(candidate["path"], desk.read(candidate["path"]) + "more\n")


def _edited_and_digest(desk: ForeignDesk, candidate: Json) -> None:
    _edited(desk, candidate)
    candidate["sha256"] = hashlib.sha256(desk.files()[candidate["path"]]).hexdigest()


def _edited_and_staged(desk: ForeignDesk, candidate: Json) -> None:
    _edited_and_digest(desk, candidate)
    desk.git("add", candidate["path"])


def _something_else_staged(desk: ForeignDesk, candidate: Json) -> None:
    text = desk.read(candidate["path"])
    _edited(desk, candidate)
    desk.git("add", candidate["path"])
    desk.put(candidate["path"], text)


def _changed_at_head(desk: ForeignDesk, candidate: Json) -> None:
    text = desk.read(candidate["path"])
    _edited(desk, candidate)
    desk.git("commit", "-qam", "edit")
    desk.put(candidate["path"], text)


def _taken(desk: ForeignDesk, candidate: Json) -> None:
    stem = candidate["id"].partition("/")[2]
    desk.put(f"confirmed/{stem}.md", "---\ntitle: Mine\n---\n")


def _taken_by_alias(desk: ForeignDesk, candidate: Json) -> None:
    stem = candidate["id"].partition("/")[2].upper()
    desk.put("confirmed/mine.md", f"---\ntitle: Mine\naliases: {stem}\n---\n")


def _taken_by_an_unreadable_file(desk: ForeignDesk, candidate: Json) -> None:
    stem = candidate["id"].partition("/")[2]
    desk.put(f"confirmed/deep/{stem}.md", "---\ntitle: [\n---\n")


def _rewritten(desk: ForeignDesk, candidate: Json, *changes: tuple[str, str]) -> None:
    text = desk.read(candidate["path"])
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    desk.put(candidate["path"], text)
    desk.git("commit", "-qam", "edit")
    candidate["sha256"] = hashlib.sha256(desk.files()[candidate["path"]]).hexdigest()


def _rejected(desk: ForeignDesk, candidate: Json) -> None:
    desk.review("reject", candidate["id"], "--reason", "no", "--commit")
    candidate["sha256"] = hashlib.sha256(desk.files()[candidate["path"]]).hexdigest()


def _authority(desk: ForeignDesk, candidate: Json) -> None:
    text = "---\nschema: doll/policy/1\ntitle: All allowed\neffect: advise\n---\n"
    _rewritten(desk, candidate, (desk.read(candidate["path"]), text))


def _reviewed_before(desk: ForeignDesk, candidate: Json) -> None:
    review = f"reviewed_by: Eve\nreviewed_at: 2026-01-01T00:00:00Z\nreviewed_sha256: {'0' * 64}\n"
    _rewritten(desk, candidate, ("origin: import\n", f"origin: import\n{review}"))


def _secret(desk: ForeignDesk, candidate: Json) -> None:
    _rewritten(desk, candidate, ("summary: ", f"summary: {AWS} "))


def _unreadable(desk: ForeignDesk, candidate: Json) -> None:
    _rewritten(desk, candidate, ("origin: import\n", "origin: [\n"))


def _bad_name(desk: ForeignDesk, candidate: Json) -> None:
    path = "staging/pam/mine/what: .md"
    desk.git("mv", candidate["path"], path)
    desk.git("commit", "-qm", "rename")
    candidate["id"] = path


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_other_digest, "its bytes have the digest"),
        (_edited, "its bytes have the digest"),
        (_edited_and_digest, "its bytes on disk are not those at HEAD"),
        (_edited_and_staged, "its bytes on disk are not those at HEAD"),
        (_something_else_staged, "is staged with a text that is neither in HEAD nor on disk"),
        (_changed_at_head, "its bytes on disk are not those at HEAD"),
        (_taken, "is taken by confirmed/"),
        (_taken_by_alias, "is taken by confirmed/mine.md"),
        (_taken_by_an_unreadable_file, "is taken by confirmed/deep/"),
        (_rejected, "it is rejected"),
        (_authority, "a candidate never becomes a policy"),
        (_reviewed_before, "carries the fields of a review"),
        (_secret, "looks like a secret (aws-key)"),
        (_unreadable, "not approved"),
        (_bad_name, "not approved"),
    ],
)
def test_what_is_not_approved(
    desk: ForeignDesk, spoil: Callable[[ForeignDesk, Json], None], said: str
) -> None:
    candidate = desk.committed(three(), "--name", "mine")[0]
    spoil(desk, candidate)
    before = desk.status()
    err = desk.refused(5, *_approve(candidate, "--commit"))
    assert said in err
    assert AWS not in err
    assert "nothing was changed" in err
    assert desk.status() == before


def test_an_import_that_is_not_committed_is_not_approved(desk: ForeignDesk) -> None:
    candidate = desk.bring(three(), "--name", "mine").json["candidates"][0]
    err = desk.refused(5, *_approve(candidate))
    assert "it is not committed" in err
    desk.git("add", "staging")
    assert "it is not committed" in desk.refused(5, *_approve(candidate))


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("x",),
        ("--digest", "0" * 64),
        ("x", "--digest", "12"),
        ("x", "--staged"),
        ("x", "--from", "/dev/null"),
    ],
)
def test_wrong_usage(desk: ForeignDesk, arguments: tuple[str, ...]) -> None:
    desk.refused(2, "review", "approve", *arguments)


def test_there_is_no_way_to_approve_all(desk: ForeignDesk) -> None:
    desk.committed(three(), "--name", "mine")
    desk.refused(2, "review", "approve", "--all")
    desk.refused(2, "review", "approve", "mine/*", "--digest", "0" * 64)


def _list(desk: ForeignDesk, text: str) -> str:
    place = desk.root.parent / "approve.txt"
    place.write_text(text)
    return str(place)


def test_a_list_approves_exactly_its_lines(desk: ForeignDesk) -> None:
    desk.committed(three(), "--name", "mine")
    lines = desk.ok("review", "list", "--digests").out.splitlines(keepends=True)
    done = desk.review("approve", "--from", _list(desk, "".join(lines[:2])), "--commit")
    assert len(done["moves"]) == 2
    assert len(desk.review("list")["candidates"]) == 1
    assert desk.git("log", "-1", "--format=%s") == "review: approve 2 candidates"
    body = desk.git("log", "-1", "--format=%b")
    assert all(move["candidate"] in body for move in done["moves"])
    assert desk.status() == []


def test_a_list_from_stdin(desk: ForeignDesk) -> None:
    desk.committed(three(), "--name", "mine")
    lines = desk.ok("review", "list", "--digests").out
    done = desk.doll("review", "approve", "--from", "-", stdin=lines.encode())
    assert done.code == 0
    assert len(done.out.splitlines()) == 3


@pytest.mark.parametrize("spoil", [_edited, _taken, _rejected, _secret])
def test_one_that_cannot_be_approved_stops_the_whole_list(
    desk: ForeignDesk, spoil: Callable[[ForeignDesk, Json], None]
) -> None:
    candidates = desk.committed(three(), "--name", "mine")
    spoil(desk, candidates[1])
    text = "".join(f"{each['sha256']}  {each['id']}\n" for each in candidates)
    before = desk.status()
    err = desk.refused(5, "review", "approve", "--from", _list(desk, text))
    assert "1 of 3 cannot be approved, so none was; nothing was changed" in err
    assert candidates[1]["path"] in err
    assert desk.status() == before


def test_a_list_with_one_candidate_twice_is_refused(desk: ForeignDesk) -> None:
    candidate = desk.committed(three(), "--name", "mine")[0]
    line = f"{candidate['sha256']}  {candidate['id']}\n"
    by_path = f"{candidate['sha256']}  {candidate['path']}\n"
    for text in (line * 2, line + by_path):
        err = desk.refused(5, "review", "approve", "--from", _list(desk, text))
        assert err.count(f"{candidate['path']}: error: it stands in the list twice") == 1
        assert "the same id" not in err


def test_two_that_would_get_one_id_are_refused(desk: ForeignDesk) -> None:
    candidate = desk.committed(three(), "--name", "mine")[0]
    other = candidate["path"].replace("/mine/", "/yours/")
    desk.put(other, desk.read(candidate["path"]))
    desk.git("add", other)
    desk.git("commit", "-qm", "copy")
    text = f"{candidate['sha256']}  {candidate['path']}\n{candidate['sha256']}  {other}\n"
    err = desk.refused(5, "review", "approve", "--from", _list(desk, text))
    assert "the same id" in err


def test_a_list_is_a_file_and_has_an_end(desk: ForeignDesk, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large").touch()
    os.truncate(tmp_path / "large", MAX_BYTES + 1)
    cases = {
        "pipe": "is a pipe, and no file",
        ".": "is a folder, and no file",
        "/dev/zero": "is a device, and no file",
        "large": "more than 64 MiB",
    }
    for name, said in cases.items():
        assert said in desk.refused(4, "review", "approve", "--from", str(tmp_path / name))
    endless = f"{sys.executable} -m doll review approve --from - --json </dev/zero"
    command = ["sh", "-c", endless]
    done = subprocess.run(command, cwd=desk.root, capture_output=True, text=True, check=False)
    assert done.returncode == json.loads(done.stdout)["exit"] == 4
    assert "stdin has more than 64 MiB" in done.stderr


def test_a_list_that_is_none(desk: ForeignDesk) -> None:
    desk.committed(three(), "--name", "mine")
    desk.refused(4, "review", "approve", "--from", _list(desk, "hello\n"))
    desk.refused(4, "review", "approve", "--from", _list(desk, ""))
    digest = "0" * 64
    desk.refused(2, "review", "approve", "--from", _list(desk, f"{digest}  mine/nothing\n"))
