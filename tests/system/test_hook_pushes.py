"""The pre-push hook in real pushes: every kind of ref, and the vault's own commits."""

import shutil
from pathlib import Path

import pytest

from tests.desk import Desk
from tests.gitbox import git, make, put
from tests.hook_desk import (
    FAILURE,
    NAME,
    POLICY,
    change,
    unchecked_commit,
)

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(6)

PAST = "`git push --no-verify` pushes all the same"


def push(desk: Desk, *arguments: str, code: int = 0) -> str:
    """Push, hold git to its exit code and the refs to it, return what was printed."""
    before = _refs(desk)
    printed = git(desk.root, "push", "-q", "origin", *arguments, code=code)
    assert (_refs(desk) != before) is (code == 0)
    return printed


def _refs(desk: Desk) -> str:
    return desk.git("ls-remote", "origin")


def test_what_no_commit_hook_saw_is_caught(code: Desk) -> None:
    unchecked_commit(code, "drops/a", "migrations/1.sql")
    lines = push(code, "main", code=1).splitlines()
    assert lines[0].startswith("doll: BLOCKED: authority/policies/no-drops.md:2: ")
    assert "this failed before" in lines[1]
    assert f"doll: the push is stopped; {PAST}. Type:" in lines
    assert "    doll show no-drops" in lines
    assert push(code, "--no-verify", "main") == ""


def test_warnings_and_wishes_go_on_and_clear_is_silent(code: Desk) -> None:
    unchecked_commit(code, "src/a")
    assert push(code, "main") == ""
    unchecked_commit(code, "exports/a")
    assert push(code, "main").endswith("doll: the push goes on; somebody has to confirm it")
    code.git("config", "doll.strict", "true")
    unchecked_commit(code, "exports/b")
    assert PAST in push(code, "main", code=1)


def test_rebase_cherry_pick_revert_and_fast_forward_are_seen(code: Desk) -> None:
    code.git("switch", "-qc", "feature")
    unchecked_commit(code, "drops/a")
    code.git("switch", "-q", "main")
    unchecked_commit(code, "src/a")
    start = code.git("rev-parse", "HEAD")
    for command in (
        ("cherry-pick", "feature"),
        ("merge", "--no-verify", "--no-edit", "feature"),
        ("rebase", "main", "feature"),
    ):
        code.git(*command)
        assert "no-drops" in push(code, "HEAD:main", code=1)
        code.git("switch", "-q", "main")
        code.git("reset", "-q", "--hard", start)
    code.git("merge", "-q", "--ff-only", "feature")
    assert "no-drops" in push(code, "main", code=1)
    push(code, "--no-verify", "main")
    code.git("revert", "--no-edit", "HEAD")
    assert "no-drops" in push(code, "main", code=1)


def test_a_new_branch_brings_what_no_remote_has(code: Desk) -> None:
    unchecked_commit(code, "drops/a")
    push(code, "--no-verify", "main")
    code.git("switch", "-qc", "feature")
    assert push(code, "feature") == ""  # nothing new at all
    unchecked_commit(code, "src/a")
    assert push(code, "feature:refs/heads/other") == ""
    unchecked_commit(code, "drops/b")
    assert "drops/b" not in push(code, "feature", code=1).replace("drops/**", "")
    assert "no-drops" in push(code, "feature:third", code=1)


def test_a_new_branch_that_merged_what_the_remote_has(code: Desk) -> None:
    code.git("switch", "-qc", "feature")
    unchecked_commit(code, "src/a")
    code.git("switch", "-q", "main")
    unchecked_commit(code, "drops/a")
    push(code, "--no-verify", "main")
    code.git("switch", "-q", "feature")
    code.git("merge", "-q", "--no-verify", "--no-edit", "main")
    assert push(code, "feature") == ""
    # To undo in a merge what the other side did is a change of one's own.
    code.git("reset", "-q", "--hard", "HEAD^")
    code.git("merge", "-q", "--no-verify", "--no-edit", "-s", "ours", "main")
    assert "no-drops" in push(code, "feature:undone", code=1)


