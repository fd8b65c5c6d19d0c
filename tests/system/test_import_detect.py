"""`doll import --detect`: what a place is, why, and a line that works."""

import json
import shlex
import zipfile
from pathlib import Path

import pytest

from tests import engram_documents, projectmem_documents
from tests.foreign_desk import AWS, ForeignDesk
from tests.pam_documents import Json, encoded, memory, store

NOW = ("--as-of", "2026-08-21T00:00:00Z")


@pytest.fixture
def place(desk: ForeignDesk) -> Path:
    folder = desk.root.parent / "things"
    folder.mkdir()
    return folder


def found(desk: ForeignDesk, place: Path, code: int = 0) -> list[Json]:
    before = desk.files()
    result = desk.doll("import", "--detect", str(place), "--json")
    assert result.code == code, result.err
    assert desk.files() == before
    listed: list[Json] = json.loads(result.out)["found"]
    return listed


def kinds(desk: ForeignDesk, place: Path) -> list[str]:
    return [each["kind"] for each in found(desk, place)]


def put(place: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(data)
    return place


STORE = encoded(store(memory("Tea.", id="mem-1")))
ENGRAMS = engram_documents.document(engram_documents.engram()).data
LOG = projectmem_documents.log(projectmem_documents.event()).data
CASES: dict[str, tuple[dict[str, bytes], str]] = {
    "pam-store": ({"export.json": STORE}, "export.json"),
    "pam-bundle": ({"memory-store.json": STORE}, ""),
    "engram-store": ({"engrams.yaml": ENGRAMS, "episodes.yaml": b"[]\n"}, ""),
    "projectmem-log": ({".projectmem/events.jsonl": LOG}, ""),
    "projectmem-summary": ({".projectmem/summary.md": b"# shop\n"}, ""),
    "obsidian-vault": ({".obsidian/app.json": b"{}", "a.md": b"x"}, ""),
    "agent-file": ({"CLAUDE.md": b"# A\nx\n"}, "CLAUDE.md"),
    "notes": ({"sub/a.md": b"x", "AGENTS.md": b"x"}, ""),
    "note": ({"a.md": b"x"}, "a.md"),
}


@pytest.mark.parametrize(("kind", "case"), CASES.items(), ids=CASES.keys())
def test_each_kind_is_known_and_its_line_works(
    desk: ForeignDesk, place: Path, kind: str, case: tuple[dict[str, bytes], str]
) -> None:
    files, name = case
    (one,) = found(desk, put(place, files) / name)
    assert one["kind"] == kind
    words = shlex.split(one["command"].replace("--project ID", "--project atlas"))
    assert words.pop(0) == "doll"
    now = NOW if one["adapter"] == "projectmem" else ()
    desk.ok(*words, *now)


def test_a_pack_and_an_archive(desk: ForeignDesk, place: Path) -> None:
    pack = put(place / "pack", {"engrams.yaml": ENGRAMS, "SKILL.md": b"# Do\n", "INTEGRITY": b"x"})
    assert kinds(desk, pack) == ["engram-pack"]
    assert kinds(desk, pack / "SKILL.md") == ["engram-pack", "note"]
    assert kinds(desk, pack / "engrams.yaml") == ["engram-store"]
    archive = place / "export.zip"
    with zipfile.ZipFile(archive, "w") as writer:
        writer.writestr("memory-store.json", STORE)
    assert kinds(desk, archive) == ["pam-bundle"]
    with zipfile.ZipFile(archive, "w") as writer:
        writer.writestr("other.txt", b"x")
    (one,) = found(desk, archive)
    assert (one["kind"], one["command"]) == ("archive", None)


def test_a_repository_can_be_several_things(desk: ForeignDesk, place: Path) -> None:
    put(place, {".projectmem/events.jsonl": LOG, "CLAUDE.md": b"x", "memory-store.json": STORE})
    assert kinds(desk, place) == ["pam-bundle", "projectmem-log", "notes"]
    text = desk.ok("import", "--detect", str(place)).out
    assert "also a folder of notes" in text
    assert "among them CLAUDE.md" in text


def test_a_vault_needs_no_import(desk: ForeignDesk) -> None:
    for part in (".", "authority", "authority/projects/atlas.md"):
        assert kinds(desk, desk.root / part) == ["doll-vault"]
    (one,) = found(desk, desk.root)
    assert one["command"] == f"doll list --vault {desk.root}"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("x.json", b"{}"),
        ("x.json", b'{"schema": "other"}'),
        ("x.json", b'{"schema": "portable-ai-memory-' + b"x" * 9999 + b'"}'),
        ("x.json", b'{"schema": ' + b"[" * 100_000),
        ("x.jsonl", b'{"type": "event", "summary": "x"}\n'),
        ("x.png", b"\x89PNG"),
        ("x.md", b"\xff\xfe"),
        ("x.md", b"\0"),
        ("x", b""),
    ],
)
def test_nothing_known_is_said(desk: ForeignDesk, place: Path, name: str, data: bytes) -> None:
    (place / name).write_bytes(data)
    assert found(desk, place / name, 1) == []
    assert "nothing that doll knows" in desk.doll("import", "--detect", str(place / name)).out


def test_what_is_told_is_escaped_and_masked(desk: ForeignDesk, place: Path) -> None:
    odd = put(place / f"a\x1b\u202e{AWS}", {"a.md": b"x"})
    for options in ((), ("--json",)):
        shown = desk.ok("import", "--detect", str(odd), *options).out
        assert not {"\x1b", "\u202e"} & set(shown)
        assert AWS not in shown


def test_a_place_that_looks_like_an_option_is_named_so_that_it_is_none(
    desk: ForeignDesk,
) -> None:
    put(desk.root / "--again", {"a.md": b"x"})
    line = desk.ok("import", "--detect", "./--again").out
    assert "doll import markdown" in line
    assert " ./--again" in line


def test_links_in_a_folder_are_not_followed(desk: ForeignDesk, place: Path) -> None:
    put(place / "real", {"memory-store.json": STORE})
    folder = put(place / "folder", {})
    folder.mkdir()
    (folder / "memory-store.json").symlink_to(place / "real" / "memory-store.json")
    assert found(desk, folder, 1) == []


def test_detect_stands_alone(desk: ForeignDesk, place: Path) -> None:
    desk.refused(2, "import", "--detect", str(place), "pam", "x.json")
    desk.refused(2, "import", "--json", "pam", "x.json")
    desk.refused(2, "import", "--json")
    desk.refused(2, "import", "--detect", str(place / "absent"))


def test_no_vault_is_needed(desk: ForeignDesk, place: Path) -> None:
    put(place, {"a.md": b"x"})
    assert desk.at("..").doll("import", "--detect", "things", "--json").json["found"]


def test_the_fixtures_are_known(foreign: Path, desk: ForeignDesk) -> None:
    assert kinds(desk, foreign / "engram" / "store-cli") == ["engram-store"]
    assert kinds(desk, foreign / "engram" / "store-full") == ["engram-store"]
    assert kinds(desk, foreign / "engram" / "pack-demo") == ["engram-pack"]
    assert kinds(desk, foreign / "projectmem") == ["projectmem-log"]
    assert kinds(desk, foreign / "pam") == ["pam-store"]
    for name in ("conversation", "embeddings"):
        assert kinds(desk, foreign / "pam" / f"example-{name}.json") == [f"pam-{name}"]
