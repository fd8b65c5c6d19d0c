"""Places that are damaged or are no places: what is said is true, and what is to be typed helps."""

from pathlib import Path

import pytest

from tests.desk import Desk
from tests.examined import commands, of_code
from tests.gitbox import git, make
from tests.hook_desk import hook_problems
from tests.ordinary import ordinary

pytestmark = pytest.mark.sampled(4)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("text", ["garbage\n", "", "ref: nowhere\n"])
def test_a_damaged_head(desk: Desk, text: str) -> None:
    head = desk.root / ".git/HEAD"
    head.write_text(text)
    for command in (("status",), ("verify",), ("hooks", "install")):
        said = desk.doll(*command)
        assert (said.code, "HEAD is damaged" in said.err) == (7, True)
        assert "git init" not in said.err
    report = desk.doll("preflight", "--project", "atlas", "--json")
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
    (mend,) = (line.strip().partition("    ")[0] for line in said.err.splitlines()[1:])
    desk.at("..").type(mend)
    desk.ok("status")
    assert desk.git("rev-parse", "HEAD") == commit


def test_a_damaged_branch_without_its_log_has_no_line_to_type(desk: Desk) -> None:
    (desk.root / ".git/refs/heads/main").write_text("garbage\n")
    for log in (desk.root / ".git/logs").rglob("main"):
        log.write_text("garbage\n")
    assert damaged(desk, "the branch main of") == []


@pytest.mark.sampled(6)
@pytest.mark.parametrize("path", ["refs/heads", "refs/heads/main", "refs"])
def test_refs_that_may_not_be_read_are_no_damage(desk: Desk, tmp_path: Path, path: str) -> None:
    user = ordinary(tmp_path)
    place = desk.root / ".git" / path
    mode = place.stat().st_mode
    for command in ("status", "doctor", "preflight"):
        place.chmod(0)
        said = user.doll(command, "--vault", "notes")
        told = said.stdout + said.stderr
        assert f"{place} cannot be read: Permission denied" in told, command
        assert "damaged" not in told
        line = next(x.strip() for x in told.splitlines() if x.strip().startswith("chmod"))
        assert user.run("sh", "-c", line.partition("    ")[0]).returncode == 0
        assert user.doll("status", "--vault", "notes").returncode == 0
        place.chmod(mode)


EVERY = (("status",), ("verify",), ("validate",), ("list",), ("hooks", "install"), ("sync",))


def damaged(desk: Desk, words: str) -> list[str]:
    """Hold every command to exit 7 and these words; return the lines to type."""
    for command in EVERY:
        said = desk.refused(7, *command)
        assert words in said, command
        assert "git init" not in said
        assert "Start the vault" not in said
    report = desk.doll("preflight", "--project", "atlas", "--json")
    assert (report.code, words in report.out) == (3, True)
    lines = (line.strip().partition("    ")[0] for line in said.splitlines()[1:])
    return [line for line in lines if not line.startswith("#")]


def test_a_repository_without_refs(desk: Desk) -> None:
    commit = desk.git("rev-parse", "HEAD")
    (desk.root / ".git/refs").rename(desk.root.parent / "refs")
    (mend,) = damaged(desk, "refs is missing")
    desk.type(mend)
    (mend,) = damaged(desk, "the branch main of")
    desk.type(mend)
    assert desk.git("rev-parse", "HEAD") == commit
    desk.ok("status")


def test_a_repository_without_objects(desk: Desk) -> None:
    objects = desk.root / ".git/objects"
    objects.rename(desk.root.parent / "objects")
    assert damaged(desk, "objects is missing") == []
    assert f"# copy {objects} back" in desk.doll("status").err
    (desk.root / ".git/refs").rename(desk.root.parent / "refs")
    (mend,) = damaged(desk, "objects is missing, refs is missing")
    desk.type(mend)
    objects.mkdir()
    assert damaged(desk, "which is not here either") == []
    objects.rmdir()
    (desk.root.parent / "objects").rename(objects)
    for line in damaged(desk, "the branch main of"):
        desk.type(line)
    desk.ok("status")


def test_a_damaged_repository_in_a_sound_one(desk: Desk, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    (desk.root / ".git/refs").rename(tmp_path / "refs")
    said = desk.refused(7, "status")
    assert f"{desk.root / '.git'} is damaged" in said


def test_settings_of_git_that_cannot_be_read(desk: Desk) -> None:
    settings = desk.root / ".git/config"
    text = settings.read_text()
    settings.write_text(text + "[x\n")
    (look,) = damaged(desk, "bad config line")
    assert desk.type(look) == "[x\n"
    settings.unlink()
    settings.mkdir()
    assert f"# {settings} has to be a file" in desk.refused(7, "status")
    settings.rmdir()
    settings.write_text(text.replace("bare = false", "bare = true"))
    (mend,) = damaged(desk, "core.bare is true")
    desk.type(mend)
    desk.ok("status")


def test_what_leads_to_the_repository_is_wrong(desk: Desk, tmp_path: Path) -> None:
    desk.git("worktree", "add", "-q", "--detach", "../linked")
    linked = desk.at(str(tmp_path / "linked"))
    desk.root.rename(tmp_path / "moved")
    (line,) = damaged(linked, "git finds no repository there")
    linked.type(line.replace(str(desk.root), str(tmp_path / "moved")))
    linked.ok("status")
    (linked.root / ".git").write_text("junk")
    assert damaged(linked, "it names no repository") == []
    (linked.root / ".git").unlink()
    (linked.root / ".git").mkdir()
    assert "git init" not in linked.refused(3, "status")


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", [".git", ".git/HEAD", ".git/objects", ".git/refs", ".git/config"])
def test_a_repository_that_may_not_be_read(desk: Desk, tmp_path: Path, name: str) -> None:
    user = ordinary(tmp_path)
    place = desk.root / name
    place.chmod(0)
    for command in ("status", "list", "validate"):
        found = user.doll(command, "--vault", "notes")
        assert found.returncode == 7, found.stderr
        assert "git init" not in found.stderr
    line = found.stderr.splitlines()[1].strip().partition("    ")[0]
    assert line == f"chmod {'u+rw' if place.is_file() else 'u+rwx'} {place}"
    assert user.run("sh", "-c", line).returncode == 0
    assert user.doll("status", "--vault", "notes").returncode == 0


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


@pytest.mark.sampled(6)
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
    if not inside and value:
        # What is set for all repositories is set for the vault's own, too.
        code.type(commands(of_code(code, "git.hooks_path"))[0])
    assert code.doll("doctor").code == 0
    code.put("x", "x")
    code.git("add", "-A")
    code.ok("hooks", "uninstall")


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", ["HEAD", "refs/heads/main"])
def test_no_line_writes_through_a_link(desk: Desk, tmp_path: Path, name: str) -> None:
    target = tmp_path / "other"
    target.write_text("garbage\n")
    place = desk.root / ".git" / name
    place.unlink()
    place.symlink_to(target)
    desk.type(desk.doll("status").err.splitlines()[1].strip().partition("    ")[0])
    desk.ok("status")
    assert target.read_text() == "garbage\n"
