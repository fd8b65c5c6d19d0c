"""`doll hooks install | status | uninstall` as they are typed."""

import json
from pathlib import Path

import pytest

from doll.cli import run
from doll.services.hooks.block import LOCAL
from tests.gitbox import git, hook, make, put

pytestmark = pytest.mark.sampled(4)

PROJECT = "---\nschema: doll/project/1\ntitle: Atlas\nstatus: active\naliases: [old-atlas]\n---\n"


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a vault with one committed project."""
    folder = tmp_path / "notes"
    monkeypatch.chdir(tmp_path)
    assert run(["init", "notes"]) == 0
    put(folder, "authority/projects/atlas.md", PROJECT)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "atlas")
    return folder


@pytest.fixture
def code(notes: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a code repository beside the vault, as the current folder."""
    folder = make(notes.parent / "code")
    monkeypatch.chdir(folder)
    return folder


INSTALL = ["hooks", "install", "--vault", "../notes", "--project", "atlas"]


def test_as_typed(code: Path, notes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [code / ".git/hooks" / kind for kind in LOCAL]
    path = paths[0]
    assert run(["hooks", "status"]) == 1
    assert "pre-commit: not installed" in capsys.readouterr().out
    assert run(INSTALL) == 0
    assert capsys.readouterr().out == (
        "".join(f"{each}: created\n" for each in paths)
        + "  set in git's configuration: doll.vault, doll.vaultId, doll.python, doll.project\n"
    )
    assert run(["hooks", "install"]) == 0  # the vault is known from now on
    assert f"{path}: unchanged" in capsys.readouterr().out
    assert run(["hooks", "status"]) == 0
    out = capsys.readouterr().out
    assert f"pre-commit: installed ({path})\n" in out
    assert f"pre-push: installed ({paths[-1]})\n  vault: {notes}\n" in out
    assert "  project: atlas\n" in out
    assert run(["hooks", "uninstall"]) == 0
    out = capsys.readouterr().out
    assert all(f"{each}: removed" in out for each in paths)
    assert run(["hooks", "uninstall"]) == 0
    assert capsys.readouterr().out == "nothing of doll is installed here\n"


def test_json(code: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answers = []
    for arguments in (INSTALL, ["hooks", "status"], ["hooks", "uninstall"], ["hooks", "status"]):
        answers.append(run([*arguments, "--json"]))
        document = json.loads(capsys.readouterr().out)
        name = f"doll.hooks.{arguments[1]}/1"
        assert document["schema"] == name
        kinds = document.get("kinds") or [hook["kind"] for hook in document["hooks"]]
        assert kinds == list(LOCAL)
    assert answers == [0, 0, 0, 1]


def test_a_project_by_its_alias(code: Path) -> None:
    assert run([*INSTALL[:-1], "old-atlas"]) == 0
    assert git(code, "config", "doll.project") == "atlas"


def test_projects_that_do_not_count(
    code: Path, notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*INSTALL[:-1], "atlsa"]) == 2
    assert "did you mean atlas?" in capsys.readouterr().err
    put(notes, "authority/projects/borealis.md", PROJECT.replace("[old-atlas]", "[]"))
    assert run([*INSTALL[:-1], "borealis"]) == 5
    assert "not committed" in capsys.readouterr().err
    assert not (code / ".git/hooks/pre-commit").exists()
    assert git(code, "config", "doll.vault", code=1) == ""


def test_outside_any_repository(
    notes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in ("install", "status", "uninstall"):
        assert run(["hooks", command]) == 7
        assert f"{tmp_path} lies in no git repository" in capsys.readouterr().err


def test_no_vault(code: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["hooks", "install"]) == 3
    said = capsys.readouterr().err
    assert "no vault here" in said
    assert "doll hooks install --vault PATH" in said
    assert run(["hooks", "install", "--vault", "."]) == 3
    assert "has no doll.yaml" in capsys.readouterr().err
    assert not (code / ".git/hooks/pre-commit").exists()


def not_checked(capsys: pytest.CaptureFixture[str], *says: str) -> None:
    """Hold `hooks status` to exit 1 and to saying why, in both forms."""
    capsys.readouterr()
    assert run(["hooks", "status", "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert {hook["state"] for hook in document["hooks"]} == {"installed"}
    assert document["runs"] is True
    assert len(document["not_checked"]) == 1
    assert run(["hooks", "status"]) == 1
    printed = capsys.readouterr()
    assert "pre-commit: installed" in printed.out
    assert "note: a commit here is NOT CHECKED: " in printed.err
    for text in says:
        assert text in printed.err


def test_status_says_when_nothing_could_be_checked(
    code: Path, notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(INSTALL) == 0
    git(code, "config", "doll.project", "atlsa")
    not_checked(capsys, "no project has the id or alias atlsa", "    git config doll.project ID")
    git(code, "config", "doll.project", "old-atlas")
    assert run(["hooks", "status"]) == 0
    git(code, "config", "doll.vaultId", "0" * 32)
    not_checked(capsys, "another vault than the one that this hook was installed for")
    assert run(["hooks", "uninstall"]) == 0
    git(code, "config", "--unset", "doll.vaultId", code=None)
    assert run(INSTALL) == 5  # doll.project is the user's now
    git(code, "config", "--unset", "doll.project")
    assert run(INSTALL) == 0
    moved = notes.rename(notes.parent / "moved")
    not_checked(capsys, "which is no folder", "    doll hooks install --vault PATH")
    assert run(["hooks", "install", "--vault", str(moved)]) == 0
    assert run(["hooks", "status"]) == 0


def test_a_stop_ends_with_how_to_install_again(
    code: Path, notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(INSTALL) == 0
    git(code, "config", "doll.strict", "true")
    notes.rename(notes.parent / "moved")
    put(code, "a", "a")
    git(code, "add", "a")
    capsys.readouterr()
    assert run(["hooks", "run", "pre-commit"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert "stopped (doll.strict); `git commit --no-verify`" in lines[-2]
    assert lines[-1] == "    doll hooks install --vault PATH    names the vault where it is now"


def test_without_a_project_it_says_what_that_means(
    code: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["hooks", "install", "--vault", "../notes"]) == 0
    assert "doll hooks install --project ID" in capsys.readouterr().err
    assert run(["hooks", "install", "--project", "atlas"]) == 0
    assert run(["hooks", "install"]) == 0
    assert "no project is named" not in capsys.readouterr().err


def test_the_help_of_the_group_is_not_cut(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["hooks", "--help"]) == 0
    assert "..." not in capsys.readouterr().out.partition("\n")[2]
    assert run(["hooks", "run", "--help"]) == 0
    assert "Examples:\n    doll hooks run pre-commit" in capsys.readouterr().out


def test_a_hook_that_is_left_alone(code: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = hook(code, "#!/usr/bin/env perl\nprint 'hello';\n")
    assert run(INSTALL) == 5
    printed = capsys.readouterr()
    assert f"{path}: left as it is\n" in printed.out
    assert f"{path.with_name('pre-push')}: created\n" in printed.out
    assert "is no shell script" in printed.err
    wanted = f"call `doll hooks run pre-commit` from {path}, and stop when it exits 1"
    assert wanted in printed.err
    assert "/dev/null" not in printed.err
    assert path.read_text() == "#!/usr/bin/env perl\nprint 'hello';\n"
    # Nothing at all can be installed: then no setting is written either.
    assert run(["hooks", "uninstall"]) == 0
    capsys.readouterr()
    assert run([*INSTALL, "--only", "pre-commit"]) == 5
    said = capsys.readouterr().err
    assert wanted in said
    assert "git config doll.project atlas" in said
    assert git(code, "config", "doll.project", code=1) == ""


def test_in_the_vaults_own_repository(
    notes: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(notes)
    before = (notes / ".git/config").read_bytes()
    assert run(["hooks", "install"]) == 0
    assert "no project is named" not in capsys.readouterr().err
    assert run(["hooks", "status"]) == 0
    capsys.readouterr()
    assert git(notes, "config", "doll.vault") == "."
    moved = notes.rename(notes.parent / "moved")
    monkeypatch.chdir(moved)
    assert run(["where", "--path"]) == 0
    assert capsys.readouterr().out.endswith(f"{moved}\n")
    assert run(["hooks", "uninstall"]) == 0
    assert (moved / ".git/config").read_bytes() == before
