"""The hook in the vault's own repository, in one that holds the vault, and beside a parent's."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.desk import Desk
from tests.gitbox import git, make
from tests.hook_desk import (
    ASK,
    FAILURE,
    NAME,
    POLICY,
    assert_warned,
    change,
    commit,
)

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(6)


def test_the_vaults_own_commits_are_judged_by_validate_alone(home: Desk) -> None:
    home.put("confirmed/x.md", "---\ntitle: X\n---\n")
    home.git("add", "-A")
    assert commit(home) == ""
    home.put("authority/policies/no-drops.md", POLICY.replace("deny", "dany"))
    home.git("add", "-A")
    printed = commit(home, code=1)
    assert printed.startswith("doll: authority/policies/no-drops.md:2:")
    assert "[field.value]" in printed
    assert "git commit --no-verify" in printed
    home.git("rm", "-qf", "authority/policies/no-drops.md")  # repealed
    assert commit(home) == ""
    home.put("confirmed/y.md", "\ufeff---\ntitle: Y\n---\n")
    home.git("add", "-A")
    assert "warning: the file begins with a byte order mark" in commit(home)


def test_the_vaults_own_broken_record_can_be_mended(home: Desk) -> None:
    home.put("authority/policies/no-drops.md", POLICY.replace("deny", "dany"))
    home.git("commit", "-qam", "broken", "--no-verify")
    home.put("confirmed/x.md", "---\ntitle: X\n---\n")
    home.git("add", "confirmed/x.md")
    assert commit(home) == ""
    home.put("authority/policies/no-drops.md", POLICY)
    home.git("add", "-A")
    assert commit(home) == ""


def test_a_vault_inside_the_code_repository(mixed: Desk) -> None:
    change(mixed, "migrations/a")
    assert_warned(commit(mixed), "migrations/a")
    change(mixed, "drops/a")
    assert "no-drops" in commit(mixed, code=1)
    # Repealing the policy in the same commit does not help it: it is not accepted yet.
    mixed.git("rm", "-q", "notes/authority/policies/no-drops.md")
    assert "no-drops" in commit(mixed, code=1)
    mixed.git("reset", "-q", "drops")
    assert commit(mixed) == ""
    mixed.git("add", "drops")
    assert commit(mixed) == ""


@pytest.mark.parametrize("prefix", ["", "notes/"])
def test_what_is_no_part_of_the_vault_is_code(
    prefix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The vault may be the top of a code repository, or have code in its folder."""
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "remote.git")
    home = Desk(make(tmp_path / "code"), capsys)
    home.ok("init", prefix or ".")
    no = "effect: deny\ntitle: No\npaths: ['**/src/**', '**/.gitignore', '**/doll.yaml']"
    home.put(f"{prefix}authority/policies/no.md", f"---\n{no}\n---\n")
    home.git("add", "-A")
    home.git("commit", "-qm", "vault")
    home.git("push", "-q", "../remote.git", "main")
    home.ok("hooks", "install", "--vault", prefix or ".")
    change(home, f"{prefix}src/a")
    assert "denies this: No" in commit(home, code=1)
    assert "denies this: No" in home.doll("preflight", "--staged").out
    home.git("commit", "-qnm", "around the hook")
    assert "denies this: No" in home.doll("preflight", "--range", "HEAD~1..HEAD").out
    assert "denies this: No" in git(home.root, "push", "../remote.git", "main", code=1)
    home.git("reset", "-q", "--hard", "HEAD~1")
    change(home, f"{prefix}.gitignore")
    assert "denies this: No" in commit(home, code=1)
    home.git("reset", "-q", "--hard")
    # No policy stops what the vault is made of: nothing could repeal it.
    home.put(f"{prefix}doll.yaml", home.read(f"{prefix}doll.yaml") + "# said\n")
    home.put(f"{prefix}confirmed/src/a.md", "---\ntitle: A\n---\n")
    home.git("add", "-A")
    assert commit(home) == ""


def test_a_mixed_commit_is_judged_by_both(mixed: Desk) -> None:
    change(mixed, "src/a")
    mixed.put("notes/confirmed/x.md", "---\n")
    mixed.put(f"notes/experience/atlas/{NAME}.md", FAILURE.replace("failed", "worked"))
    mixed.git("add", "-A")
    printed = commit(mixed, code=1)
    assert "doll: confirmed/x.md:1:1: error" in printed
    assert "[experience.changed]" in printed
    mixed.put(f"notes/experience/atlas/{NAME}.md", FAILURE)
    mixed.put("notes/confirmed/x.md", "---\ntitle: X\n---\n")
    change(mixed, "migrations/a")
    assert_warned(commit(mixed), "migrations/a")


def test_a_mixed_commit_that_mends_what_is_broken_goes_on(mixed: Desk) -> None:
    path = "notes/authority/policies/ask.md"
    mixed.put(path, ASK.replace("effect", "efect"))
    mixed.git("commit", "-qam", "broken", "--no-verify")
    change(mixed, "src/a")
    assert "ask.md" in commit(mixed, code=1)
    mixed.put(path, ASK)
    mixed.git("add", path)
    printed = commit(mixed)
    assert "nobody has checked it" in printed
    change(mixed, "src/b")
    assert commit(mixed) == ""


def test_a_feature_branch_of_the_code_lifts_no_block(mixed: Desk) -> None:
    mixed.git("switch", "-qc", "feature")
    mixed.git("rm", "-q", "notes/authority/policies/no-drops.md")
    assert commit(mixed) == ""
    change(mixed, "drops/a")
    assert "no-drops" in commit(mixed, code=1)


def test_a_linked_work_tree_has_its_own_vault(mixed: Desk) -> None:
    mixed.git("worktree", "add", "-q", "../linked")
    linked = mixed.at("../linked")
    change(linked, "migrations/a")
    assert_warned(commit(linked), "migrations/a")
    linked.put(f"notes/experience/atlas/{NAME}.md", "")
    linked.git("add", "-A")
    assert "[experience.changed]" in commit(linked, code=1)


def test_a_vault_in_a_parent_folder(pair: Path, tmp_path: Path, desk: Desk) -> None:
    shutil.copytree(pair / "notes", tmp_path / "all")
    inner = desk.at("../all/code")
    make(inner.root)
    inner.ok("hooks", "install", "--vault", "..", "--project", "atlas")
    for name in ("vault", "vaultId"):
        inner.git("config", "--unset", f"doll.{name}")
    change(inner, "migrations/a")
    assert_warned(commit(inner), "migrations/a")


def test_the_hook_runs_without_doll_on_the_path(code: Desk) -> None:
    change(code, "drops/a")
    places = os.environ["PATH"].split(":")
    path = ":".join(place for place in places if not (Path(place) / "doll").exists())
    assert code.git("config", "doll.python") == sys.executable
    assert "no-drops" in git(code.root, "commit", "-qm", "x", code=1, PATH=path)
