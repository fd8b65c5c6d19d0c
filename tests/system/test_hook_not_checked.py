"""The hook where it cannot look, or not everywhere: said, and the commit goes on unless strict."""

import os
import shutil
from pathlib import Path

import pytest

from doll.cli import hook_run
from tests.desk import Desk, make_vault
from tests.gitbox import git, put
from tests.hook_desk import (
    POLICY,
    change,
    commit,
    hook_problems,
)

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(6)


def not_checked(code: Desk, *said: str) -> None:
    """Hold the hook to saying NOT CHECKED and going on, and to stopping under doll.strict."""
    change(code, "drops/a", "src/a")
    code.git("config", "doll.strict", "true")
    strict = code.doll("hooks", "run", "pre-commit")
    assert strict.code == 1
    code.git("config", "--unset", "doll.strict")
    going = commit(code)
    for text in (strict.err, going):
        assert text.startswith("doll: NOT CHECKED: ")
        for words in said:
            assert words in text
    assert "doll: the commit is stopped (doll.strict)" in strict.err
    assert "git commit --no-verify" in strict.err
    assert "doll: the commit goes on" in going


def test_a_vault_that_is_not_there(code: Desk) -> None:
    (code.root.parent / "notes").rename(code.root.parent / "elsewhere")
    not_checked(code, "git config doll.vault names", "is no folder")
    code.git("config", "--unset", "doll.vault")
    not_checked(code, "no vault here", "\n    doll hooks install --vault PATH    names the vault")
    assert "    doll hooks install --vault PATH" in code.doll("hooks", "status").err
    assert "doll init" not in code.doll("doctor").out


def test_a_vault_without_a_commit(code: Desk) -> None:
    shutil.rmtree(code.root.parent / "notes/.git")
    git(code.root.parent / "notes", "init", "-q", "-b", "main")
    not_checked(code, "has no commit any more: its history is gone")


def test_another_vault_than_the_pinned_one(code: Desk, tmp_path: Path) -> None:
    other = make_vault(tmp_path / "other")
    put(other, "doll.yaml", (other / "doll.yaml").read_text().replace("0f", "aa"))
    git(other, "commit", "-qam", "another id")
    code.git("config", "doll.vault", "../other")
    not_checked(code, "is another vault than the one that this hook was installed for")


def test_the_pinned_vault_counts_whatever_the_environment_says(code: Desk, tmp_path: Path) -> None:
    make_vault(tmp_path / "other")
    change(code, "drops/a")
    said = git(code.root, "commit", "-qm", "x", code=1, DOLL_VAULT=str(tmp_path / "other"))
    assert "no-drops" in said
    for name in ("vault", "vaultId"):
        code.git("config", "--unset", f"doll.{name}")
    assert "no vault here" in commit(code)
    change(code, "drops/b")
    said = git(code.root, "commit", "-qm", "x", code=1, DOLL_VAULT=str(tmp_path / "notes"))
    assert "no-drops" in said


def test_a_wrong_project(code: Desk) -> None:
    code.git("config", "doll.project", "nobody")
    change(code, "src/a")
    printed = commit(code)
    assert "doll: NOT CHECKED: <request>: no project has the id or alias nobody" in printed
    assert printed.splitlines()[-1] == "doll: the commit goes on, and nobody has checked it"
    code.git("config", "doll.strict", "true")
    change(code, "src/b")
    printed = commit(code, code=1)
    assert "the commit is stopped" in printed
    assert printed.splitlines()[-1] == "    git config doll.project ID"


def test_an_empty_project_is_a_wrong_one(code: Desk) -> None:
    code.git("config", "doll.project", "")
    said = "<request>: no project has the id or alias ''"
    change(code, "drops/a")
    printed = commit(code)
    assert f"doll: NOT CHECKED: {said}" in printed
    report = code.doll("preflight", "--vault", "../notes", "--path", "drops/a")
    assert report.code == 3
    assert "project ''" in report.out
    assert said in report.out
    (problem,) = hook_problems(code)
    assert problem["code"] == "hooks.stranded"
    assert problem["hint"] == "# git config doll.project ID    names the right one"
    assert "  project: ''" in code.doll("hooks", "status").out
    code.git("config", "doll.project", "atlas")
    assert code.doll("doctor").code == 0


