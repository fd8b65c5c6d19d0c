"""`doll doctor`: the lines that it says work when they are typed, whatever came before."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.desk import Desk
from tests.doctor_faults import MEMORY, merge_that_waits, with_remote
from tests.examined import commands, findings, of_code, wanting
from tests.gitbox import git

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(6)


@pytest.fixture
def vault(desk: Desk) -> Desk:
    """A vault with a committed memory and a remote that has it all."""
    return with_remote(desk)


def _kept(vault: Desk, base: str, text: str, name: str = "espresso", age: int = 0) -> None:
    """Keep a text as an edit does that ended before it was written."""
    digest = hashlib.sha256(base.encode()).hexdigest()
    path = f".git/doll/edits/{digest}-0000000{age}/{name}.md"
    vault.put(path, text)
    os.utime(vault.root / path, (1e9 - age, 1e9 - age))


def test_a_text_is_gone_on_with_where_its_record_is_as_it_was(vault: Desk) -> None:
    _kept(vault, MEMORY, MEMORY + "Half.\n")
    _kept(vault, MEMORY, MEMORY + "Older.\n", age=1)
    newer, older = (commands(p) for p in findings(vault) if p["code"] == "state.edit")
    assert older[1] == "doll edit espresso"
    assert newer[0] == "doll edit espresso --resume"
    vault.type(f"EDITOR=true {newer[0]}")
    assert vault.read("confirmed/espresso.md") == MEMORY + "Half.\n"
    lines = commands(of_code(vault, "state.edit"))
    assert lines == older
    vault.type(lines[-1])
    assert wanting(vault) == []


def test_a_text_whose_record_changed_too_is_held_against_it(vault: Desk) -> None:
    vault.put("confirmed/espresso.md", MEMORY + "Since.\n")
    _kept(vault, MEMORY, MEMORY + "Half.\n")
    show, edit, drop = commands(of_code(vault, "state.edit"))
    said = vault.at("..").type(show, code=1)
    assert "> Half." in said
    assert "< Since." in said
    vault.type(f"EDITOR=true {edit}")
    vault.type(drop)
    assert wanting(vault) == []


def test_a_text_whose_record_is_gone_or_has_it_already(vault: Desk) -> None:
    _kept(vault, "other", "Half.\n", name="gone")
    _kept(vault, "other", MEMORY)
    found = of_code(vault, "state.edit")
    (show,) = commands(found)
    assert vault.type(show) == "Half.\n"
    vault.type(found["hint"].splitlines()[-1].removeprefix("# ").partition("    ")[0])
    assert wanting(vault) == []


def test_lines_of_doll_name_a_vault_that_only_the_option_leads_to(vault: Desk) -> None:
    outside = vault.at("..")
    vault.put("confirmed/tea & milk.md", MEMORY)
    _kept(vault, MEMORY, "---\ntitle: Espresso\n---\nHalf.\n", name="tea & milk")
    found = findings(outside, "--vault", "notes")
    lines = [line for p in found for line in commands(p) if line.startswith("doll ")]
    assert lines == [
        f"doll index --vault {vault.root}",
        f"doll edit 'tea & milk' --resume --vault {vault.root}",
    ]
    for line in lines:
        outside.type(f"export EDITOR=true; {line}")
    assert [p["code"] for p in findings(outside, "--vault", "notes")] == ["index.behind"]
    assert all("--vault" not in p["hint"] for p in findings(vault))


def test_what_stands_where_the_cache_should_is_removed_from_anywhere(vault: Desk) -> None:
    vault.put(".doll/cache", "")
    (line,) = commands(of_code(vault, "cache.unused"))
    assert line.endswith("&& doll index --rebuild")
    outside = vault.at("..")
    (found,) = (p for p in findings(outside, "--vault", "notes") if p["code"] == "cache.unused")
    outside.type(commands(found)[0])
    assert findings(vault) == []


@pytest.mark.parametrize("folder", ["", "my notes/"])
@pytest.mark.parametrize(
    ("place", "line", "code"),
    [
        (".git/info/attributes", "*.md filter=lfs", "git.attributes"),
        (".git/info/attributes", "*.md -filter ident\n*.yaml ident", "git.attributes"),
        (".git/info/attributes", "* text", "vault.git_lines"),
        ("confirmed/.gitattributes", "*.md text=auto", "vault.git_lines"),
        ("confirmed/.gitattributes", "* working-tree-encoding=UTF-16", "git.attributes"),
        ("staging/.gitattributes", "**/source/** diff", "vault.git_lines"),
    ],
)
def test_attributes_are_mended_in_the_file_that_is_at_fault(
    vault: Desk, tmp_path: Path, folder: str, place: str, line: str, code: str
) -> None:
    asked, top = vault, vault.root
    if folder:
        top = tmp_path / "code"
        top.mkdir()
        (vault.root / ".git").rename(top / ".git")
        vault.root.rename(top / folder)
        asked = vault.at(str(top / folder))
        asked.git("add", "-A", str(top))
        asked.git("commit", "-qm", "moved")
        asked.git("push", "-q")
    at = top / place if place.startswith(".git/") else top / folder / place
    at.parent.mkdir(exist_ok=True)
    at.write_text(line)
    problem = of_code(asked, code)
    assert problem["path"] == (str(at) if folder and place.startswith(".git/") else place)
    for typed in commands(problem):
        asked.at("..").type(typed)
    assert wanting(asked) == []


def _rebase(vault: Desk) -> None:
    merge_that_waits(vault)
    vault.git("merge", "--abort")
    git(vault.root, "rebase", "-q", "other", code=1)


def _bisect(vault: Desk) -> None:
    vault.git("bisect", "start", "HEAD", "HEAD~1")
    vault.git("switch", "-q", "--detach", "HEAD~1")


@pytest.mark.parametrize("plant", [_rebase, merge_that_waits])
def test_what_waits_with_conflicts_is_settled_first(
    vault: Desk, plant: Callable[[Desk], None]
) -> None:
    plant(vault)
    assert "git.branch" not in wanting(vault)
    lines = commands(of_code(vault, "git.underway"))
    assert len(lines) == 3
    vault.put("confirmed/espresso.md", MEMORY + "Both.\n")
    for line in lines[:2]:
        vault.at("..").type(f"export GIT_EDITOR=true; {line}")
    assert wanting(vault) == []
    assert vault.git("status", "--porcelain") == ""


@pytest.mark.parametrize("plant", [_rebase, merge_that_waits, _bisect])
def test_what_waits_is_dropped_and_nothing_is_switched(
    vault: Desk, plant: Callable[[Desk], None]
) -> None:
    plant(vault)
    assert "git.branch" not in wanting(vault)
    vault.at("..").type(commands(of_code(vault, "git.underway"))[-1])
    assert wanting(vault) == []
    assert vault.git("branch", "--show-current") == "main"


def test_a_cache_that_git_tracks_is_one_finding(vault: Desk) -> None:
    vault.ok("recall", "espresso")
    vault.git("add", "-f", ".doll/cache")
    vault.git("commit", "-qm", "cache")
    vault.git("push", "-q")
    assert wanting(vault) == ["vault.tracked"]
    (line,) = commands(of_code(vault, "vault.tracked"))
    vault.at("..").type(line)
    vault.ok("index")
    assert findings(vault) == []


def test_a_hooks_path_to_nowhere_is_one_finding(vault: Desk) -> None:
    vault.type("doll hooks install")
    assert wanting(vault) == []
    vault.git("config", "core.hooksPath", "nowhere")
    assert wanting(vault) == ["git.hooks_path"]
    vault.type(commands(of_code(vault, "git.hooks_path"))[0])
    assert wanting(vault) == []


@pytest.mark.parametrize("tracked", [True, False])
def test_a_folder_of_the_vault_keeps_its_name(vault: Desk, *, tracked: bool) -> None:
    vault.put("authority/Projects/fresh one.md", vault.read("authority/projects/atlas.md"))
    if tracked:
        vault.git("add", "-A")
    vault.at("..").type(commands(of_code(vault, "path.clash"))[0])
    assert (vault.root / "authority/projects/fresh one.md").exists()
    assert (vault.root / "authority/projects/atlas.md").exists()
    assert "path.clash" not in wanting(vault)


def test_a_folder_of_the_vault_and_names_that_are_taken(vault: Desk) -> None:
    vault.put("authority/Projects/atlas.md", "other\n")
    vault.type(commands(of_code(vault, "path.clash"))[0])
    assert vault.read("authority/Projects-2/atlas.md") == "other\n"
    assert "path.clash" not in wanting(vault)


def test_folders_of_experience_that_share_a_name_have_no_line(vault: Desk) -> None:
    for folder in ("Zed", "zed"):
        vault.put(f"experience/{folder}/one.md", MEMORY)
    assert of_code(vault, "path.clash")["hint"].startswith("# move what is in experience/Zed")
    vault.put("experience/Zed/.hidden", "")
    (vault.root / "experience/Zed/one.md").rename(vault.root / "experience/Zed/two & a.md")
    vault.type(commands(of_code(vault, "path.clash"))[0])
    assert (vault.root / "experience/zed/two & a.md").exists()
    assert "path.clash" not in wanting(vault)


def test_a_pipe_that_git_would_wait_for_is_told_once(vault: Desk) -> None:
    (vault.root / ".gitignore").unlink()
    os.mkfifo(vault.root / ".gitignore")
    (line,) = (x for problem in findings(vault) for x in commands(problem) if "gitignore" in x)
    vault.type(line)


def test_what_is_not_to_type_as_it_stands_is_marked(vault: Desk) -> None:
    vault.put("doll.yaml", vault.read("doll.yaml").replace("format: 1", "format: 9"))
    vault.git("remote", "remove", "origin")
    lines = [line for p in findings(vault) for line in p["hint"].splitlines()]
    assert "# update doll" in lines
    assert any(line.startswith("# git") and "URL" in line for line in lines), lines
    assert all(line.startswith(("#", "git ", "doll ")) for line in lines), lines
