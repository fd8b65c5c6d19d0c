"""`--commit` makes no commit whose references resolve in the work tree alone."""

import shlex
import sys
from pathlib import Path

import pytest

from doll.records.digest import sha256
from tests.desk import Desk

pytestmark = pytest.mark.sampled(4)

ITEM = ("new", "work-item", "split", "--title", "Split", "--project", "map")
LOG = ("log", "attempt", "It locked", "--project", "map", "--outcome", "failed")


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """A vault with a project that is not committed."""
    desk.ok("new", "project", "map", "--title", "Map")
    return desk


def refused(desk: Desk, *arguments: str, name: str = "map", stdin: bytes = b"") -> None:
    """Hold a command to being refused, and to what it says to type; then it is done."""
    err = desk.refused(5, *arguments, stdin=stdin)
    assert f"{name} is not committed yet" in err
    (line,) = (line.strip() for line in err.splitlines() if line.startswith("  git "))
    desk.type(line)
    desk.ok(*arguments, stdin=stdin)
    assert "??" not in desk.git("status", "--short")
    assert desk.doll("preflight", "--project", "map").code in (0, 1)


@pytest.mark.parametrize("arguments", [ITEM, LOG])
def test_what_names_an_uncommitted_record_waits_for_it(
    desk: Desk, arguments: tuple[str, ...]
) -> None:
    refused(desk, *arguments, "--commit")


def test_entries_wait_for_the_entries_they_follow(desk: Desk) -> None:
    desk.git("add", "authority")
    desk.git("commit", "-qm", "map")
    for verb in (("correct", "It waited"), ("confirm",)):
        path = desk.ok(*LOG).path
        entry = Path(path).stem
        refused(desk, verb[0], entry, *verb[1:], "--commit", name=entry)


def test_work_and_edits_wait_too(desk: Desk) -> None:
    desk.ok(*ITEM, "--set", "status=ready")
    refused(desk, "work", "start", "split", "--commit")
    desk.ok("new", "project", "chart", "--title", "Chart")
    editor = shlex.join([sys.executable, "-c", _EDITOR])
    err = desk.refused(5, "edit", "split", "--commit", GIT_EDITOR=editor)
    assert "chart is not committed yet" in err
    assert "your text is kept at" in err
    lines = [line.strip() for line in err.splitlines()]
    desk.type(next(line for line in lines if line.startswith("git ")))
    again = next(line for line in lines if line.startswith("then this again: "))
    typed = again.removeprefix("then this again: ").split()[1:]
    desk.ok(*typed, GIT_EDITOR="true")
    assert "project: chart" in desk.git("show", "HEAD:authority/work-items/split.md")


_EDITOR = """import sys
path = sys.argv[1]
text = open(path).read().replace("project: map", "project: chart")
open(path, "w").write(text)
"""


def test_all_that_is_named_on_the_way_is_named_at_once(desk: Desk) -> None:
    desk.ok(*ITEM)
    err = desk.refused(5, "new", "work-item", "join", "--title", "J", "--project", "map",
                       "--set", "depends_on=split", "--commit")  # fmt: skip
    assert "map, split are not committed yet, and join names them" in err
    line = next(line.strip() for line in err.splitlines() if line.startswith("  git "))
    desk.type(line)
    assert desk.git("status", "--short") == ""


def test_an_alias_that_only_the_work_tree_has_does_not_count(desk: Desk) -> None:
    desk.git("add", "authority")
    desk.git("commit", "-qm", "map")
    path = "authority/projects/atlas.md"
    desk.put(path, desk.read(path).replace("---\n", "---\naliases: [world]\n", 1))
    desk.put("authority/work-items/split.md", "---\nstatus: ready\nproject: world\n---\n")
    refused(desk, "work", "start", "split", "--commit", name="atlas")
    desk.put(path, desk.read(path) + "more\n")
    desk.ok("work", "done", "split", "--commit")


def test_a_rename_that_is_open_comes_first(desk: Desk) -> None:
    desk.git("add", "authority")
    desk.git("commit", "-qm", "map")
    desk.ok(*ITEM, "--set", "status=ready", "--commit")
    desk.ok("mv", "split", "part")
    err = desk.refused(5, "work", "start", "part", "--commit")
    assert "the rename of split to part is not committed yet" in err
    assert "doll mv split part --commit" in err
    desk.ok("mv", "split", "part", "--commit")
    desk.ok("mv", "map", "chart")
    assert "doll mv map chart --commit" in desk.refused(5, "work", "start", "part", "--commit")
    assert "doll mv map chart --commit" in desk.refused(5, "mv", "part", "piece", "--commit")
    desk.ok("mv", "map", "chart", "--commit")
    desk.ok("work", "start", "part", "--commit")


def test_a_renamed_record_takes_no_uncommitted_one_along_unsaid(desk: Desk) -> None:
    desk.ok(*ITEM)
    refused(desk, "mv", "split", "part", "--commit")


def test_the_line_that_is_told_commits_what_is_named_as_well(desk: Desk) -> None:
    for arguments in (ITEM, LOG):
        err = desk.ok(*arguments).err
        assert "not committed yet and has to go with it: authority/projects/map.md" in err
    desk.type(err.splitlines()[-1])
    assert desk.git("status", "--short") == "?? authority/work-items/"


def test_approving_waits(desk: Desk) -> None:
    desk.ok("new", "memory", "tea", "--title", "Tea")
    text = "---\nschema: doll/memory/1\ntitle: Cup\norigin: model\nrelated: [tea]\n---\n\nGreen.\n"
    desk.put("staging/proposals/cup.md", text)
    desk.git("add", "staging")
    desk.git("commit", "-qm", "propose")
    told = ("--digest", sha256(text.encode()), "--commit")
    err = desk.refused(5, "review", "approve", "proposals/cup", *told)
    assert "tea is not committed yet, and cup names it" in err


@pytest.mark.parametrize("arguments", [ITEM, LOG])
def test_the_hook_says_to_commit_what_is_named(desk: Desk, arguments: tuple[str, ...]) -> None:
    path = desk.ok(*arguments).path
    desk.git("add", path)
    said = desk.doll("validate", "--staged").out
    line = "commit that first, or with this: git add -- authority/projects/map.md"
    assert f"it is in the work tree: {line}" in said
    desk.type(line.partition(": ")[2])
    desk.ok("validate", "--staged")


def test_the_hook_says_what_of_a_rename_is_missing(desk: Desk) -> None:
    desk.git("add", "authority")
    desk.git("commit", "-qm", "map")
    desk.ok("mv", "map", "chart")
    desk.git("restore", "--staged", "authority/projects/map.md")
    said = desk.doll("validate", "--staged").out
    assert "authority/projects/map.md is gone from the work tree: commit its removal" in said
