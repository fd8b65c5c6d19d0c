"""Folders of the vault that are symbolic links: readers name them, writers do not follow them."""

from pathlib import Path

import pytest

from tests.desk import Desk

OUTSIDE = "---\ntitle: Outside\n---\nOutsideword\n"
LINKS = {
    "confirmed": "confirmed",
    "staging": "staging",
    "experience": "experience/atlas",
    "authority": "authority/policies",
}
WRITERS = (
    ("new", "memory", "tea", "--title", "Tea"),
    ("new", "policy", "never", "--set", "effect=deny", "--set", "actions=a.b"),
    ("log", "attempt", "Tried", "--project", "atlas"),
    ("propose", "memory", "--by", "model:m"),
    ("import", "markdown", "../note.md", "--name", "mine"),
)
READERS = ("list", "status", "validate", "doctor")


@pytest.fixture
def linked(desk: Desk, tmp_path: Path) -> Desk:
    """A vault in which each of the four areas is, or holds, a link to a folder outside."""
    (tmp_path / "note.md").write_text("# A note\n\nIt says so.\n")
    for name, path in LINKS.items():
        place = tmp_path / "outside" / name
        place.mkdir(parents=True)
        (place / f"behind-{name}.md").write_text(OUTSIDE)
        link = desk.root / path
        link.parent.mkdir(exist_ok=True)
        link.symlink_to(place)
    return desk


@pytest.mark.parametrize("reader", READERS)
def test_a_reader_names_them_and_does_not_follow(linked: Desk, reader: str) -> None:
    found = linked.doll(reader)
    said = found.out + found.err
    wanted = [path for path in LINKS.values() if (reader, path) != ("list", "staging")]
    assert [path for path in wanted if f"{path}: error: this is a symbolic link" not in said] == []
    assert "behind-" not in said


@pytest.mark.parametrize("reader", ["validate", "doctor"])
def test_nobody_lists_what_lies_behind_them(desk: Desk, tmp_path: Path, reader: str) -> None:
    outside = tmp_path / "outside"
    (outside / "markdown/mine").mkdir(parents=True)
    for name in ("x.txt", "x.md", "markdown/mine/_import.md", "X.MD"):
        (outside / name).write_text(OUTSIDE)
    for area in ("staging", "confirmed", "experience"):
        (desk.root / area).symlink_to(outside)
    assert desk.ok("imports", "--json").json["imports"] == []
    found = desk.doll(reader, "--json").json["problems"]
    behind = [p["path"] for p in found if p["path"].startswith(("staging/", "confirmed/"))]
    assert behind == []
    links = [problem for problem in found if problem["code"] == "file.symlink"]
    assert [problem["path"] for problem in links] == ["confirmed", "experience", "staging"]
    for problem in links:
        desk.type(problem["hint"].partition("    ")[0])
    assert (outside / "x.txt").exists()
    assert "file.symlink" not in desk.doll(reader, "--json").out


def test_a_search_finds_nothing_behind_them(linked: Desk) -> None:
    found = linked.doll("recall", "outsideword", "--include-staging")
    assert "Outside" not in found.out
    assert "confirmed: this is a symbolic link" in found.out + found.err


@pytest.mark.parametrize("writer", WRITERS, ids=lambda words: " ".join(words[:2]))
def test_a_writer_does_not_write_through_them(linked: Desk, writer: tuple[str, ...]) -> None:
    stdin = b"---\ntitle: T\n---\nSaid.\n" if writer[0] == "propose" else b""
    said = linked.refused(5, *writer, stdin=stdin)
    assert "is a symbolic link; doll does not write through links" in said
    outside = linked.root.parent / "outside"
    assert {each.name for each in outside.rglob("*.md")} == {f"behind-{name}.md" for name in LINKS}
