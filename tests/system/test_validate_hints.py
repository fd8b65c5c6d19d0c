"""What validate proposes to type: it works as it stands, and nothing contradicts it."""

from pathlib import Path
from typing import Any

import pytest

from tests.desk import Desk, make_vault

pytestmark = pytest.mark.sampled(4)

NAME = "20260820T143205Z-attempt-locked-k3v9q2xw7d"
ENTRY = (
    "---\nproject: atlas\nkind: attempt\nassertion: user_recorded\nat: 2026-08-20T14:32:05Z\n"
    "summary: Locked\n---\n"
)


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    return Desk(make_vault(tmp_path / "vault"), capsys)


def problems(desk: Desk, *arguments: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = desk.doll("validate", "--json", *arguments).json["problems"]
    return found


def only(desk: Desk, *arguments: str) -> dict[str, Any]:
    (problem,) = problems(desk, *arguments)
    return problem


@pytest.mark.parametrize("tracked", [False, True])
def test_a_file_is_moved_by_the_line_that_is_printed(desk: Desk, tracked: bool) -> None:
    desk.put("confirmed/bad:name.md", "---\ntitle: A\n---\n")
    desk.put("authority/p.md", "---\nschema: doll/policy/1\neffect: deny\n---\n")
    desk.put("authority/memory.md", "---\nschema: doll/memory/1\ntitle: B\n---\n")
    desk.put(f"experience/{NAME}.md", ENTRY)
    desk.put("staging/loose.md", "---\nschema: doll/memory/1\ntitle: C\n---\n")
    desk.put("confirmed/t.markdown", "---\ntitle: D\n---\n")
    if tracked:
        desk.git("add", "-A")
    lines = [problem["hint"] for problem in problems(desk)]
    assert len(lines) == 6
    assert all(("git mv -- " in line) == tracked for line in lines)
    for line in lines:
        desk.type(line)
    assert problems(desk) == []
    assert (desk.root / "confirmed/memory.md").is_file()
    assert (desk.root / f"experience/atlas/{NAME}.md").is_file()


ODD = (
    "a\nb.md",
    "tab\there's %s \\n.md",
    "\u202egnp.md",
    "\udcff.md",
    "deep\n/down/fine.md",
    "x\ufe0f:\u3164.md",
)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("tracked", [False, True])
@pytest.mark.parametrize("name", ODD)
def test_a_name_that_cannot_be_printed_is_mended_in_any_shell(
    desk: Desk, name: str, tracked: bool
) -> None:
    desk.put("confirmed/fine.txt", "")  # the folder itself is there
    place = desk.root / "confirmed" / name
    place.parent.mkdir(exist_ok=True, parents=True)
    place.write_bytes(b"---\ntitle: A\n---\n")
    (desk.root / "confirmed/fine.txt").unlink()
    if tracked:
        desk.git("add", "-A")
    line = desk.doll("validate").out.splitlines()[1].strip()
    assert ("git mv -- " in line) == tracked
    desk.type(line)
    assert not place.exists()
    assert problems(desk) == []
    assert "1 memory" in desk.ok("status").out


def test_a_moved_file_never_writes_over_another(desk: Desk) -> None:
    desk.put("confirmed/a:b.md", "---\ntitle: A\n---\n")
    desk.put("confirmed/a-b.md", "---\ntitle: Another\n---\n")
    desk.type(only(desk)["hint"], code=0)
    assert "Another" in desk.read("confirmed/a-b.md")
    assert (desk.root / "confirmed/a:b.md").is_file()


def test_a_loose_file_that_says_no_type_gets_one_hint(desk: Desk) -> None:
    desk.put("authority/t.md", "---\ntitle: T\n---\n")
    problem = only(desk)
    assert problem["code"] == "path.misplaced"
    assert "authority/policies" in problem["hint"]
    assert "doll/memory/1" not in problem["hint"]
    listed = desk.doll("list", "--json").json["problems"]
    assert [p["hint"] for p in listed] == [
        "move it into the folder of its type, such as authority/policies/"
    ]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", ["t.markdown", "t.mkd", "v.txt", "a.md.txt", "x.Text"])
@pytest.mark.parametrize("folder", ["confirmed", "authority/policies", "experience/atlas"])
def test_a_near_record_name_is_a_warning(desk: Desk, name: str, folder: str) -> None:
    desk.put(f"{folder}/{name}", "---\ntitle: T\n---\n")
    problem = only(desk)
    assert (problem["path"], problem["code"]) == (f"{folder}/{name}", "file.not_a_record")
    assert problem["severity"] == "warning"
    assert problem["message"] == "not a record: its name does not end in .md"
    assert desk.doll("validate").code == 0


@pytest.mark.parametrize(
    "path",
    [
        "confirmed/README.txt",
        "confirmed/_draft.txt",
        "confirmed/.hidden.txt",
        "confirmed/picture.png",
        "confirmed/.obsidian/notes.txt",
        "staging/pam/2026/source/export.txt",
        "notes/loose.txt",
    ],
)
def test_what_is_no_near_record_name(desk: Desk, path: str) -> None:
    desk.put(path, "x")
    assert problems(desk) == []


def test_committed_experience_keeps_its_name(desk: Desk) -> None:
    desk.put("experience/atlas/log.txt", "x")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "a log")
    assert problems(desk) == []


def test_an_unmerged_file_is_said_to_be_one(desk: Desk) -> None:
    desk.put("confirmed/tea.md", "---\ntitle: Tea\n---\n")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "tea")
    desk.git("checkout", "-qb", "other")
    desk.put("confirmed/tea.md", "---\ntitle: Black tea\n---\n")
    desk.git("commit", "-qam", "black")
    desk.git("checkout", "-q", "main")
    desk.put("confirmed/tea.md", "---\ntitle: Green tea\n---\n")
    desk.git("commit", "-qam", "green")
    desk.type("git merge -q other", code=1)
    problem = only(desk, "--staged")
    assert (problem["path"], problem["code"]) == ("confirmed/tea.md", "file.unmerged")
    assert "symbolic" not in problem["message"]
    desk.put("confirmed/tea.md", "---\ntitle: Tea of any colour\n---\n")
    desk.type(problem["hint"].partition("then ")[2])
    assert problems(desk, "--staged") == []


def test_a_move_without_a_review_is_told_the_line_that_reviews_it(desk: Desk) -> None:
    candidate = "---\nschema: doll/memory/1\ntitle: Tea\norigin: model\n---\n"
    desk.put("staging/proposals/tea.md", candidate)
    desk.git("add", "-A")
    desk.git("commit", "-qm", "a proposal")
    (desk.root / "confirmed").mkdir()
    desk.git("mv", "staging/proposals/tea.md", "confirmed/tea.md")
    hint = only(desk, "--staged")["hint"]
    line = "doll review approve --staged"
    assert line in hint
    desk.ok(*line.split()[1:])
    assert problems(desk, "--staged") == []


def test_an_unresolved_project_is_told_how_a_renamed_one_is_found(desk: Desk) -> None:
    desk.git("mv", "authority/projects/atlas.md", "authority/projects/globe.md")
    item = "---\nproject: atlas\nstatus: ready\n---\n"
    desk.put("authority/work-items/w.md", item)
    problem = only(desk)
    assert problem["code"] == "reference.unresolved"
    assert "add `aliases: [atlas]` to the new record" in problem["hint"]
    text = desk.read("authority/projects/globe.md")
    desk.put("authority/projects/globe.md", text.replace("status", "aliases: [atlas]\nstatus"))
    assert problems(desk) == []
