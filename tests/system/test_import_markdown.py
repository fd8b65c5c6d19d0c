"""`doll import markdown` from end to end: notes come once, and what changed is recognised."""

import os
from pathlib import Path

import pytest

from tests.desk import Result
from tests.foreign_desk import AWS, ForeignDesk

pytestmark = pytest.mark.sampled(4)

ESPRESSO = "---\naliases: [coffee]\nstatus: final\ntags: [drinks]\n---\nNo sugar. [[Tea]]\n"


@pytest.fixture
def folder(desk: ForeignDesk) -> Path:
    place = desk.root.parent / "jottings"
    (place / ".obsidian").mkdir(parents=True)
    (place / "Espresso.md").write_text(ESPRESSO)
    (place / "CLAUDE.md").write_text("Be brief.\n\n# Build\nmake\n\n## Tests\npytest\n")
    (place / "pic.png").write_bytes(b"\x89PNG")
    return place


def bring(desk: ForeignDesk, place: Path, *options: str, code: int = 0) -> Result:
    result = desk.doll("import", "markdown", str(place), "--json", *options)
    assert result.code == code, result.err + result.out
    return result


def counts(result: Result) -> dict[str, int]:
    return {name: number for name, number in result.json["counts"].items() if number}


def test_a_folder_is_imported_once(desk: ForeignDesk, folder: Path) -> None:
    found = bring(desk, folder, "--commit")
    assert counts(found) == {"new": 4}
    assert {each["kind"] for each in found.json["set_aside"]} == {"hidden", "attachment"}
    assert {each["path"].partition("source/")[2] for each in found.json["source"]["files"]} == {
        "CLAUDE.md",
        "Espresso.md",
    }
    before = desk.files()
    assert counts(bring(desk, folder)) == {"unchanged": 4}
    assert desk.files() == before
    assert desk.ok("validate").code == 0


def test_a_touched_file_is_unchanged(desk: ForeignDesk, folder: Path) -> None:
    bring(desk, folder, "--commit")
    os.utime(folder / "Espresso.md", (1, 1))
    assert counts(bring(desk, folder)) == {"unchanged": 4}


def test_what_changed_updates_what_was_there(desk: ForeignDesk, folder: Path) -> None:
    first = bring(desk, folder, "--commit").json["candidates"]
    (folder / "Espresso.md").write_text(ESPRESSO.replace("No sugar", "One sugar"))
    (folder / "CLAUDE.md").write_text("Be brief.\n\n# Build\nmake all\n\n## Tests\npytest\n")
    (folder / "Tea.md").write_text("Green.\n")
    found = bring(desk, folder, "--commit")
    assert counts(found) == {"new": 1, "changed": 2, "unchanged": 2}
    stems = {each["source_id"]: each["id"].partition("/")[2] for each in first}
    updates = {e["source_id"]: e["updates"] for e in found.json["candidates"] if e["updates"]}
    assert updates == {name: stems[name] for name in ("Espresso.md", "CLAUDE.md#Build")}


def test_a_note_alone_is_known_from_its_folder(desk: ForeignDesk, folder: Path) -> None:
    bring(desk, folder, "--commit")
    assert counts(bring(desk, folder / "Espresso.md")) == {"unchanged": 1}
    assert counts(bring(desk, folder / "Espresso.md", "--source", "other")) == {"new": 1}


def test_other_notes_under_one_key_are_a_warning(desk: ForeignDesk, folder: Path) -> None:
    bring(desk, folder / "Espresso.md", "--commit")
    other = desk.root.parent / "elsewhere" / folder.name
    other.mkdir(parents=True)
    (other / "Espresso.md").write_text("A machine in the kitchen.\n")
    found = bring(desk, other, "--dry-run").json
    assert [each["code"] for each in found["problems"]] == ["import.same_key"]
    assert "--source KEY" in found["problems"][0]["hint"]
    assert bring(desk, other, "--source", "other", "--dry-run").json["problems"] == []