def test_a_strict_that_is_no_boolean_counts_as_true_and_is_named(code: Desk) -> None:
    code.git("config", "doll.strict", "perhaps")
    named, mending = (
        "doll: git config doll.strict is 'perhaps', neither true nor false, and counts as true",
        "    git config doll.strict true",
    )
    for path, stop, said in (
        ("drops/a", 1, "BLOCKED"),
        ("exports/a", 1, "CONFIRMATION REQUIRED"),
        ("src/a", 0, ""),
    ):
        code.git("reset", "-q")
        change(code, path)
        lines = commit(code, code=stop).splitlines()
        assert lines[:2] == [named, mending]
        assert said in "\n".join(lines[2:])
        assert bool(lines[2:]) is bool(said)
        (code.root / path).unlink()
    state = code.ok("hooks", "status")
    assert "strict: what cannot be checked stops the commit" in state.out
    assert "counts as true: `git config doll.strict true` mends it" in state.err
    code.type(mending)
    change(code, "src/b")
    assert commit(code) == ""


def test_settings_that_git_cannot_read(code: Desk) -> None:
    change(code, "drops/a")
    code.git("config", "doll.vault", "~nobody-of-this-name/notes")
    printed = commit(code)
    assert printed.startswith("doll: NOT CHECKED: ")
    assert "nobody-of-this-name" in printed


def test_without_a_project_what_some_project_means_is_never_silent(code: Desk) -> None:
    """A path means an action in one project's entry; the rule on it names another one, or all."""
    code.git("config", "--unset", "doll.project")
    change(code, "drops/a")
    lines = commit(code).splitlines()
    assert lines[0].startswith("doll: CONFIRMATION REQUIRED: authority/policies/no-drops.md:2: ")
    assert "not given: --project" in lines[0]
    assert lines[2].startswith("    git config doll.project ID    ")
    notes = code.at("../notes")
    everybody = POLICY.replace("projects: atlas\n", "")
    notes.put("authority/policies/no-drops.md", everybody)
    notes.git("commit", "-qam", "for all")
    change(code, "drops/b")
    assert "CONFIRMATION REQUIRED: authority/policies/no-drops.md:2" in commit(code)
    # What no entry means, and what no rule is about, stays silent.
    change(code, "src/a")
    assert commit(code) == ""
    notes.put("authority/policies/no-drops.md", everybody.replace("db.drop", "db.other"))
    notes.git("commit", "-qam", "about something else")
    change(code, "drops/c")
    assert commit(code) == ""
    # An entry that counts for all needs no project.
    notes.put("authority/policies/no-drops.md", everybody.replace("db.drop", "db.export"))
    notes.git("commit", "-qam", "about exports")
    change(code, "exports/a")
    assert "BLOCKED: authority/policies/no-drops.md:2" in commit(code, code=1)


def test_another_project_than_the_entry_s_is_silent(code: Desk) -> None:
    code.git("config", "doll.project", "garden")
    notes = code.at("../notes")
    notes.put("authority/policies/no-drops.md", POLICY.replace("projects: atlas\n", ""))
    notes.git("commit", "-qam", "for all")
    change(code, "drops/a")
    assert commit(code) == ""


def test_a_newer_vault_stops_no_commit(code: Desk) -> None:
    notes = code.at("../notes")
    notes.put("doll.yaml", notes.read("doll.yaml").replace("format: 1", "format: 2"))
    notes.git("commit", "-qam", "newer")
    not_checked(code, "update doll")
    notes.git("config", "doll.branch", "main")
    not_checked(code, "written by a newer doll", "update doll")


