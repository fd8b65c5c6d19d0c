"""`doll sync` where a vault can be that is no plain clone with a remote: each has an answer."""

import os
import shutil
from pathlib import Path

import pytest

from doll.vault import lock
from tests.desk import Desk, make_vault
from tests.gitbox import git, make
from tests.sync_desk import Two, head, log, make_shared, memory, synced, values

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(6)

NOBODY = {
    "GIT_AUTHOR_NAME": "",
    "GIT_AUTHOR_EMAIL": "",
    "GIT_COMMITTER_NAME": "",
    "GIT_COMMITTER_EMAIL": "",
}


def lines(err: str) -> list[str]:
    """Return the lines to type among what was said."""
    return [line.strip().partition("    ")[0] for line in err.splitlines()]


def line_with(err: str, word: str) -> str:
    """Return the line to type that holds a word."""
    return next(line for line in lines(err) if word in line)


def test_no_remote(desk: Desk) -> None:
    memory(desk, "tea")
    result = desk.ok("sync")
    assert "committed as" in result.out
    assert result.out.endswith("validated, committed, indexed; no remote\n")
    assert "synced" not in result.out
    assert values(desk)["no_remote"] == "no remote"


def test_no_upstream(two: Two) -> None:
    two.one.git("branch", "--unset-upstream")
    memory(two.one, "tea")
    result = two.one.doll("sync")
    assert result.code == 1
    assert "not synced: main follows no branch of a remote" in result.out
    assert two.one.git("status", "--porcelain") == ""
    two.one.type(line_with(result.err, "config branch.main.merge refs/heads/main"))
    synced(two.one)


def test_a_branch_whose_tracking_ref_no_fetch_makes(two: Two) -> None:
    two.one.git("branch", "--unset-upstream")
    two.one.git("config", "remote.origin.fetch", "+refs/heads/other:refs/remotes/origin/other")
    result = two.one.doll("sync")
    two.one.type(line_with(result.err, "config branch.main.remote origin"))
    log(two.other, "Other")
    synced(two.other)
    memory(two.one, "tea")
    synced(two.one)
    assert two.tip == head(two.one)


def test_a_fetch_that_mirrors_moves_no_branch_here(two: Two) -> None:
    """What git would take for the tracking ref is the branch itself."""
    two.one.git("config", "remote.origin.fetch", "+refs/*:refs/*")
    log(two.other, "Other")
    synced(two.other)
    memory(two.one, "tea")
    synced(two.one)
    assert two.tip == head(two.one)
    assert two.one.git("status", "--porcelain") == ""


def test_a_branch_that_the_remote_does_not_have_yet(two: Two) -> None:
    two.one.git("switch", "-qc", "topic")
    result = two.one.doll("sync")
    assert result.code == 1
    # No line that pushes past what a sync looks for.
    assert " push " not in result.err
    two.one.type(line_with(result.err, "config branch.topic.merge refs/heads/topic"))
    memory(two.one, "tea")
    assert "synced: origin/topic is at" in two.one.ok("sync").out


def test_a_branch_that_follows_one_of_this_repository(two: Two) -> None:
    two.one.git("switch", "-qc", "topic", "--track", "main")
    result = two.one.doll("sync")
    assert result.code == 1
    assert "a branch of this very repository" in result.out


@pytest.mark.parametrize("setting", ["branch.main.pushRemote", "remote.pushDefault"])
@pytest.mark.parametrize("word", ["pushRemote origin", ".remote fork"])
def test_a_branch_that_is_pushed_to_another_remote(two: Two, setting: str, word: str) -> None:
    git(two.one.root.parent, "clone", "-q", "--bare", str(two.hub), "fork.git")
    two.one.git("remote", "add", "fork", "../fork.git")
    two.one.git("config", setting, "fork")
    memory(two.one, "tea")
    result = two.one.doll("sync")
    assert result.code == 1
    assert "not synced: main follows origin, and git pushes it to fork" in result.out
    two.one.type(line_with(result.err, word))
    remote = "origin" if word.startswith("pushRemote") else "fork"
    assert f"synced: {remote}/main is at " in two.one.ok("sync").out
    assert head(two.one) == two.one.git("ls-remote", remote, "refs/heads/main").split()[0]


def test_a_push_default_that_is_no_remote_here(two: Two) -> None:
    two.one.git("config", "remote.pushDefault", "fork")
    memory(two.one, "tea")
    synced(two.one)


