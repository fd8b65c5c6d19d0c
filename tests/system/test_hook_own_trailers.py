"""The commit-msg hook knows the trailers of the commits that doll itself makes."""

import json

import pytest

from tests.desk import Desk
from tests.gitbox import git
from tests.system.test_duplicates import ORDER, put

pytestmark = pytest.mark.sampled(4)

KEY = "ghp_" + "a8Kd02LmQ5xPz7RtY3wVb6NcJ4hG1fSe9uTi"
MODEL = ("--by", "model:x", "--commit")


@pytest.fixture
def hooked(desk: Desk) -> Desk:
    """A vault whose own commits run every hook of doll's."""
    desk.ok("hooks", "install", "--vault", ".")
    return desk


def message_of(desk: Desk, *arguments: str, stdin: bytes = b"") -> str:
    """Run a command that commits; return the message, once the hook had nothing to say of it."""
    before = desk.git("rev-parse", "HEAD")
    said = desk.ok(*arguments, stdin=stdin).err
    assert "NOT CHECKED" not in said
    assert "nobody has checked" not in said
    assert desk.git("rev-parse", "HEAD^") == before
    return desk.git("log", "-1", "--format=%B")


def test_what_a_model_writes(hooked: Desk) -> None:
    said = json.dumps({"title": "Tea", "body": "Green."}).encode()
    assert "Doll-By: model:x" in message_of(hooked, "propose", "memory", *MODEL, stdin=said)
    line = ("log", "attempt", "Tried it", "--project", "atlas", "--outcome", "failed")
    assert "Doll-By: model:x" in message_of(hooked, *line, *MODEL)


def test_duplicates_that_a_model_proposes(hooked: Desk) -> None:
    put(hooked, "a", "Order", ORDER)
    put(hooked, "b", "Order", ORDER + " ")
    hooked.git("add", "-A")
    hooked.git("commit", "-qm", "two")
    assert "Doll-By: model:x" in message_of(hooked, "duplicates", "--propose", *MODEL)


def test_what_the_user_declares_to_be_no_secret(hooked: Desk) -> None:
    declared = ("--not-a-secret", "github-token:title", "--commit")
    said = message_of(hooked, "new", "memory", "m", "--title", f"tok {KEY}", *declared)
    assert "Doll-Not-A-Secret: github-token:title" in said
    moved = message_of(hooked, "mv", "m", "n", "--commit")
    assert "Doll-Not-A-Secret: github-token" in moved


def test_the_line_that_is_printed_for_it(hooked: Desk) -> None:
    said = json.dumps({"title": "Tea", "body": "Green."}).encode()
    line = ("propose", "memory", "--by", "model:x", "--json")
    printed = hooked.type(hooked.ok(*line, stdin=said).json["next"][0])
    assert "NOT CHECKED" not in printed


def test_an_unknown_one_is_still_said(hooked: Desk) -> None:
    printed = git(hooked.root, "commit", "--allow-empty", "-m", "x\n\nDoll-Bye: model:x\n")
    assert "doll knows no trailer Doll-Bye; did you mean Doll-By?" in printed
