"""A vault that asks for signatures before any commit is signed: nobody may take it for met."""

from pathlib import Path

import pytest

from tests.desk import Desk, make_vault
from tests.gitbox import make

pytestmark = pytest.mark.sampled(4)

SIGNED = "authority:\n  signed: required\n"


@pytest.fixture
def notes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    """A vault, and the repository `code` beside it that belongs to its project atlas."""
    desk = Desk(make_vault(tmp_path / "notes"), capsys)
    desk.put("authority/policies/p.md", "---\neffect: deny\nactions: db.drop\n---\n")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "rule")
    make(tmp_path / "code")
    desk.at("../code").ok("hooks", "install", "--vault", "../notes", "--project", "atlas")
    return desk


def require(desk: Desk, text: str = SIGNED) -> None:
    """Write the setting into `doll.yaml`."""
    desk.put("doll.yaml", desk.read("doll.yaml") + text)


@pytest.mark.parametrize("text", [SIGNED, "review: {signed: required}\n"])
def test_preflight_is_not_checked(notes: Desk, text: str) -> None:
    require(notes, text)
    asked = ("preflight", "--project", "atlas", "--action", "db.read")
    assert notes.doll(*asked).code == 0  # not committed, so it has no say yet
    notes.git("commit", "-qam", "required")
    found = notes.doll(*asked, "--json")
    assert (found.code, found.json["status"]) == (3, "not_checked")
    (problem,) = found.json["problems"]
    assert problem["code"] == "signature.settings"
    assert "no signed commit says so" in problem["message"]
    assert notes.doll("preflight", "--project", "atlas", "--action", "db.drop").code == 1


def test_a_hook_says_so_and_goes_on_unless_strict(notes: Desk) -> None:
    require(notes)
    notes.git("commit", "-qam", "required")
    code = notes.at("../code")
    code.put("a", "a")
    code.git("add", "-A")
    result = code.ok("hooks", "run", "pre-commit")
    assert result.err.startswith("doll: NOT CHECKED: doll.yaml: doll.yaml asks for signatures")
    code.git("config", "doll.strict", "true")
    assert code.doll("hooks", "run", "pre-commit").code == 1


def test_an_unsigned_commit_that_asks_no_longer_is_enough_then(notes: Desk) -> None:
    text = notes.read("doll.yaml")
    require(notes)
    notes.git("commit", "-qam", "required")
    notes.put("doll.yaml", text)
    notes.git("commit", "-qam", "off")
    assert notes.doll("preflight", "--project", "atlas", "--action", "db.read").code == 0


def test_the_rest_of_the_vault_goes_on_working(notes: Desk) -> None:
    require(notes)
    notes.git("commit", "-qam", "required")
    notes.ok("status")
    notes.ok("log", "attempt", "It worked", "--project", "atlas", "--commit")
