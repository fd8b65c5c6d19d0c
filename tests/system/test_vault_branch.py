"""The vault's branch where it is known only from remotes: whose commit is accepted."""

from pathlib import Path
from typing import Any

import pytest

from tests.desk import Desk
from tests.gitbox import git

pytestmark = pytest.mark.sampled(4)

DENY = "---\neffect: deny\nactions: db.drop\n---\n"
POLICY = "authority/policies/no.md"


@pytest.fixture
def clone(desk: Desk, tmp_path: Path) -> Desk:
    """A clone on the branch `feature`, which lifts the block; `main` is at its remote only."""
    desk.put(POLICY, DENY)
    desk.git("add", "-A")
    desk.git("commit", "-qm", "rule")
    desk.git("switch", "-qc", "feature")
    desk.git("rm", "-q", POLICY)
    desk.git("commit", "-qm", "lift")
    git(tmp_path, "clone", "-q", "-b", "feature", "notes", "clone")
    return desk.at("../clone")


def asked(desk: Desk, code: int) -> Any:
    found = desk.doll("preflight", "--action", "db.drop", "--json")
    assert found.code == code, found.out
    return found.json


@pytest.mark.sampled(6)
@pytest.mark.parametrize("remote", ["origin", "upstream", "team/a", "a.b"])
@pytest.mark.parametrize("pinned", [True, False])
def test_a_remote_of_any_name(clone: Desk, remote: str, pinned: bool) -> None:
    if remote != "origin":
        clone.git("remote", "rename", "origin", remote)
    if pinned:
        clone.git("config", "doll.branch", "main")
    report = asked(clone, 1)
    assert report["status"] == "blocked"
    assert report["accepted_commit"] == clone.git("rev-parse", f"refs/remotes/{remote}/main")


def test_a_branch_of_another_name_behind_a_slash_is_not_it(clone: Desk) -> None:
    clone.git("update-ref", "refs/remotes/origin/x/main", "HEAD")
    clone.git("remote", "rename", "origin", "upstream")
    assert asked(clone, 1)["status"] == "blocked"


@pytest.mark.parametrize("remote", ["origin", "upstream", "team/a"])
@pytest.mark.parametrize("branch", ["main", "feature"])
def test_the_branch_that_was_there_before_they_parted_decides(
    desk: Desk, tmp_path: Path, remote: str, branch: str
) -> None:
    """A pushed branch that says it is the vault's neither lifts nor silences."""
    desk.put(POLICY, DENY)
    desk.git("add", "-A")
    desk.git("commit", "-qm", "rule")
    desk.git("switch", "-qc", "feature")
    desk.git("rm", "-q", POLICY)
    desk.put("doll.yaml", desk.read("doll.yaml").replace("branch: main", "branch: feature"))
    desk.git("commit", "-qam", "take over")
    desk.git("switch", "-q", "main")
    git(tmp_path, "clone", "-q", "-o", remote, "-b", branch, "notes", "clone")
    clone = desk.at("../clone")
    report = asked(clone, 1)
    assert report["status"] == "blocked"
    assert report["accepted_commit"] == desk.git("rev-parse", "main")


def test_remotes_that_differ(clone: Desk) -> None:
    clone.git("config", "doll.branch", "main")
    clone.git("remote", "add", "fork", "../notes")
    clone.git("update-ref", "refs/remotes/fork/main", "HEAD")
    # `origin` is where the clone is from: it decides.
    assert asked(clone, 1)["status"] == "blocked"
    clone.git("remote", "rename", "origin", "upstream")
    (problem,) = asked(clone, 3)["problems"]
    assert (
        "the vault's branch 'main' is not here, and differs at fork and upstream"
        in (problem["message"])
    )
    clone.type(problem["hint"].splitlines()[1])
    assert asked(clone, 1)["status"] == "blocked"


def test_remotes_that_agree(clone: Desk) -> None:
    clone.git("remote", "rename", "origin", "upstream")
    clone.git("remote", "add", "fork", "../notes")
    clone.git("update-ref", "refs/remotes/fork/main", "refs/remotes/upstream/main")
    clone.git("remote", "add", "empty", "../nowhere")
    assert asked(clone, 1)["status"] == "blocked"


@pytest.mark.parametrize("way", ["--detach", "-c feature"])
def test_a_later_denial_on_the_branch_counts_where_head_is_off_it(desk: Desk, way: str) -> None:
    desk.git("commit", "-q", "--allow-empty", "-m", "before")
    desk.put("authority/policies/later.md", "---\neffect: deny\nactions: db.drop\n---\n")
    desk.git("add", "-A")
    desk.git("commit", "-q", "-m", "deny")
    desk.git("switch", "-q", *way.split(), "HEAD~1")
    command = ("preflight", "--project", "atlas", "--action", "db.drop", "--json")
    report = desk.doll(*command).json
    assert (report["status"], report["codes"]) == ("blocked", {"policy.denied": 1})
    assert report["accepted_commit"] == desk.git("rev-parse", "HEAD")


def test_what_the_branch_permits_since_lifts_nothing(desk: Desk) -> None:
    desk.put("authority/policies/early.md", "---\neffect: deny\nactions: db.drop\n---\n")
    desk.git("add", "-A")
    desk.git("commit", "-q", "-m", "deny")
    desk.git("rm", "-q", "authority/policies/early.md")
    desk.git("commit", "-q", "-m", "allow")
    desk.git("switch", "-q", "--detach", "HEAD~1")
    command = ("preflight", "--project", "atlas", "--action", "db.drop", "--json")
    assert desk.doll(*command).json["status"] == "blocked"