def test_an_empty_remote(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "hub.git")
    git(tmp_path, "clone", "-q", "hub.git", "one")
    shutil.move(make_vault(tmp_path / "made"), tmp_path / "vault")
    for item in (tmp_path / "vault").iterdir():
        if item.name != ".git":
            shutil.move(item, tmp_path / "one")
    git(tmp_path / "one", "add", "-A")
    git(tmp_path / "one", "commit", "-qm", "start")
    synced(Desk(tmp_path / "one", capsys))


def test_no_network(two: Two) -> None:
    two.hub.rename(two.hub.with_suffix(".away"))
    memory(two.one, "tea")
    result = two.one.doll("sync")
    assert result.code == 7
    assert result.out.startswith("committed as ")
    assert "not synced: `git fetch` failed" in result.err
    assert two.one.git("status", "--porcelain") == ""
    two.hub.with_suffix(".away").rename(two.hub)
    assert "pushed 1 commit" in synced(two.one).out


def test_nobody_is_asked_for_a_password_where_nobody_can_answer(two: Two) -> None:
    ask = two.one.root.parent / "ask"
    ask.write_text('#!/bin/sh\n[ "$GIT_TERMINAL_PROMPT" = 0 ] && echo no prompt >&2\nexit 1\n')
    ask.chmod(0o755)
    two.one.git("remote", "set-url", "origin", "ssh://nowhere/hub.git")
    two.one.git("config", "core.sshCommand", str(ask))
    assert "no prompt" in two.one.doll("sync").err


def test_no_identity(two: Two) -> None:
    memory(two.one, "tea")
    before = head(two.one)
    unnamed = two.one.under(**NOBODY)
    err = unnamed.refused(5, "sync")
    assert "git does not know who you are; nothing was changed" in err
    assert head(two.one) == before
    # Who has nothing to commit needs no name.
    two.other.git("commit", "-q", "--allow-empty", "-m", "theirs")
    two.other.git("push", "-q")
    (two.one.root / "confirmed/tea.md").unlink()
    assert unnamed.doll("sync").code == 0


def test_no_identity_for_a_merge(two: Two) -> None:
    two.other.git("commit", "-q", "--allow-empty", "-m", "theirs")
    two.other.git("push", "-q")
    two.one.git("commit", "-q", "--allow-empty", "-m", "mine")
    before = head(two.one)
    result = two.one.under(**NOBODY).doll("sync")
    assert result.code == 5
    assert "git does not know who you are" in result.err
    assert head(two.one) == before


def test_a_detached_head(two: Two) -> None:
    two.one.git("checkout", "-q", "--detach")
    memory(two.one, "tea")
    err = two.one.refused(5, "sync")
    assert "HEAD is on no branch" in err
    two.one.type(line_with(err, " switch main"))
    synced(two.one)


def test_a_merge_that_the_user_began(two: Two) -> None:
    two.one.git("switch", "-qc", "topic")
    memory(two.one, "tea", "Topic.")
    two.one.git("add", "-A")
    two.one.git("commit", "-qm", "topic")
    two.one.git("switch", "-q", "main")
    memory(two.one, "tea", "Main.")
    two.one.git("add", "-A")
    two.one.git("commit", "-qm", "main")
    git(two.one.root, "merge", "topic", code=1)
    for options in ((), ("--continue",), ("--abort",)):
        err = two.one.refused(5, "sync", *options)
        assert "`git merge` is not finished, and doll sync did not begin it" in err
    two.one.type("git merge --abort")
    synced(two.one)


def test_a_rebase_in_progress(two: Two) -> None:
    memory(two.one, "tea")
    two.one.git("add", "-A")
    two.one.git("commit", "-qm", "tea")
    git(two.one.root, "rebase", "-q", "--exec", "false", "HEAD~1", code=1)
    assert two.one.refused(5, "sync")
    git(two.one.root, "rebase", "--abort")
    synced(two.one)


@pytest.fixture
def shared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    return make_shared(tmp_path, capsys)


def test_staged_code_of_a_shared_repository(shared: Desk) -> None:
    shared.put("../app.py", "x = 1\n")
    shared.git("add", "../app.py")
    shared.put("../README", "changed\n")
    path = memory(shared, "tea")
    synced(shared)
    assert shared.git("show", "--format=", "--name-only", "HEAD") == f"notes/{path}"
    assert shared.git("diff", "--name-only") == "README"
    assert shared.git("diff", "--cached", "--name-only") == "app.py"


