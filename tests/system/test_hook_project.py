"""`doll hooks install --project`: what names no project, with lines that can be typed."""

import shlex

import pytest

from tests.desk import Desk
from tests.gitbox import make


@pytest.fixture
def beside(desk: Desk) -> Desk:
    """The person in a code repository beside the vault, in a folder whose name wants quotes."""
    desk.root.rename(desk.root.parent / "my notes")
    return desk.at(str(make(desk.root.parent / "code")))


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", ["", " ", "../x", "atlas\nx", "-", "a$(b)"])
def test_what_is_no_id(beside: Desk, name: str) -> None:
    said = beside.refused(2, "hooks", "install", "--vault", "../my notes", f"--project={name}")
    first, second = said.rstrip("\n").split("\n")
    assert first.startswith(f"doll: --project: {name!r} is no id: it ")
    assert "atlas" in beside.type(second.strip().partition("    ")[0])
    assert not (beside.root / ".git/hooks/pre-commit").exists()


def test_what_is_not_there_can_be_made(beside: Desk) -> None:
    words = ("hooks", "install", "--vault", "../my notes", "--project", "new one's")
    said = beside.refused(2, *words)
    listing, making = (line.strip().partition("    ")[0] for line in said.splitlines()[1:])
    assert "atlas" in beside.type(listing)
    beside.type(making.replace("…", shlex.quote("New one")))
    said = beside.refused(5, *words)
    beside.type(said.splitlines()[1].strip().partition("    ")[0])
    beside.type("git -C '../my notes' commit -qm new")
    beside.ok(*words)
