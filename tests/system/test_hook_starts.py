"""Every kind of hook from wherever git can be started; nothing foreign changes."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.footprint import OWN, footprint
from tests.gitbox import found, git, make, put

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(6)

DENIED = "x\n\nDoll-Action: db.drop\n"


class Start:
    """A way to start git: where, with which words before the command, under which variables."""

    def __init__(self, top: Path, cwd: Path | None = None, *words: str, **variables: str) -> None:
        self.top = top
        self.cwd = cwd or top
        self.words = words
        self.variables = variables

    def git(self, *arguments: str, code: int | None = 0) -> str:
        return git(self.cwd, *self.words, *arguments, code=code, **self.variables)


def _plain(folder: Path) -> Start:
    return Start(folder / "code")


def _subfolder(folder: Path) -> Start:
    (folder / "code/a b/ü").mkdir(parents=True)
    return Start(folder / "code", folder / "code/a b/ü")


def _by_option(folder: Path) -> Start:
    return Start(folder / "code", folder, "-C", "code")


def _linked(folder: Path) -> Start:
    git(folder / "code", "worktree", "add", "-q", "../linked", "-b", "linked")
    return Start(folder / "linked")


def _apart(folder: Path) -> Start:
    (folder / "code/.git").rename(folder / "apart.git")
    git(folder / "apart.git", "remote", "set-url", "origin", f"{folder}/remote.git")
    tied = (f"--git-dir={folder}/apart.git", f"--work-tree={folder}/code")
    return Start(folder / "code", folder, *tied)


def _separate(folder: Path) -> Start:
    git(folder / "code", "init", "-q", f"--separate-git-dir={folder}/store")
    return Start(folder / "code")


def _submodule(folder: Path) -> Start:
    outer = make(folder / "outer")
    allow = ("-c", "protocol.file.allow=always")
    git(outer, *allow, "submodule", "--quiet", "add", f"{folder}/remote.git", "code")
    inner = outer / "code"
    hooks = found(folder / "code").common_dir / "hooks"
    shutil.copytree(hooks, found(inner).git_dir / "hooks", dirs_exist_ok=True)
    for name in ("vaultId", "project", "python"):
        git(inner, "config", f"doll.{name}", git(folder / "code", "config", f"doll.{name}"))
    git(inner, "config", "doll.vault", "../../notes")
    return Start(inner)


def _other_index(folder: Path) -> Start:
    shutil.copy(folder / "code/.git/index", folder / "index")
    return Start(folder / "code", None, GIT_INDEX_FILE=f"{folder}/index")


def _detached(folder: Path) -> Start:
    git(folder / "code", "switch", "-q", "--detach")
    return Start(folder / "code")


def _shallow(folder: Path) -> Start:
    shutil.rmtree(folder / "shallow", ignore_errors=True)
    git(folder, "clone", "-q", "--depth=1", f"file://{folder}/remote.git", "shallow")
    hooks, config = folder / "code/.git/hooks", folder / "shallow/.git/config"
    shutil.copytree(hooks, folder / "shallow/.git/hooks", dirs_exist_ok=True)
    own = (folder / "code/.git/config").read_text().partition('[doll "installed"]')
    doll = "".join(part for part in own if part).partition("[doll")
    config.write_text(config.read_text() + "[doll" + doll[2])
    return Start(folder / "shallow")


def _parent(folder: Path) -> Start:
    """The vault lies above the code, and nothing says where."""
    above = shutil.copytree(folder / "notes", folder / "above")
    shutil.copytree(folder / "code", above / "code")
    for name in ("vault", "vaultId"):
        git(above / "code", "config", "--unset", f"doll.{name}")
    git(above / "code", "remote", "set-url", "origin", f"{folder}/remote.git")
    return Start(above / "code")


def _within(folder: Path) -> Start:
    """The vault is a folder of the code repository."""
    code = folder / "code"
    shutil.copytree(folder / "notes", code / "notes", ignore=shutil.ignore_patterns(".git"))
    git(code, "add", "-A")
    git(code, "commit", "-qm", "notes", "--no-verify")
    git(code, "push", "-q", "--no-verify", "origin", "main")
    git(code, "config", "doll.vault", "notes")
    return Start(code)


STARTS: dict[str, Callable[[Path], Start]] = {
    each.__name__.removeprefix("_"): each
    for each in (
        *(_plain, _subfolder, _by_option, _linked, _apart, _separate, _submodule, _other_index),
        *(_detached, _shallow, _parent, _within),
    )
}


# `test_hook_runs` has these for a commit; here every kind of hook is run, which takes its time.
LONG = {"subfolder", "by_option", "apart", "other_index", "detached", "shallow"}
EVERY = [pytest.param(name, marks=pytest.mark.soak) if name in LONG else name for name in STARTS]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", EVERY)
def test_each_kind_of_hook(pair: Path, tmp_path: Path, name: str) -> None:
    shutil.copytree(pair, tmp_path, symlinks=True, dirs_exist_ok=True)
    start = STARTS[name](tmp_path)
    notes = footprint(tmp_path / "notes", OWN)
    listed = _listed(start)

    # A commit, by its paths and by its message.
    put(start.top, "drops/a", "a")
    start.git("add", "--", str(start.top / "drops"))
    assert "no-drops" in start.git("commit", "-qm", "x", code=1)
    start.git("commit", "-qm", "drops", "--no-verify")
    assert "no-drops" in start.git("commit", "-q", "--allow-empty", "-m", DENIED, code=1)
    # A push of what no other hook saw; a branch of its own, so that a detached HEAD has one.
    start.git("branch", "drops")
    pushed = ("push", "-q", "origin", "drops:refs/heads/drops")
    assert "no-drops" in start.git(*pushed, code=1)
    # A merge of it into what went on without it.
    start.git("reset", "-q", "--hard", "HEAD^")
    put(start.top, "src/b", "b")
    start.git("add", "--", str(start.top / "src"))
    assert start.git("commit", "-qm", "b") == ""
    said = start.git("merge", "-q", "--no-edit", "drops", code=1)
    assert "doll: the merge is stopped" in said
    start.git("merge", "--abort")
    assert start.git("status", "--porcelain", "--untracked-files=no") == ""
    if name != "other_index":
        assert start.git("push", "-q", "origin", "HEAD:refs/heads/clear") == ""

    assert footprint(tmp_path / "notes", OWN) == notes
    assert _listed(start) - listed <= {"ORIG_HEAD", "COMMIT_EDITMSG", "logs", "refs", "AUTO_MERGE"}


def _listed(start: Start) -> set[str]:
    """Return what lies in the repository's own folder."""
    place = Path(start.git("rev-parse", "--absolute-git-dir"))
    return {path.name for path in place.iterdir()} - {"doll"}


