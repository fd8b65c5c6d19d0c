"""A folder of notes as a source: which files are notes, and that every other one is named."""

import os
from pathlib import Path

import pytest

from doll.cli import note_sources
from doll.cli.note_sources import MAX_DEPTH, read_notes, source_key
from doll.errors import DollError, InvalidDocumentError, UsageError
from doll.records.limits import MAX_FILE_BYTES


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "notes"
    (place / "sub" / "deep").mkdir(parents=True)
    for name in ("b.md", "A.MD", "sub/c.markdown", "sub/deep/d.md"):
        (place / name).write_text(name)
    return place


def kinds(place: Path) -> dict[str, str]:
    return {each.path: each.kind for each in read_notes(place).passed}


def test_notes_are_read_in_the_order_of_their_paths(folder: Path) -> None:
    found = read_notes(folder)
    assert [name for name, _ in found.files] == ["A.MD", "b.md", "sub/c.markdown", "sub/deep/d.md"]
    assert (found.name, found.main, found.passed) == ("notes", "A.MD", ())


def test_times_of_files_say_nothing(folder: Path) -> None:
    before = read_notes(folder)
    os.utime(folder / "b.md", (1, 1))
    assert read_notes(folder) == before


def test_what_is_no_note_is_named(folder: Path, tmp_path: Path) -> None:
    (folder / ".obsidian").mkdir()
    (folder / ".obsidian" / "x.md").write_text("settings")
    (folder / "inner").mkdir()
    (folder / "inner" / "doll.yaml").write_text("format: 1\n")
    (folder / "inner" / "x.md").write_text("x")
    (folder / ".DS_Store").write_bytes(b"")
    (folder / "pic.png").write_bytes(b"\x89PNG")
    (folder / "board.canvas").write_text("{}")
    (folder / "zip.md").write_bytes(b"PK\x03\x04")
    (folder / "latin.md").write_bytes(b"caf\xe9")
    (folder / "wide.md").write_text("wide", encoding="utf-16")
    (folder / "big.md").write_bytes(b"x" * (MAX_FILE_BYTES + 1))
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.md").write_text("secret")
    (folder / "link.md").symlink_to(tmp_path / "outside" / "secret.md")
    (folder / "linked").symlink_to(tmp_path / "outside")
    os.mkfifo(folder / "pipe.md")
    os.mkdir(os.fsencode(folder) + b"/\xff")  # noqa: PTH102 - a name that is no text
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff/x.md")).write_text("x")
    assert kinds(folder) == {
        ".obsidian": "hidden",
        ".DS_Store": "hidden",
        "inner": "vault",
        "pic.png": "attachment",
        "board.canvas": "attachment",
        "zip.md": "binary",
        "latin.md": "not UTF-8",
        "wide.md": "not UTF-8",
        "big.md": "too large",
        "link.md": "symlink",
        "linked": "symlink",
        "pipe.md": "special",
        "\\xff/x.md": "not UTF-8",
    }
    assert len(read_notes(folder).files) == 4


def test_a_folder_that_is_very_deep_is_named_where_it_is_too_deep(tmp_path: Path) -> None:
    place = tmp_path / "deep"
    place.mkdir()
    (place / "a.md").write_text("x")
    (place / Path(*["d"] * (MAX_DEPTH + 20))).mkdir(parents=True)
    assert list(kinds(place).values()) == ["too deep"]


def test_names_that_hide_what_they_are_stay_names(folder: Path) -> None:
    name = "a\nb\u202e.md"
    (folder / name).write_text("x")
    assert dict(read_notes(folder).files)[name] == b"x"


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads what nobody may read")
def test_an_unreadable_note_is_named(folder: Path) -> None:
    (folder / "b.md").chmod(0)
    (folder / "sub" / "deep").chmod(0)
    try:
        assert kinds(folder) == {"b.md": "unreadable", "sub/deep": "unreadable"}
    finally:
        (folder / "sub" / "deep").chmod(0o700)


def test_a_folder_without_a_note_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("x")
    with pytest.raises(InvalidDocumentError, match="holds no note"):
        read_notes(tmp_path)


def test_more_than_is_read_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(note_sources, "MAX_FILES", 3)
    with pytest.raises(InvalidDocumentError, match="more than 3 files"):
        read_notes(folder)
    monkeypatch.setattr(note_sources, "MAX_FILES", 100)
    monkeypatch.setattr(note_sources, "MAX_BYTES", 10)
    with pytest.raises(InvalidDocumentError, match="of notes"):
        read_notes(folder)


@pytest.mark.parametrize("data", [b"PK\x03\x04", b"\x1f\x8b", b"%PDF-1.7"])
def test_an_archive_is_no_note(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.md").write_bytes(data)
    with pytest.raises(InvalidDocumentError, match="archive"):
        read_notes(tmp_path / "x.md")


@pytest.mark.parametrize("path", ["", "confirmed", "staging/pam/x", "confirmed/a.md", ".doll/x"])
def test_a_vault_is_refused_with_what_to_do(tmp_path: Path, path: str) -> None:
    (tmp_path / "doll.yaml").write_text("format: 1\n")
    place = tmp_path / path
    place.mkdir(parents=True, exist_ok=True)
    with pytest.raises(UsageError, match="belongs to the doll vault") as caught:
        read_notes(place)
    assert "doll export pam --all" in caught.value.hint


def test_a_link_to_a_vault_s_records_is_refused(tmp_path: Path) -> None:
    (tmp_path / "vault" / "confirmed").mkdir(parents=True)
    (tmp_path / "vault" / "doll.yaml").write_text("format: 1\n")
    (tmp_path / "link").symlink_to(tmp_path / "vault" / "confirmed")
    with pytest.raises(UsageError, match="belongs to the doll vault"):
        read_notes(tmp_path / "link")


def test_notes_beside_the_records_of_a_vault_are_notes(tmp_path: Path) -> None:
    (tmp_path / "doll.yaml").write_text("format: 1\n")
    (tmp_path / "docs").mkdir()
    for name in ("CLAUDE.md", "docs/a.md"):
        (tmp_path / name).write_text("x")
    assert read_notes(tmp_path / "CLAUDE.md").data == b"x"
    assert read_notes(tmp_path / "docs").main == "a.md"


def test_a_note_alone_goes_by_the_key_of_its_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert source_key(folder) == source_key(folder / "b.md") == "notes"
    monkeypatch.chdir(folder)
    assert source_key(Path()) == source_key(Path("b.md")) == "notes"
    (folder / ".claude").mkdir()
    assert source_key(folder / ".claude" / "CLAUDE.md") == "notes"


@pytest.mark.parametrize("name", ["absent", "absent.md", "b.md/x"])
def test_what_is_not_there_is_said(folder: Path, name: str) -> None:
    with pytest.raises(DollError, match="there is no file"):
        read_notes(folder / name)