def test_a_history_that_is_all_new(code: Desk) -> None:
    git(code.root.parent, "init", "-q", "--bare", "-b", "main", "empty.git")
    code.git("remote", "set-url", "origin", "../empty.git")
    code.git("update-ref", "-d", "refs/remotes/origin/main")
    unchecked_commit(code, "drops/a")
    assert "no-drops" in push(code, "main", code=1)
    code.git("switch", "-q", "--orphan", "fresh")
    change(code, "src/a")
    git(code.root, "commit", "-qm", "fresh")
    assert push(code, "fresh") == ""


def test_deletions_bring_nothing(code: Desk) -> None:
    push(code, "main:feature")
    unchecked_commit(code, "drops/a")
    assert push(code, ":feature") == ""


def test_tags_of_commits_and_of_other_things(code: Desk) -> None:
    unchecked_commit(code, "drops/a")
    code.git("tag", "light")
    code.git("tag", "-a", "heavy", "-m", "heavy")
    code.git("tag", "tree", "HEAD^{tree}")
    assert "no-drops" in push(code, "light", code=1)
    assert "no-drops" in push(code, "heavy", code=1)
    assert push(code, "tree") == ""
    code.git("tag", "old", "origin/main")
    assert push(code, "old") == ""


def test_several_refs_are_one_answer(code: Desk) -> None:
    code.git("switch", "-qc", "one")
    unchecked_commit(code, "migrations/a")
    code.git("switch", "-qc", "two", "main")
    unchecked_commit(code, "migrations/b")
    printed = push(code, "one", "two")
    assert printed.count("this failed before") == 1
    code.git("switch", "-qc", "three", "main")
    unchecked_commit(code, "drops/b")
    assert "no-drops" in push(code, "one:four", "three", ":two", code=1)


def test_a_forced_push(code: Desk) -> None:
    unchecked_commit(code, "src/a")
    push(code, "main")
    code.git("reset", "-q", "--hard", "HEAD^")
    unchecked_commit(code, "src/b")
    assert push(code, "--force", "main") == ""
    code.git("reset", "-q", "--hard", "HEAD^")
    unchecked_commit(code, "drops/b")
    assert "no-drops" in push(code, "--force", "main", code=1)
    # What the remote has is not here: then all counts that no remote-tracking branch has.
    other = code.root.parent / "other"
    git(code.root.parent, "clone", "-q", "remote.git", "other")
    put(other, "x", "x")
    git(other, "add", "-A")
    git(other, "commit", "-qm", "elsewhere")
    git(other, "push", "-q")
    assert "no-drops" in push(code, "--force", "main", code=1)
    code.git("reset", "-q", "--hard", "origin/main")
    unchecked_commit(code, "src/c")
    assert push(code, "--force", "main") == ""


def test_a_local_name_with_spaces_and_odd_paths(code: Desk) -> None:
    for name in ("with space", 'a"b', "new\nline", "ünï-漢字", "\udcff"):
        code.put(f"drops/{name}", "x")
    code.git("add", "-A")
    code.git("commit", "-qm", "odd names here", "--no-verify")
    assert "no-drops" in push(code, ":/odd names:refs/heads/main", code=1)


def test_from_other_places(code: Desk) -> None:
    unchecked_commit(code, "drops/sub/a")
    assert "no-drops" in push(code.at("drops/sub"), "main", code=1)
    printed = git(code.root.parent, "-C", "code", "push", "origin", "main", code=1)
    assert "no-drops" in printed
    code.git("worktree", "add", "-q", "../linked", "-b", "linked")
    assert "no-drops" in push(code.at("../linked"), "linked", code=1)
    code.git("switch", "-q", "--detach")
    assert "no-drops" in push(code, "HEAD:refs/heads/detached", code=1)
    tied = (f"--git-dir={code.root}/.git", f"--work-tree={code.root}")
    code.git("remote", "set-url", "origin", f"{code.root.parent}/remote.git")
    assert "no-drops" in git(code.root.parent, *tied, "push", "origin", "main", code=1)


