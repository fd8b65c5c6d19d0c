"""A vault that requires signatures, which nothing checks yet: nobody may take it for met."""

from pathlib import Path

import pytest

from tests.desk import Desk, make_vault
from tests.gitbox import make

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
    assert notes.doll(*asked, "--draft").code == 3
    notes.git("commit", "-qam", "required")
    found = notes.doll(*asked, "--json")
    assert (found.code, found.json["status"]) == (3, "not_checked")
    assert [problem["code"] for problem in found.json["problems"]] == ["settings.unsupported"]
    assert "cannot check signatures yet" in found.json["problems"][0]["message"]
    assert notes.doll("preflight", "--project", "atlas", "--action", "db.drop").code == 1


def test_a_hook_says_so_and_goes_on_unless_strict(notes: Desk) -> None:
    require(notes)
    notes.git("commit", "-qam", "required")
    code = notes.at("../code")
    code.put("a", "a")
    code.git("add", "-A")
    result = code.ok("hooks", "run", "pre-commit")
    assert result.err.startswith("doll: NOT CHECKED: doll.yaml:5: `authority.signed` is required")
    assert "cannot check signatures yet" in result.err
    code.git("config", "doll.strict", "true")
    assert code.doll("hooks", "run", "pre-commit").code == 1


def test_validate_names_it(notes: Desk) -> None:
    require(notes)
    result = notes.doll("validate")
    assert result.code == 1
    assert "doll.yaml:5:11: error: " in result.out + result.err
    assert "[settings.unsupported]" in result.out + result.err
    notes.git("add", "-A")
    assert notes.doll("validate", "--staged").code == 1


def test_the_rest_of_the_vault_goes_on_working(notes: Desk) -> None:
    require(notes)
    notes.git("commit", "-qam", "required")
    notes.ok("status")
    notes.ok("log", "attempt", "It worked", "--project", "atlas", "--commit")
