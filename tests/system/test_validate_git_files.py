"""What git has to know of a vault: lines of `.gitattributes` and `.gitignore`, no tracked cache."""

import os
from pathlib import Path
from typing import Any

import pytest

from doll.errors import GitError
from doll.vcs.plumbing.attributes import mark_sizes
from doll.vcs.plumbing.hashing import hashed
from tests.desk import Desk, make_vault
from tests.gitbox import found

pytestmark = pytest.mark.sampled(4)


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    return Desk(make_vault(tmp_path / "vault"), capsys)


def problems(desk: Desk, *arguments: str) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = desk.doll("validate", "--json", *arguments).json["problems"]
    return listed


def told(desk: Desk, *arguments: str) -> list[tuple[str, str, str]]:
    return [(p["path"], p["code"], p["severity"]) for p in problems(desk, *arguments)]


LINES = "vault.git_lines"


@pytest.mark.parametrize("text", [None, "", "# mine\n*.png binary"])
def test_missing_lines_are_added_by_the_line_that_is_printed(desk: Desk, text: str | None) -> None:
    for name in (".gitattributes", ".gitignore"):
        (desk.root / name).unlink()
        if text is not None:
            desk.put(name, text)
    # git reads the lines of a file that is only gone from disk in its index.
    desk.git("commit", "-qam", "without")
    assert told(desk) == [(".gitattributes", LINES, "warning"), (".gitignore", LINES, "warning")]
    for problem in problems(desk):
        desk.type(f"cd / && {problem['hint']}")
    assert told(desk) == []
    assert desk.read(".gitattributes").startswith(text or "")
    attributes = desk.git("check-attr", "text", "--", "confirmed/x.md", "doll.yaml")
    assert attributes.count("text: unset") == 2


@pytest.mark.parametrize("name", [".gitattributes", ".gitignore", "confirmed/.gitattributes"])
def test_a_pipe_that_git_would_wait_for_is_named(desk: Desk, name: str) -> None:
    desk.put("confirmed/tea.md", "---\ntitle: Tea\n---\nGreen.\n")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "tea")
    os.utime(desk.root / "confirmed/tea.md", (1, 1))
    place = desk.root / name
    place.unlink(missing_ok=True)
    os.mkfifo(place)
    assert "Green." in desk.ok("context", "tea").out
    with pytest.raises(GitError, match="would wait for it for ever"):
        hashed(found(desk.root), ["confirmed/tea.md"])
    with pytest.raises(GitError, match="would wait for it for ever"):
        mark_sizes(found(desk.root), ["confirmed/tea.md"])
    assert told(desk) == [(name, "file.unreadable", "error")]
    listed = desk.doll("doctor", "--json").json["problems"]
    assert [p["path"] for p in listed if p["code"] == "file.unreadable"] == [name]
    desk.type(problems(desk)[0]["hint"])
    assert "file.unreadable" not in [code for _, code, _ in told(desk)]


@pytest.mark.parametrize("known", ["committed", "new", "committed as a link"])
@pytest.mark.parametrize("name", [".gitattributes", ".gitignore"])
def test_a_link_is_named_and_not_written_through(
    desk: Desk, tmp_path: Path, name: str, known: str
) -> None:
    target = tmp_path / "precious"
    target.write_text("precious\n")
    place = desk.root / name
    place.unlink()
    if known == "new":
        desk.git("commit", "-qam", "without")
    place.symlink_to(target)
    if known == "committed as a link":
        desk.git("commit", "-qam", "link")
    assert told(desk) == [(name, "file.symlink", "error")]
    codes = [p["code"] for p in desk.doll("doctor", "--json").json["problems"]]
    assert ("file.symlink" in codes, "vault.git_lines" in codes) == (True, False)
    desk.type(f"cd / && {problems(desk)[0]['hint']}")
    for problem in problems(desk):
        assert (known, problem["code"]) != ("committed", "vault.git_lines")
        desk.type(f"cd / && {problem['hint']}")
    assert told(desk) == []
    assert not place.is_symlink()
    assert target.read_text() == "precious\n"