def test_code_that_is_committed_and_not_pushed(shared: Desk) -> None:
    shared.put("../app.py", "x = 1\n")
    shared.git("add", "../app.py")
    shared.git("commit", "-qm", "half done")
    memory(shared, "tea")
    result = shared.doll("sync")
    assert result.code == 1
    assert "not pushed: commits of yours also change app.py" in result.err
    assert "committed as" in result.out
    shared.type(line_with(result.err, " push "))
    synced(shared)


def test_code_that_came_from_others_is_none_of_mine(shared: Desk, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "hub.git", "else")
    (tmp_path / "else" / "app.py").write_text("x = 1\n")
    git(tmp_path / "else", "add", "-A")
    git(tmp_path / "else", "commit", "-qm", "code")
    git(tmp_path / "else", "push", "-q")
    memory(shared, "tea")
    synced(shared)
    assert (tmp_path / "work" / "app.py").is_file()


def test_a_submodule(two: Two, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    top = make(tmp_path / "top")
    git(top, "-c", "protocol.file.allow=always", "submodule", "-q", "add", str(two.hub), "notes")
    git(top, "commit", "-qm", "notes")
    desk = Desk(top / "notes", capsys)
    memory(desk, "tea")
    synced(desk)
    # The repository around it is left as it is: which commit it names is its own business.
    assert git(top, "status", "--porcelain") == "M notes"
    git(top, "-c", "protocol.file.allow=always", "submodule", "-q", "update")
    assert "HEAD is on no branch" in desk.refused(5, "sync")


def test_a_linked_work_tree(two: Two, capsys: pytest.CaptureFixture[str]) -> None:
    place = two.one.root.parent / "linked"
    two.one.git("worktree", "add", "-q", "-b", "linked", "--track", str(place), "origin/main")
    desk = Desk(place, capsys)
    log(two.other, "Other")
    synced(two.other)
    log(desk, "Linked")
    synced(desk)
    assert two.tip == head(desk)


def test_a_shallow_clone(two: Two, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(3):
        memory(two.one, f"tea {number}")
        synced(two.one)
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{two.hub}", "shallow")
    desk = Desk(tmp_path / "shallow", capsys)
    log(desk, "Shallow")
    log(two.one, "One")
    synced(two.one)
    synced(desk)
    assert two.tip == head(desk)


def test_a_clone_too_shallow_to_say_how_it_relates(
    two: Two, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{two.hub}", "shallow")
    desk = Desk(tmp_path / "shallow", capsys)
    log(desk, "Shallow")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "mine")
    for number in range(3):
        memory(two.one, f"tea {number}")
        synced(two.one)
    desk.git("fetch", "-q", "--depth=1")
    desk.git("update-ref", "-d", "refs/remotes/origin/main")
    result = desk.doll("sync")
    assert result.code == 5
    assert "this is a shallow clone" in result.err
    desk.type(line_with(result.err, "--unshallow"))
    synced(desk)


def test_another_sync_at_work(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    held = lock.syncing
    monkeypatch.setattr(lock, "syncing", lambda state: held(state, 0.1))
    with held(two.one.root / ".git" / "doll"):
        result = two.one.doll("sync")
    assert result.code == 6
    assert f"another doll sync is at work in this vault (process {os.getpid()}" in result.err
    synced(two.one)


def test_most_records_are_missing(two: Two) -> None:
    for number in range(30):
        memory(two.one, f"memory {number}")
    synced(two.one)
    for number in range(30):
        (two.one.root / f"confirmed/memory {number}.md").unlink()
    before = head(two.one)
    assert "30 of the 32 records" in two.one.refused(5, "sync")
    assert head(two.one) == before
    synced(two.one, "--allow-mass-delete")
    assert two.one.git("ls-files", "confirmed") == ""


def test_a_lock_of_git_is_named_and_left(two: Two) -> None:
    place = two.one.root / ".git" / "index.lock"
    place.touch()
    memory(two.one, "tea")
    result = two.one.doll("sync")
    assert result.code == 7
    assert str(place) in result.err
    assert place.exists()


def test_a_closed_standard_input(two: Two) -> None:
    assert "synced: " in two.one.type("doll sync <&-")