def test_a_shallow_clone(code: Desk) -> None:
    for number in range(3):
        unchecked_commit(code, f"src/{number}")
    push(code, "main")
    remote = f"file://{code.root.parent}/remote.git"
    git(code.root.parent, "clone", "-q", "--depth=1", remote, "shallow")
    shallow = code.at("../shallow")
    shallow.ok("hooks", "install", "--vault", "../notes", "--project", "atlas")
    unchecked_commit(shallow, "src/x")
    assert push(shallow, "main") == ""
    unchecked_commit(shallow, "drops/x")
    assert "no-drops" in push(shallow, "main", code=1)


def test_what_cannot_be_checked_goes_on(code: Desk) -> None:
    (code.root.parent / "notes").rename(code.root.parent / "elsewhere")
    unchecked_commit(code, "drops/a")
    printed = push(code, "main")
    assert printed.startswith("doll: NOT CHECKED: git config doll.vault names")
    assert printed.endswith("doll: the push goes on")
    unchecked_commit(code, "drops/b")
    code.git("config", "doll.strict", "true")
    printed = push(code, "main", code=1)
    assert f"doll: the push is stopped (doll.strict); {PAST}" in printed


def test_the_rest_of_the_hook_reads_the_same(code: Desk) -> None:
    hook = code.root / ".git/hooks/pre-push"
    text = (
        '#!/bin/sh\nwhile read -r a b c d; do echo "$a|$b|$c|$d" >>seen; done\necho "$@" >>seen\n'
    )
    hook.write_text(text)
    push(code, "main:one", "main:two")
    without = code.read("seen")
    push(code, ":one", ":two")
    (code.root / "seen").unlink()
    code.ok("hooks", "install")
    push(code, "main:one", "main:two")
    assert code.read("seen") == without
    (code.root / "seen").unlink()
    git(code.root, "push", "-q", "origin", "main")  # nothing to push: an empty input
    assert code.read("seen") == "origin ../remote.git\n"


def test_by_hand_and_input_that_is_not_git_s(code: Desk) -> None:
    assert code.ok("hooks", "run", "pre-push", "origin", "x").err == ""
    result = code.doll("hooks", "run", "pre-push", stdin=b"one two three\n")
    assert result.code == 2
    oid = unchecked_commit(code, "drops/a")
    line = f"refs/heads/main {oid} refs/heads/main {'0' * 40}\n"
    result = code.doll("hooks", "run", "pre-push", stdin=line.encode())
    assert result.code == 1
    base = code.git("rev-parse", "origin/main")
    framework = {
        "PRE_COMMIT": "1",
        "PRE_COMMIT_FROM_REF": base,
        "PRE_COMMIT_TO_REF": oid,
        "PRE_COMMIT_REMOTE_BRANCH": "refs/heads/main",
    }
    assert code.under(**framework).doll("hooks", "run", "pre-push").code == 1
    # A history that is all new: then it names no ids.
    framework |= {"PRE_COMMIT_FROM_REF": "", "PRE_COMMIT_TO_REF": ""}
    framework["PRE_COMMIT_LOCAL_BRANCH"] = "refs/heads/main"
    assert code.under(**framework).doll("hooks", "run", "pre-push").code == 1


@pytest.fixture
def home(pair: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    """The vault's own repository with the hooks, and a remote that has all of it."""
    shutil.copytree(pair / "notes", tmp_path / "notes")
    desk = Desk(tmp_path / "notes", capsys)
    desk.ok("hooks", "install", "--vault", ".")
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "remote.git")
    desk.git("remote", "add", "origin", "../remote.git")
    desk.git("push", "-q", "origin", "main")
    return desk