@pytest.mark.parametrize("name", [".gitattributes", ".gitignore"])
def test_a_link_that_is_staged_is_named(desk: Desk, tmp_path: Path, name: str) -> None:
    before = desk.read(name)
    (desk.root / name).unlink()
    (desk.root / name).symlink_to(tmp_path / "precious")
    desk.git("add", name)
    assert told(desk, "--staged") == [(name, "file.symlink", "error")]
    desk.type(f"cd / && {problems(desk, '--staged')[0]['hint']}")
    assert (told(desk, "--staged"), desk.read(name)) == ([], before)


def test_attributes_of_this_repository_are_not_written_through_a_link(
    desk: Desk, tmp_path: Path
) -> None:
    (tmp_path / "shared").write_text("* text\n")
    info = desk.root / ".git/info/attributes"
    info.parent.mkdir(exist_ok=True)
    info.symlink_to(tmp_path / "shared")
    assert told(desk) == [(str(info.relative_to(desk.root)), LINES, "warning")]
    desk.type(f"cd / && {problems(desk)[0]['hint']}")
    assert told(desk) == []
    assert (tmp_path / "shared").read_text() == "* text\n"
    assert info.read_text().startswith("* text\n")


def test_a_link_below_says_nothing(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "shared").write_text("*.md text\n")
    (desk.root / "confirmed").mkdir(exist_ok=True)
    (desk.root / "confirmed/.gitattributes").symlink_to(tmp_path / "shared")
    desk.put(".gitattributes", "")
    assert told(desk) == [(".gitattributes", LINES, "warning")]
    desk.type(problems(desk)[0]["hint"])
    assert told(desk) == []
    assert (tmp_path / "shared").read_text() == "*.md text\n"


def test_just_what_is_missing_is_named(desk: Desk) -> None:
    desk.put(".gitattributes", "*.md -text\nstaging/**/source/** -text -diff\n")
    desk.put(".gitignore", ".doll/usage/\n")
    first, second = (problem["message"] for problem in problems(desk))
    assert "`doll.yaml -text` and `staging/**/source/** -text -diff -merge`" in first
    assert "*.md" not in first
    assert "`.doll/cache/`" in second
    assert "usage" not in second


def test_other_lines_of_the_same_meaning_count(desk: Desk) -> None:
    desk.put(".gitattributes", "* -text\nstaging/** binary\n")
    desk.put(".gitignore", "/.doll/*\n!/.doll/schemas\n")
    assert told(desk) == []
    desk.git("add", "-A")
    assert told(desk) == []
    # A later line can take back what an earlier one says.
    desk.put(".gitattributes", "* -text\nstaging/** binary\n*.md text=auto\n")
    assert told(desk) == [(".gitattributes", LINES, "warning")]


@pytest.mark.parametrize("name", [".gitattributes", ".gitignore"])
def test_a_commit_that_loses_the_lines_is_stopped(desk: Desk, name: str) -> None:
    desk.ok("hooks", "install", "--vault", ".")
    desk.put(name, "# nothing\n")
    desk.git("add", name)
    assert told(desk, "--staged") == [(name, LINES, "error")]
    desk.type("git commit -m lost", code=1)
    (problem,) = problems(desk, "--staged")
    desk.type(f"cd / && {problem['hint']}")
    desk.git("add", name)
    desk.type("git commit -m kept")
    desk.git("rm", "-q", name)
    assert told(desk, "--staged") == [(name, LINES, "error")]


def test_a_vault_without_the_lines_can_be_mended_by_steps(desk: Desk) -> None:
    desk.put(".gitattributes", "# none\n")
    desk.git("commit", "-qam", "none")
    desk.put(".gitattributes", "*.md -text\n")
    desk.git("add", "-A")
    assert told(desk, "--staged") == []


@pytest.mark.parametrize("folder", [".doll/cache", ".doll/usage"])
def test_a_tracked_cache_is_taken_out_by_the_line_that_is_printed(desk: Desk, folder: str) -> None:
    desk.put(f"{folder}/deep/forced", "x")
    desk.git("add", "-f", folder)
    assert told(desk, "--staged") == [(folder, "vault.tracked", "error")]
    assert told(desk) == [(folder, "vault.tracked", "error")]
    desk.git("commit", "-qm", "forced")
    assert told(desk, "--staged") == []
    (problem,) = problems(desk)
    desk.type(f"cd / && {problem['hint']}")
    assert told(desk) == []
    assert desk.read(f"{folder}/deep/forced") == "x"