def test_an_approved_note_is_recalled(desk: ForeignDesk, folder: Path) -> None:
    found = bring(desk, folder, "--commit").json["candidates"]
    (note,) = [each for each in found if each["source_id"] == "Espresso.md"]
    desk.approve(note, "--commit")
    assert note["id"].partition("/")[2] in desk.ok("recall", "espresso sugar").out
    assert desk.ok("validate").code == 0
    assert counts(bring(desk, folder)) == {"unchanged": 4}


def test_a_secret_refuses_its_section_alone(desk: ForeignDesk, folder: Path) -> None:
    (folder / "CLAUDE.md").write_text(f"Be brief.\n\n# Keys\nuse {AWS}\n")
    (folder / "Login.md").write_text(f"---\nkey: {AWS}\n---\nText.\n")
    found = bring(desk, folder, code=1)
    assert counts(found) == {"new": 2, "refused": 2}
    refused = {each["source_id"] for each in found.json["refused"]}
    assert refused == {"CLAUDE.md#Keys", "Login.md"}
    assert found.json["source"]["kept"] is None
    assert AWS not in found.out + found.err
    assert all(AWS.encode() not in data for data in desk.files().values())


def test_a_secret_in_a_name_is_not_printed(desk: ForeignDesk, folder: Path) -> None:
    (folder / f"{AWS}.png").write_bytes(b"x")
    found = bring(desk, folder)
    assert AWS not in found.out + found.err
    assert all(AWS.encode() not in data for data in desk.files().values())


def test_split_finds_the_secret_of_a_section(desk: ForeignDesk, folder: Path) -> None:
    place = folder / "diary.md"
    place.write_text(f"# One\nfine\n# Two\n{AWS}\n")
    found = bring(desk, place, "--split", code=1)
    assert counts(found) == {"new": 1, "refused": 1}
    assert found.json["secrets_elsewhere"] == []


def test_a_hostile_folder_stays_data(desk: ForeignDesk, folder: Path) -> None:
    (folder / "line.md").write_text("x" * 1_000_000)
    (folder / "bomb.md").write_text("---\n" + "a: " + "[" * 10_000 + "\n---\nx")
    (folder / "a\nb\u202e.md").write_text("\x1b[31mred\u202e")
    (folder / "up.md").write_text("[x](../../../etc/passwd) ![[../secret]] <img src=x onerror=y>")
    (folder / Path(*["d"] * 70)).mkdir(parents=True)
    (folder / "big.md").write_bytes(b"x" * 5_000_000)
    (folder / "link.md").symlink_to("/etc/passwd")
    found = desk.doll("import", "markdown", str(folder))
    assert found.code == 0, found.err
    assert "\x1b" not in found.out + found.err
    assert "\u202e" not in found.out + found.err
    (report,) = [data for path, data in desk.files().items() if path.endswith("_import.md")]
    assert b"\x1b" not in report
    assert "\u202e".encode() not in report
    assert desk.ok("validate").code == 0


def test_the_vault_itself_is_refused(desk: ForeignDesk) -> None:
    assert "doll list --vault" in desk.refused(2, "import", "markdown", ".")
    assert "records need no import" in desk.refused(2, "import", "markdown", "confirmed")


@pytest.mark.parametrize("key", ["", "  ", "a\nb", "x" * 300, "\u202e"])
def test_a_key_is_one_line_that_can_be_seen(desk: ForeignDesk, folder: Path, key: str) -> None:
    assert "--source" in desk.refused(2, "import", "markdown", str(folder), "--source", key)


def test_a_folder_without_notes_is_refused(desk: ForeignDesk, folder: Path) -> None:
    place = folder / ".obsidian"
    assert "holds no note" in desk.refused(4, "import", "markdown", str(place))


def test_a_dry_run_writes_nothing(desk: ForeignDesk, folder: Path) -> None:
    before = desk.files()
    assert counts(bring(desk, folder, "--dry-run")) == {"new": 4}
    assert desk.files() == before


@pytest.mark.soak
def test_ten_thousand_notes_are_accounted_for(desk: ForeignDesk, folder: Path) -> None:
    for number in range(10_000):
        (folder / f"Note {number}.md").write_text(f"---\nrank: {number}\n---\nNote {number}\n")
    assert counts(bring(desk, folder)) == {"new": 10_004}
    assert counts(bring(desk, folder)) == {"unchanged": 10_004}
