"""`doll review approve`: exactly the reviewed bytes, by the user, all of a list or none."""

import hashlib
from pathlib import Path

import pytest

from doll.records.codec import parse
from doll.records.splice import splice
from tests.foreign_desk import ForeignDesk, three
from tests.pam_documents import Json

pytestmark = pytest.mark.sampled(4)

FIELDS = ("reviewed_by", "reviewed_at", "reviewed_sha256")


def _approve(candidate: Json, *options: str) -> tuple[str, ...]:
    return ("review", "approve", candidate["id"], "--digest", candidate["sha256"], *options)


def test_the_file_moves_and_only_gains_three_lines(desk: ForeignDesk) -> None:
    candidate = desk.committed(three(), "--name", "mine")[0]
    before = desk.files()[candidate["path"]]
    done = desk.approve(candidate)
    stem = candidate["id"].partition("/")[2]
    path = f"confirmed/{stem}.md"
    assert [(m["source"], m["path"]) for m in done["moves"]] == [(candidate["path"], path)]
    assert candidate["path"] not in desk.files()
    after = desk.files()[path]
    assert hashlib.sha256(splice(after, dict.fromkeys(FIELDS))).hexdigest() == candidate["sha256"]
    added = [line for line in after.splitlines() if line not in before.splitlines()]
    assert [line.partition(b":")[0].decode() for line in added] == list(FIELDS)
    record = parse(after, path, stem, "memory").record
    assert record is not None
    assert record.fields.reviewed_by == "Ada Tester <ada@example.org>"
    assert record.fields.reviewed_sha256 == candidate["sha256"]
    assert record.fields.origin == "import"
    assert record.fields.origin_id == "mem-1"


def test_both_sides_of_the_move_are_staged_and_nothing_else(desk: ForeignDesk) -> None:
    candidate = desk.committed(three(), "--name", "mine")[0]
    desk.put("confirmed/mine.md", "---\ntitle: Mine\n---\n")
    desk.put("doll.yaml", desk.read("doll.yaml") + "# x\n")
    done = desk.ok(*_approve(candidate))
    path = f"confirmed/{candidate['id'].partition('/')[2]}.md"
    assert desk.status() == [
        f"R  {candidate['path']} -> {path}",
        " M doll.yaml",
        "?? confirmed/mine.md",
    ]
    assert f"git commit -m 'review: approve {candidate['id']}'" in done.err
    # All else that is staged stays so: what is a rule would be accepted.
    desk.git("add", "doll.yaml")
    desk.type(done.err.partition("next: ")[2].strip())
    assert desk.status() == ["M  doll.yaml", "?? confirmed/mine.md"]
    assert desk.doll("validate").code == 0


def test_the_line_before_a_rename_commits_just_the_review(desk: ForeignDesk) -> None:
    candidate = desk.committed(three(), "--name", "mine")[0]
    desk.approve(candidate)
    name = candidate["id"].rpartition("/")[2]
    desk.put("doll.yaml", desk.read("doll.yaml") + "# x\n")
    desk.git("add", "doll.yaml")
    err = desk.refused(5, "mv", name, "bees")
    line = next(line for line in err.splitlines() if "git commit -m" in line)
    desk.type(line.strip().partition("    ")[0])
    assert desk.status() == ["M  doll.yaml"]
    desk.ok("mv", name, "bees")


def test_commit_commits_exactly_the_move(desk: ForeignDesk) -> None:
    candidate = desk.committed(three(), "--name", "mine")[0]
    desk.put("confirmed/mine.md", "---\ntitle: Mine\n---\n")
    desk.git("add", "confirmed/mine.md")
    done = desk.approve(candidate, "--commit")
    assert done["commit"] == desk.head()
    assert desk.git("log", "-1", "--format=%s") == f"review: approve {candidate['id']}"
    changed = desk.git("show", "--name-only", "--no-renames", "--format=", "HEAD").splitlines()
    assert sorted(changed) == sorted([candidate["path"], done["moves"][0]["path"]])
    assert desk.status() == ["A  confirmed/mine.md"]


def test_an_approved_memory_is_an_ordinary_record(desk: ForeignDesk) -> None:
    candidate = desk.committed(three(), "--name", "mine")[0]
    desk.approve(candidate, "--commit")
    stem = candidate["id"].partition("/")[2]
    assert stem in desk.ok("list", "--type", "memory").out
    err = desk.refused(5, *_approve(candidate))
    assert "there is no candidate" in err


