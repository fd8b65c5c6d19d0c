"""A guarded server of a vault that asks for signatures."""

from pathlib import Path

from tests.gitbox import git
from tests.signing import ADVISE, NEEDS_SSH, POLICY, Signer
from tests.system.test_receive import Team

pytestmark = NEEDS_SSH


def guard(ada: Signer, folder: Path) -> Team:
    """Return the vault's guarded server, which trusts the same keys."""
    server = folder / "server.git"
    git(folder, "clone", "-q", "--bare", str(ada.desk.root), str(server))
    ada.desk.git("remote", "add", "origin", str(server))
    ada.desk.git("fetch", "-q", "origin")
    ada.desk.at(str(server)).ok("hooks", "install", "--bare")
    git(server, "config", "doll.allowedSigners", ada.desk.git("config", "doll.allowedSigners"))
    return Team(ada.desk, server)


def test_what_is_signed_is_taken_and_what_is_not_is_refused(ada: Signer, tmp_path: Path) -> None:
    team = guard(ada, tmp_path)
    ada.signed((POLICY, ADVISE))
    team.push()
    by = ada.plain((POLICY, None))
    said = team.refused()
    assert f"  {POLICY}: commit {by[:12]} " in said
    assert "[authority.not_signed]" in said
    team.reset()
    ada.plain(("confirmed/a.md", "---\ntitle: A\n---\n"))
    team.push()


def test_an_unsigned_push_cannot_lift_what_the_signed_settings_ask(
    ada: Signer, tmp_path: Path
) -> None:
    team = guard(ada, tmp_path)
    text = ada.desk.read("doll.yaml").replace("required", "off")
    ada.plain(("doll.yaml", text), (POLICY, ADVISE))
    said = team.refused()
    assert "  doll.yaml: " in said
    assert f"  {POLICY}: " in said


def test_without_trusted_keys_nothing_is_taken(ada: Signer, tmp_path: Path) -> None:
    team = guard(ada, tmp_path)
    git(team.server, "config", "--unset", "doll.allowedSigners")
    ada.signed((POLICY, ADVISE))
    said = git(ada.desk.root, "push", "origin", "main", code=1)
    assert "NOT CHECKED: the vault requires signatures, and they cannot be checked here" in said
    assert "nothing is taken unchecked" in said
    git(team.server, "config", "doll.strict", "false")
    assert "NOT CHECKED" in team.push()