def test_a_broken_vault_stops_until_it_is_mended(code: Desk) -> None:
    notes = code.at("../notes")
    text = notes.read("authority/policies/ask.md")
    notes.put("authority/policies/ask.md", text.replace("effect", "efect"))
    change(code, "src/a")
    assert commit(code) == ""  # what is not committed has no say
    notes.git("commit", "-qam", "broken")
    change(code, "src/b")
    printed = commit(code, code=1)
    assert "doll: NOT CHECKED: authority/policies/ask.md:" in printed
    assert printed.splitlines()[-1] == "    doll validate"
    notes.put("authority/policies/ask.md", text)
    notes.git("commit", "-qam", "mended")
    assert commit(code) == ""


def test_what_concerns_another_project_stops_nobody(code: Desk) -> None:
    notes = code.at("../notes")
    notes.put(
        "authority/work-items/w.md", "---\nproject: garden\nstatus: ready\ndepends_on: x\n---\n"
    )
    notes.git("add", "-A")
    notes.git("commit", "-qm", "another project's")
    change(code, "src/a")
    assert "the commit goes on, and nobody has checked it" in commit(code)
    notes.put(
        "authority/work-items/w.md", "---\nproject: atlas\nstatus: ready\ndepends_on: x\n---\n"
    )
    notes.git("commit", "-qam", "ours")
    change(code, "src/b")
    assert "doll: NOT CHECKED: authority/work-items/w.md:4" in commit(code, code=1)


def test_emptied_or_unmarked_the_vault_still_blocks(code: Desk) -> None:
    notes = code.at("../notes")
    for path in ("experience", "authority"):
        shutil.rmtree(notes.root / path)
    change(code, "drops/a")
    assert "no-drops" in commit(code, code=1)
    (notes.root / "doll.yaml").unlink()
    printed = commit(code, code=1)
    assert "no-drops" in printed
    assert "has no record on disk" in printed


class Slow:
    """A git that takes for ever for some of what doll asks it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, words: str) -> str:
        """Return a PATH with a git that hangs when its arguments match a shell pattern."""
        real = shutil.which("git")
        script = f'#!/bin/sh\ncase "$*" in {words}) exec sleep 60 ;; esac\nexec {real} "$@"\n'
        put(self.folder, "bin/git", script).chmod(0o755)
        return f"{self.folder}/bin:{os.environ['PATH']}"


def test_the_time_limit(code: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow(tmp_path)
    monkeypatch.setattr(hook_run, "LIMIT", 1.0)
    change(code, "drops/a")
    for words, strict, status in (
        ("*ls-tree*", "false", 0),
        ("*ls-tree*", "true", 1),
        ("*", "true", 0),  # not even doll.strict is known by then
    ):
        code.git("config", "doll.strict", strict)
        result = code.under(PATH=slow.path(words)).doll("hooks", "run", "pre-commit")
        assert result.code == status
        assert "doll: NOT CHECKED: the check took more than 1 s" in result.err
        assert "doll preflight --staged" in result.err
    code.git("config", "doll.strict", "false")
    assert code.doll("hooks", "run", "pre-commit").code == 1


def test_git_itself_cannot_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(tmp_path, "init", "-q", "--bare", "bare")
    for desk in (Desk(tmp_path, capsys), Desk(tmp_path / "bare", capsys)):
        result = desk.doll("hooks", "run", "pre-commit")
        assert result.code == 0
        assert result.err.startswith("doll: NOT CHECKED: ")
    assert Desk(tmp_path, capsys).doll("hooks", "run", "post-commit").code == 2


def test_many_staged_files_in_a_vault_of_its_own(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that is broken is found among them."""
    monkeypatch.setattr(hook_run, "LIMIT", 60.0)
    for number in range(800):
        desk.put(f"confirmed/{number % 10}/m{number}.md", f"---\ntitle: M{number}\n---\n")
    desk.put("confirmed/broken.md", "---\n")
    desk.git("add", "-A")
    result = desk.doll("hooks", "run", "pre-commit")
    assert result.code == 1
    assert result.err.count("error") == 1
    assert "confirmed/broken.md:1:1: error" in result.err