def test_without_a_git_identity_the_two_lines_are_printed(
    desk: ForeignDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    candidate = desk.committed(three(), "--name", "mine")[0]
    for name in ("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_AUTHOR_NAME", "")
    err = desk.refused(5, *_approve(candidate))
    assert 'git config --global user.name "Your Name"' in err
    assert 'git config --global user.email "you@example.org"' in err


EXPERIENCE = (
    "---\n"
    "schema: doll/experience/1\n"
    "project: {project}\n"
    "kind: attempt\n"
    "assertion: {assertion}\n"
    "at: 2026-08-20T14:32:05Z\n"
    "summary: It locked\n"
    "origin: import\n"
    "---\n"
    "text\n"
)


def _experience(desk: ForeignDesk, project: str, assertion: str = "imported_external") -> Json:
    stem = "20260820T143205Z-attempt-it-locked-abcdefghij"
    path = f"staging/projectmem/log/{stem}.md"
    desk.put(path, EXPERIENCE.format(project=project, assertion=assertion))
    desk.git("add", path)
    desk.git("commit", "-qm", "import")
    digest = hashlib.sha256(desk.files()[path]).hexdigest()
    return {"id": f"log/{stem}", "path": path, "sha256": digest}


def test_experience_goes_to_the_folder_of_its_project(desk: ForeignDesk) -> None:
    candidate = _experience(desk, "atlas")
    move = desk.approve(candidate, "--commit")["moves"][0]
    assert move["path"] == f"experience/atlas/{Path(candidate['path']).name}"
    assert desk.doll("validate").code == 0


@pytest.mark.parametrize(
    ("project", "assertion", "said"),
    [
        ("nowhere", "imported_external", "is no project of this vault"),
        ("../../x", "imported_external", "is no project of this vault"),
        ("atlas", "user_confirmed", "cannot carry the assertion"),
    ],
)
def test_experience_that_claims_too_much(
    desk: ForeignDesk, project: str, assertion: str, said: str
) -> None:
    assert said in desk.refused(5, *_approve(_experience(desk, project, assertion)))


def test_windows_line_endings_and_comments_survive(desk: ForeignDesk) -> None:
    text = "---\r\ntitle: Tea # mine\r\n\r\n# a comment\r\ntags:\r\n  - x\r\n---\r\nA\r\nB"
    path = "staging/proposals/tea-12345678.md"
    desk.put(path, text.replace("title:", "schema: doll/memory/1\r\norigin: model\r\ntitle:"))
    desk.git("add", path)
    desk.git("commit", "-qm", "propose")
    data = desk.files()[path]
    digest = hashlib.sha256(data).hexdigest()
    desk.approve({"id": "proposals/tea-12345678", "sha256": digest}, "--commit")
    after = desk.files()["confirmed/tea-12345678.md"]
    assert splice(after, dict.fromkeys(FIELDS)) == data
    assert b"\n" not in after.replace(b"\r\n", b"")
    assert desk.doll("validate").code == 0


def test_a_failing_hook_leaves_a_true_message(desk: ForeignDesk) -> None:
    candidate = desk.committed(three(), "--name", "mine")[0]
    desk.put(".git/hooks/pre-commit", "#!/bin/sh\necho no >&2\nexit 1\n")
    (desk.root / ".git/hooks/pre-commit").chmod(0o755)
    done = desk.doll(*_approve(candidate, "--commit"))
    assert done.code == 7
    assert "git did not commit the approval, so nothing was changed" in done.err
    assert "no" in done.err
    assert desk.status() == []


def test_a_vault_in_a_folder_of_a_repository(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = ForeignDesk(tmp_path / "code", capsys)
    code.root.mkdir()
    code.git("init", "-q", "-b", "main")
    code.ok("init", "notes")
    notes = ForeignDesk(code.root / "notes", capsys)
    one, two, _ = notes.committed(three(), "--name", "mine")
    path = notes.approve(one, "--commit")["moves"][0]["path"]
    assert path.startswith("confirmed/")
    notes.git("mv", two["path"], "confirmed/bees.md")
    moves = notes.review("approve", "--staged")["moves"]
    assert [move["path"] for move in moves] == ["confirmed/bees.md"]
    assert notes.status() == [
        "R  notes/" + two["path"] + " -> notes/confirmed/bees.md",
        "?? exports/store.json",
    ]
    assert notes.doll("validate", "--staged").code == 0
    assert notes.bring(three()).json["counts"]["unchanged"] == 3