def test_the_vault_s_own_commits_are_judged_as_a_server_would(home: Desk) -> None:
    home.put("confirmed/x.md", "---\ntitle: X\n---\n")
    home.git("add", "-A")
    home.git("commit", "-qm", "x", "--no-verify")
    assert push(home, "main") == ""
    home.put(f"experience/atlas/{NAME}.md", FAILURE.replace("failed", "worked"))
    home.git("commit", "-qam", "rewrite", "--no-verify")
    printed = push(home, "main", code=1)
    assert "[experience.changed]" in printed
    assert f"doll: mend the commits, then push again; {PAST}" in printed.splitlines()


def test_a_push_to_a_url_judges_what_the_push_brings(home: Desk) -> None:
    home.git("switch", "-qc", "feature", "HEAD^")
    home.put("confirmed/x.md", "---\ntitle: X\n---\n")
    home.git("add", "-A")
    home.git("commit", "-qm", "x", "--no-verify")
    assert git(home.root, "push", "-q", "../remote.git", "feature") == ""
    home.git("rm", "-q", "confirmed/x.md")
    home.put(f"experience/atlas/{NAME}.md", FAILURE)
    home.git("add", "-A")
    home.git("commit", "-qm", "y", "--no-verify")
    home.git("rm", "-q", f"experience/atlas/{NAME}.md")
    home.git("commit", "-qm", "z", "--no-verify")
    url = str(home.root.parent / "remote.git")
    assert "[experience.removed]" in git(home.root, "push", "-q", url, "feature", code=1)


def test_the_vault_s_branch_deleted_or_taken_back(home: Desk) -> None:
    first = home.git("rev-parse", "HEAD^")
    assert "[push.forced]" in push(home, "--force", f"{first}:main", code=1)
    git(home.root.parent / "remote.git", "symbolic-ref", "HEAD", "refs/heads/elsewhere")
    printed = push(home, ":main")
    assert "refs/heads/main: warning: this push deletes main, the vault's branch" in printed


@pytest.fixture
def mixed(pair: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    """A code repository with the vault in its folder `notes`, the hooks, and a remote."""
    code = make(tmp_path / "code")
    shutil.copytree(pair / "notes", code / "notes", ignore=shutil.ignore_patterns(".git"))
    git(code, "add", "-A")
    git(code, "commit", "-qm", "notes")
    desk = Desk(code, capsys)
    desk.ok("hooks", "install", "--vault", "notes", "--project", "atlas")
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "remote.git")
    desk.git("remote", "add", "origin", "../remote.git")
    desk.git("push", "-q", "origin", "main")
    return desk


def test_a_push_does_not_repeal_what_it_is_judged_by(mixed: Desk) -> None:
    (mixed.root / "notes/authority/policies/no-drops.md").unlink()
    mixed.git("commit", "-qam", "repeal", "--no-verify")
    unchecked_commit(mixed, "drops/a")
    printed = push(mixed, "main", code=1)
    assert "no-drops" in printed
    assert "push that commit first" in printed
    assert push(mixed, "main^:main") == ""
    assert push(mixed, "main") == ""


def test_a_feature_branch_pushed_in_parts_lifts_no_block(mixed: Desk) -> None:
    mixed.git("switch", "-qc", "feature")
    (mixed.root / "notes/authority/policies/no-drops.md").unlink()
    mixed.git("commit", "-qam", "repeal", "--no-verify")
    assert push(mixed, "feature") == ""
    unchecked_commit(mixed, "drops/a")
    assert "no-drops" in push(mixed, "feature", code=1)


def test_a_mixed_push_is_judged_by_both(mixed: Desk) -> None:
    mixed.put("notes/authority/policies/new.md", POLICY.replace("deny", "dany"))
    unchecked_commit(mixed, "migrations/a")
    printed = push(mixed, "main", code=1)
    assert "authority/policies/new.md:2" in printed
    assert "this failed before" in printed