def test_an_index_that_is_only_read_stays_as_it_is(pair: Path, tmp_path: Path) -> None:
    shutil.copytree(pair, tmp_path, symlinks=True, dirs_exist_ok=True)
    code, index = tmp_path / "code", tmp_path / "code/.git/index"
    put(code, "src/a", "a")
    git(code, "add", "-A")
    # Times that do not fit make git want to refresh it.
    os.utime(code / "README", (1, 1))
    put(tmp_path, "message", DENIED)
    before = (index.read_bytes(), index.stat().st_mtime_ns, index.stat().st_ino)
    for words in (("pre-commit",), ("pre-merge-commit",), ("commit-msg", "../message")):
        line = [sys.executable, "-m", "doll", "hooks", "run", *words]
        subprocess.run(line, cwd=code, capture_output=True, check=False)
        assert (index.read_bytes(), index.stat().st_mtime_ns, index.stat().st_ino) == before


def test_a_branch_without_a_commit(pair: Path, tmp_path: Path) -> None:
    shutil.copytree(pair, tmp_path, symlinks=True, dirs_exist_ok=True)
    code = tmp_path / "code"
    git(code, "switch", "-q", "--orphan", "fresh")
    put(code, "drops/a", "a")
    git(code, "add", "-A")
    assert "no-drops" in git(code, "commit", "-qm", "x", code=1)
    git(code, "rm", "-rqf", "drops")
    assert "no-drops" in git(code, "commit", "-q", "--allow-empty", "-m", DENIED, code=1)
    git(code, "commit", "-q", "--allow-empty", "-m", "x")
    assert git(code, "push", "-q", "origin", "fresh") == ""


def test_rules_are_those_of_the_vault_that_is_pinned(pair: Path, tmp_path: Path) -> None:
    """The environment has no say, in no kind of hook."""
    shutil.copytree(pair, tmp_path, symlinks=True, dirs_exist_ok=True)
    code = tmp_path / "code"
    make(tmp_path / "other")
    put(code, "drops/a", "a")
    git(code, "add", "-A")
    git(code, "commit", "-qm", "x", "--no-verify")
    other = str(tmp_path / "other")
    line = ("commit", "-q", "--allow-empty", "-m", DENIED)
    assert "no-drops" in git(code, *line, code=1, DOLL_VAULT=other)
    assert "no-drops" in git(code, "push", "-q", "origin", "main", code=1, DOLL_VAULT=other)
