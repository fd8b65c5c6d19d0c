"""A push of other branches and of tags to a repository that guards a vault."""

from pathlib import Path

import pytest

from tests.desk import Desk
from tests.gitbox import git
from tests.system.test_receive import POLICY, Team, make_team
from tests.system.test_verify import ENTRY, PATH, commit
from tests.system.test_verify_reviews import HOME, TEXT, reviewed


@pytest.mark.sampled(6)
@pytest.mark.parametrize("kind", ["orphan", "from before the vault", "a tag"])
def test_a_branch_without_a_vault_is_judged_as_well(desk: Desk, tmp_path: Path, kind: str) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    start = desk.git("commit-tree", "-m", "before", desk.git("mktree"))
    desk.git(
        "reset", "-q", "--hard", desk.git("commit-tree", "-m", "vault", "-p", start, "HEAD^{tree}")
    )
    git(tmp_path, "clone", "-q", "--bare", "--single-branch", str(desk.root), "server.git")
    server = tmp_path / "server.git"
    desk.git("remote", "add", "origin", str(server))
    desk.at("../server.git").ok("hooks", "install", "--bare")
    team = Team(desk, server)
    if kind == "from before the vault":
        desk.git("switch", "-qc", "side", start)
    else:
        desk.git("switch", "-q", "--orphan", "side")
    ref = "side:refs/tags/v1" if kind == "a tag" else "side"
    desk.put("index.html", "<p>pages</p>\n")
    desk.put("README.md", "pages\n")
    good = commit(desk, "pages")
    assert "remote:" not in team.push("origin", ref)
    for path, text, code in (
        ("src/config.py", f"TOKEN = {token!r}\n", "secret.found"),
        (HOME, TEXT, "review.missing"),
        (HOME, reviewed(TEXT), "review.digest"),
        (
            "authority/policies/p.md",
            POLICY.replace("effect", "origin: model\neffect"),
            "authority.",
        ),
        ("confirmed/a.md", "no front matter", "frontmatter.missing"),
    ):
        desk.put(path, text)
        commit(desk, "more")
        said = team.refused("-f", "origin", ref)
        assert f"[{code}" in said
        assert token not in said
        desk.git("reset", "-q", "--hard", good)


def test_a_new_branch_is_judged_by_where_it_left_the_vaults(desk: Desk, tmp_path: Path) -> None:
    team = make_team(desk, tmp_path)
    team.clone.git("switch", "-qc", "old")
    team.clone.put("confirmed/a.md", "---\ntitle: A\n---\n")
    commit(team.clone, "old")
    team.clone.git("switch", "-q", "main")
    team.clone.put(PATH.replace("k3v9", "cccc"), ENTRY.format(""))
    commit(team.clone, "main goes on")
    team.push()
    team.push("origin", "old")
