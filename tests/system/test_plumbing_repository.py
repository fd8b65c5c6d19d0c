"""Finding a repository, and telling its calls from those on another one."""

import os
import time
from pathlib import Path

import pytest

from doll.errors import GitError, TimeLimitError
from doll.vcs import plumbing
from doll.vcs.plumbing import process
from doll.vcs.plumbing.history import history
from tests.gitbox import found, git, make, put


def test_the_constant_names_what_the_installed_git_names() -> None:
    printed = git(Path("/"), "rev-parse", "--local-env-vars")
    assert set(printed.split()) <= process.LOCAL_VARIABLES


def test_no_repository_is_none(tmp_path: Path) -> None:
    assert plumbing.find(tmp_path) is None


@pytest.mark.parametrize("name", ["plain", "two words", "naïve 記", "new\nline", "-dash", "a'b\"c"])
def test_found_from_a_subfolder_under_any_name(tmp_path: Path, name: str) -> None:
    top = make(tmp_path / name)
    deep = top / "sub" / name
    deep.mkdir(parents=True)
    repository = found(deep)
    assert repository.top == top
    assert repository.git_dir == repository.common_dir == top / ".git"
    assert repository.algorithm == "sha1"
    assert plumbing.head(repository) == git(top, "rev-parse", "HEAD")


def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    top = make(tmp_path / os.fsdecode(b"caf\xe9"))
    assert found(top).top == top


def test_a_link_to_the_repository_is_resolved(tmp_path: Path) -> None:
    top = make(tmp_path / "real")
    (tmp_path / "link").symlink_to(top)
    assert found(tmp_path / "link").top == top


def test_sha256(tmp_path: Path) -> None:
    repository = found(make(tmp_path / "r", "--object-format=sha256"))
    assert repository.algorithm == "sha256"
    assert len(plumbing.head(repository) or "") == 64


def test_linked_work_tree(tmp_path: Path) -> None:
    top = make(tmp_path / "main")
    git(top, "worktree", "add", "-q", str(tmp_path / "linked"))
    main, linked = found(top), found(tmp_path / "linked")
    assert linked.top == tmp_path / "linked"
    assert linked.git_dir != main.git_dir
    assert linked.common_dir == main.common_dir
    assert plumbing.same_repository(main, linked)
    assert not plumbing.same_work_tree(main, linked)
    assert plumbing.same_work_tree(main, found(top))


def test_separate_git_dir(tmp_path: Path) -> None:
    top = make(tmp_path / "tree", f"--separate-git-dir={tmp_path / 'store'}")
    assert (top / ".git").is_file()
    assert found(top).git_dir == tmp_path / "store"


def test_submodule(tmp_path: Path) -> None:
    inner, outer = make(tmp_path / "inner"), make(tmp_path / "outer")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "sub")
    repository = found(outer / "sub")
    assert repository.top == outer / "sub"
    assert repository.git_dir == outer / ".git" / "modules" / "sub"
    assert not plumbing.same_repository(repository, found(outer))


def test_bare_is_refused(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "bare")
    with pytest.raises(GitError, match="bare repository"):
        plumbing.find(tmp_path / "bare")


def test_inside_the_git_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GitError, match="work tree"):
        plumbing.find(make(tmp_path / "r") / ".git")


@pytest.mark.parametrize(
    ("text", "words"),
    [("gitdir: /nowhere", "finds no repository"), ("junk", "names no repository")],
)
def test_a_broken_git_file_is_no_missing_repository(tmp_path: Path, text: str, words: str) -> None:
    put(tmp_path, ".git", text)
    with pytest.raises(GitError, match=words):
        plumbing.find(tmp_path)


def test_a_folder_git_does_not_trust(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    top = make(tmp_path / "r")
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    with pytest.raises(GitError, match=r"(?s)exit 128.*dubious ownership.*safe\.directory"):
        plumbing.find(top)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(GitError, match="no folder"):
        plumbing.find(tmp_path / "gone")


def test_git_that_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitError, match="git is not installed"):
        plumbing.find(tmp_path)
    with pytest.raises(GitError, match="git is not installed"):
        plumbing.version()


def _fake_git(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place = put(folder, "bin/git", f"#!/bin/sh\n{script}\n")
    place.chmod(0o755)
    monkeypatch.setenv("PATH", f"{place.parent}:{os.environ['PATH']}")


def test_git_that_is_too_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert plumbing.version() >= plumbing.MINIMUM
    plumbing.require_version()
    _fake_git(tmp_path, "echo 'git version 2.17.1 (Apple Git-9)'", monkeypatch)
    assert plumbing.version() == (2, 17, 1)
    with pytest.raises(GitError, match=r"2\.17\.1 is too old: doll needs git 2\.34"):
        plumbing.require_version()
    with pytest.raises(GitError, match="too old"):
        plumbing.find(tmp_path)


def test_a_git_that_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _fake_git(tmp_path, "exec sleep 30", monkeypatch)
    with pytest.raises(TimeLimitError, match=r"did not end within the time limit"):
        plumbing.find(tmp_path, deadline=time.monotonic() + 0.2)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (128, "failed with exit 128"),
        (-25, "was killed by signal 25 (SIGXFSZ)"),
        (-9, "was killed by signal 9 (SIGKILL)"),
        (-40, "was killed by signal 40"),
    ],
)
def test_how_git_ended_is_said(code: int, words: str) -> None:
    assert process.failure(["add"], code, b"").message == f"`git add` {words}: it said nothing"


def test_a_git_that_says_much_while_it_prints_does_not_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = found(make(tmp_path / "r"))
    much = "head -c 300000 /dev/zero | tr '\\0' x"
    _fake_git(tmp_path, f"{much} >&2; {much}; echo last >&2; kill -9 $$", monkeypatch)
    with pytest.raises(GitError, match=r"was killed by signal 9 \(SIGKILL\): x+$"):
        list(history(repository, ["0" * 40], [], "", "X"))


def test_foreign_variables_do_not_reach_another_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = make(tmp_path / "one"), make(tmp_path / "other")
    put(other, "only-here", "x")
    git(other, "add", "-A")
    for name, value in {
        "GIT_DIR": str(one / ".git"),
        "GIT_WORK_TREE": str(one),
        "GIT_INDEX_FILE": str(one / ".git" / "index"),
        "GIT_PREFIX": "sub/",
        "GIT_COMMON_DIR": str(one / ".git"),
        "GIT_OBJECT_DIRECTORY": str(one / ".git" / "objects"),
        "GIT_CONFIG_PARAMETERS": "'user.name=Somebody'",
        "GIT_GLOB_PATHSPECS": "1",
    }.items():
        monkeypatch.setenv(name, value)
    repository = found(other)
    assert repository.top == other
    assert [entry.path for entry in plumbing.tracked(repository)] == ["README", "only-here"]
    assert [c.path for c in plumbing.staged(repository, plumbing.head(repository))] == ["only-here"]
    assert plumbing.config(repository, "user.name") is None
    assert found(other, own=True).top == one


def test_own_keeps_relative_variables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path / "store")
    tree = tmp_path / "tree"
    put(tree, "sub/new", "x")
    monkeypatch.chdir(tree / "sub")
    monkeypatch.setenv("GIT_DIR", "../../store/.git")
    monkeypatch.setenv("GIT_WORK_TREE", "..")
    git(tree / "sub", "add", "new")
    repository = found(Path.cwd(), own=True)
    assert repository.top == tree
    assert repository.git_dir == tmp_path / "store" / ".git"
    assert [entry.path for entry in plumbing.tracked(repository)] == ["README", "sub/new"]
