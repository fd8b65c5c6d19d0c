"""Completion at a shell: ids by Tab, from names alone, and never a message."""

import os
import subprocess
import sys

import pytest

from tests.desk import Desk

pytestmark = pytest.mark.sampled(4)

ENTRY = (
    "---\nproject: atlas\nkind: lesson\nassertion: user_recorded\nat: 2026-08-20T14:32:05Z\n"
    "summary: x\n---\n"
)
LESSON = "20260820T143205Z-lesson-x-k3v9q2xw7d"


def complete(desk: Desk, *words: str) -> list[str]:
    """Return the completions of the last word; nothing may stand on stderr."""
    line = " ".join(["doll", *words])
    told = {"COMP_WORDS": line, "COMP_CWORD": str(len(words)), "_DOLL_COMPLETE": "bash_complete"}
    done = subprocess.run(
        [sys.executable, "-c", "from doll.cli import run; import sys; sys.exit(run([]))"],
        cwd=desk.root,
        env={**os.environ, **told},
        capture_output=True,
        check=False,
    )
    assert done.stderr == b""
    assert done.returncode == 0
    found = done.stdout.decode().splitlines()
    return [each.removeprefix("plain,") for each in found if each.startswith("plain,")]


@pytest.fixture
def stocked(desk: Desk) -> Desk:
    desk.put("confirmed/espresso.md", "---\ntitle: E\n---\n")
    desk.put("confirmed/broken.md", "---\nbroken: [\n---\n")
    desk.put("confirmed/line\nbreak.md", "---\ntitle: L\n---\n")
    desk.put("authority/work-items/w1.md", "---\nproject: atlas\nstatus: ready\n---\n")
    desk.put(f"experience/atlas/{LESSON}.md", ENTRY)
    desk.put("staging/pam/mine/tea-01234567.md", "---\nschema: doll/memory/1\n---\n")
    desk.put("staging/pam/mine/_import.md", "---\n---\n")
    desk.put("staging/pam/line\nbreak/_import.md", "---\n---\n")
    return desk


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("show", ""), ["atlas", "broken", "espresso", "garden", "w1", LESSON]),
        (("show", "ES"), ["espresso"]),
        (("show", "mine/"), ["mine/tea-01234567"]),
        (("correct", ""), [LESSON]),
        (("confirm", "2026"), [LESSON]),
        (("feedback", "es"), ["espresso"]),
        (("feedback", "espresso", "2026"), [LESSON]),
        (("duplicates", "judge", "es"), ["espresso"]),
        (("review", "show", ""), ["mine/tea-01234567"]),
        (("review", "diff", "m"), ["mine/tea-01234567"]),
        (("review", "approve", "mine"), ["mine/tea-01234567"]),
        (("review", "reject", "x"), []),
        (("imports", "show", ""), ["mine"]),
        (("imports", "drop", "MI"), ["mine"]),
        (("imports", "drop", "x"), []),
        (("log", "lesson", "x", "--project", "a"), ["atlas"]),
        (("log", "lesson", "x", "--work-item", ""), ["w1"]),
        (("log", "lesson", "x", "--resolves", ""), [LESSON]),
        (("new", "work-item", "--project", "g"), ["garden"]),
        (("list", "--project", ""), ["atlas", "garden"]),
        (("recall", "--project", "g"), ["garden"]),
        (("recall", "--outcome", "f"), ["failed"]),
        (("list", "--type", "po"), ["policy"]),
        (("new", "mem"), ["memory"]),
        (("preflight", "--project", ""), ["atlas", "garden"]),
        (("hooks", "install", "--project", ""), ["atlas", "garden"]),
        (("edit", ""), ["atlas", "broken", "espresso", "garden", "w1"]),
        (("mv", "e"), ["espresso"]),
        (("work", "block", ""), ["w1"]),
        (("work", "un"), ["unblock"]),
        (("nothing", "x"), []),
        (("log", "wrong", "x", "--project", "a"), ["atlas"]),
    ],
)
def test_what_is_completed(stocked: Desk, words: tuple[str, ...], found: list[str]) -> None:
    assert sorted(complete(stocked, *words)) == sorted(found)


def test_the_vault_that_is_named_counts(stocked: Desk) -> None:
    outside = stocked.at("..")
    assert complete(outside, "show", "--vault", "notes", "esp") == ["espresso"]
    named = ("review", "--vault", "notes", "show", "")
    assert complete(outside, *named) == ["mine/tea-01234567"]
    assert complete(outside, "show", "--vault", "nowhere", "") == []
    assert complete(outside, "show", "") == []


def test_nothing_is_written(stocked: Desk) -> None:
    before = stocked.files()
    complete(stocked, "show", "")
    assert stocked.files() == before
    assert not (stocked.root / ".doll/cache").exists()
