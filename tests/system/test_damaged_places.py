"""Places that are damaged or are no places: what is said is true, and what is to be typed helps."""

from pathlib import Path

import pytest

from tests.desk import Desk
from tests.gitbox import git, make
from tests.hook_desk import hook_problems


@pytest.mark.parametrize("text", ["garbage\n", "", "ref: nowhere\n"])
def test_a_damaged_head(desk: Desk, text: str) -> None:
    head = desk.root / ".git/HEAD"
    head.write_text(text)
    for command in (("status",), ("verify",), ("hooks", "install")):
        said = desk.doll(*command)
        assert (said.code, "HEAD is damaged" in said.err) == (7, True)
        assert "git init" not in said.err
    report = desk.doll("preflight", "--project", "atlas")
    assert report.code == 3
    assert "HEAD is damaged" in report.out
    desk.type(desk.doll("status").err.splitlines()[1].partition("    mends")[0].strip())
    desk.ok("status")


def test_a_damaged_branch(desk: Desk) -> None:
    commit = desk.git("rev-parse", "HEAD")
    (desk.root / ".git/refs/heads/main").write_text("garbage\n")
    for command in ("status", "verify", "validate"):
        said = desk.doll(command)
        assert said.code == 7
        assert "the branch main of" in said.err
        assert "no commit yet" not in said.err
    assert desk.doll("preflight").code == 3
    look, mend = (line.strip().partition("    ")[0] for line in said.err.splitlines()[1:])
    assert desk.type(look).split(" ")[1] == commit
    desk.type(mend.replace("COMMIT", commit))
    desk.ok("status")


def test_no_commit_yet_is_still_said(desk: Desk) -> None:
    desk.git("switch", "-q", "--orphan", "new")
    desk.git("checkout", "main", "--", ".")
    assert "no commit yet" in desk.doll("status").err


def test_what_can_be_no_vault(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    for place in (file, file / "below"):
        said = desk.doll("status", "--vault", str(place))
        assert said.code == 3
        assert "doll init" not in said.err
        assert "name the folder of a vault" in said.err
    assert "doll init" in desk.doll("status", "--vault", str(tmp_path / "new")).err
    said = desk.doll("status", "--vault", "doll.yaml")
    assert f"name the folder that it is in: {desk.root}" in said.err


@pytest.mark.sampled(3)
@pytest.mark.parametrize("inside", [True, False])
@pytest.mark.parametrize("value", ["/dev/null", "", "README", "/dev/null/hooks"])
def test_hooks_in_no_folder(desk: Desk, tmp_path: Path, value: str, *, inside: bool) -> None:
    code = desk.at(str(make(tmp_path / "code")))
    words = ("hooks", "install", "--vault", "../notes", "--project", "atlas")
    if inside:
        code.ok(*words)
        code.git("config", "core.hooksPath", value)
    else:
        settings = tmp_path / "settings"
        git(tmp_path, "config", "--file", str(settings), "core.hooksPath", value)
        code = code.under(GIT_CONFIG_GLOBAL=str(settings))
    said = code.refused(5, *words)
    assert "so git runs no hooks here" in said
    assert "make /" not in said
    if inside:
        problems = hook_problems(code)
        assert {problem["code"] for problem in problems} == {"hooks.shadowed"}
        assert len({problem["hint"] for problem in problems}) == 1
        assert code.doll("hooks", "status").code == 1
    (line,) = (
        line.strip()
        for line in said.splitlines()
        if " core.hooksPath" in line[5:] and "lets" in line
    )
    code.type(line.partition("    lets")[0])
    code.ok(*words)
    assert code.doll("doctor").code == 0
    code.put("x", "x")
    code.git("add", "-A")
    code.ok("hooks", "uninstall")
