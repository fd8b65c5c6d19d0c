"""The lines that a sync prints lead to the vault from wherever they are typed."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.desk import Desk, Result
from tests.gitbox import git, hook
from tests.sync_desk import Two, head, log, memory, synced

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(4)

TYPED = re.compile("(?:git|doll (?:sync|validate)|cd|mv|rm|mkdir|cp)\\b")
BROKEN = "---\ntags: {x\n---\n"


class Away:
    """A person in the root folder, with the vault of `one` named by an option or a variable."""

    def __init__(self, two: Two, capsys: pytest.CaptureFixture[str], by: str) -> None:
        self.two = two
        self.root = str(two.one.root)
        variables = {"DOLL_VAULT": self.root} if by == "variable" else {}
        self.desk = Desk(Path("/"), capsys, variables)
        self.options = ("--vault", self.root) if by == "option" else ()
        # Types lines where no variable names the vault.
        self.plain = Desk(Path("/"), capsys, {"GIT_EDITOR": "sed -i 1iwords"})

    def sync(self, *options: str) -> Result:
        """Sync from there."""
        return self.desk.doll("sync", *options, *self.options)

    def lines(self, *options: str, code: int) -> list[str]:
        """Sync from there, and return all lines to type; each of them says where it works."""
        result = self.sync(*options)
        assert result.code == code, result
        said = [line.strip() for line in (result.out + result.err).splitlines()]
        parts = (part for line in said for part in re.split(" {4,}|[,;:] (?=then |[a-z])", line))
        found = [words for part in parts if TYPED.match(words := part.removeprefix("then "))]
        for line in found:
            # What stands behind a `cd` works there.
            there = line.startswith(f"cd {self.root} && ")
            for command in re.split(r" && | \| ", line) if not there else ():
                self._leads(line, command)
        return found

    def _leads(self, line: str, command: str) -> None:
        words = command.split()
        if words[0] == "git":
            assert words[1] == "-C", line
        elif words[0] == "doll":
            assert f"--vault {self.root}" in command, line
        else:
            assert self.root in line, line

    def type(self, lines: list[str], word: str) -> None:
        """Type the first line with a word in it, there."""
        self.plain.type(next(line for line in lines if word in line))


@pytest.fixture(params=["option", "variable"])
def away(two: Two, capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest) -> Away:
    return Away(two, capsys, request.param)


def commit(desk: Desk) -> None:
    desk.git("add", "-A")
    desk.git("commit", "-qm", "by hand")


def push(desk: Desk) -> None:
    commit(desk)
    desk.git("push", "-q")


def conflicting(two: Two) -> None:
    memory(two.other, "tea", "Theirs.")
    synced(two.other)
    memory(two.one, "tea", "Mine.")


def test_a_conflict(away: Away) -> None:
    conflicting(away.two)
    lines = away.lines(code=5)
    memory(away.two.one, "tea", "Both.")
    away.type(lines, " add ")
    away.type(lines, "sync --continue")
    assert head(away.two.one) == away.two.tip


def test_a_conflict_that_is_dropped(away: Away) -> None:
    conflicting(away.two)
    away.sync()
    lines = away.lines(code=5)
    away.type(lines, "sync --abort")
    assert away.two.one.git("status", "--porcelain") == ""
    away.sync()
    assert away.lines("--abort", code=0) == [f"doll sync --vault {away.root}"]


def test_a_merge_of_the_users_own(away: Away) -> None:
    one = away.two.one
    one.git("switch", "-qc", "topic")
    memory(one, "tea", "Topic.")
    commit(one)
    one.git("switch", "-q", "main")
    memory(one, "tea", "Main.")
    commit(one)
    git(one.root, "merge", "topic", code=1)
    for options in ((), ("--abort",)):
        lines = away.lines(*options, code=5)
    away.type(lines, "merge --abort")
    assert away.sync().code == 0


def test_files_that_are_held_back_or_left(away: Away) -> None:
    one = away.two.one
    entry, gone = log(one, "Kept"), log(one, "Gone")
    tea = memory(one, "tea")
    synced(one)
    one.put(entry, one.read(entry) + "More.\n")
    (one.root / gone).unlink()
    one.put("confirmed/Bad Name!.md", one.read(tea))
    one.put("confirmed/link.md", "")
    (one.root / "confirmed/link.md").unlink()
    (one.root / "confirmed/link.md").symlink_to("tea.md")
    git(one.root, "init", "-q", "confirmed/inner")
    git(one.root / "confirmed/inner", "commit", "-q", "--allow-empty", "-m", "x")
    one.put("experience/notes.txt", "no record")
    one.put("authority/projects/new.md", one.read("authority/projects/atlas.md"))
    for options in ((), ("--dry-run",)):
        lines = away.lines(*options, code=1)
    for word in ("mv -n ", ".git.away", "link.md", "authority/projects/new.md", gone, entry):
        away.type(lines, word)
    result = away.sync()
    assert "held back" not in result.out, result
    assert "yours to commit" not in result.out


def test_many_that_are_held_back(away: Away) -> None:
    for number in range(30):
        away.two.one.put(f"confirmed/broken {number}.md", BROKEN)
    assert f"doll validate --vault {away.root}" in away.lines(code=1)


def test_most_records_are_missing(away: Away) -> None:
    for number in range(30):
        memory(away.two.one, f"memory {number}")
    synced(away.two.one)
    for number in range(30):
        (away.two.one.root / f"confirmed/memory {number}.md").unlink()
    lines = away.lines(code=5)
    away.type(lines, "sync --allow-mass-delete")
    assert away.two.one.git("ls-files", "confirmed") == ""


def test_a_commit_that_is_not_what_was_judged(away: Away) -> None:
    script = f"#!/bin/sh\nprintf -- '{BROKEN}' >'{away.root}/confirmed/tea.md'\ngit add -A\n"
    hook(away.two.one.root, script)
    before = head(away.two.one)
    memory(away.two.one, "tea")
    away.type(away.lines(code=1), "reset --soft")
    assert head(away.two.one) == before


def staged(two: Two) -> None:
    memory(two.other, "theirs")
    push(two.other)
    two.one.put("authority/projects/new.md", two.one.read("authority/projects/atlas.md"))
    two.one.git("add", "authority")
    memory(two.one, "mine")


def in_the_way(two: Two) -> None:
    path = "authority/projects/atlas.md"
    two.other.put(path, two.other.read(path) + "Theirs.\n")
    push(two.other)
    two.one.put(path, two.one.read(path) + "Mine.\n")


def rewritten(two: Two) -> None:
    two.other.git("commit", "-q", "--amend", "-m", "rewritten")
    two.other.git("push", "-qf")
    memory(two.one, "mine")


def lost(two: Two) -> None:
    path = log(two.one, "Kept")
    synced(two.one)
    synced(two.other)
    two.other.git("rm", "-q", path)
    push(two.other)


def lost_by_hand(two: Two) -> None:
    lost(two)
    two.one.git("pull", "-q")


def gone(two: Two) -> None:
    synced(two.one)
    git(two.hub, "update-ref", "-d", "refs/heads/main")


def broken(two: Two) -> None:
    two.one.put("confirmed/broken.md", BROKEN)
    commit(two.one)


def detached(two: Two) -> None:
    two.one.git("checkout", "-q", "--detach")


def bisected(two: Two) -> None:
    memory(two.one, "tea")
    commit(two.one)
    two.one.git("bisect", "start", "HEAD", "HEAD~1")
    two.one.git("checkout", "-q", "HEAD~1")


def alone(two: Two) -> None:
    two.one.git("remote", "remove", "origin")


def following_none(two: Two) -> None:
    two.one.git("branch", "--unset-upstream")


def elsewhere(two: Two) -> None:
    git(two.hub.parent, "clone", "-q", "--bare", str(two.hub), "mirror.git")
    two.one.git("remote", "set-url", "--push", "origin", str(two.hub.parent / "mirror.git"))
    memory(two.one, "tea")


def linked(two: Two) -> None:
    memory(two.one, "tea")
    (two.one.root / "authority").rename(two.one.root / "moved")
    (two.one.root / "authority").symlink_to("moved")


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("situation", "code"),
    [
        (staged, 5),
        (in_the_way, 5),
        (rewritten, 5),
        (lost, 5),
        (lost_by_hand, 5),
        (gone, 5),
        (broken, 1),
        (detached, 5),
        (bisected, 5),
        (alone, 0),
        (following_none, 1),
        (elsewhere, 1),
        (linked, 5),
    ],
)
def test_every_line_says_where_it_works(
    away: Away, situation: Callable[[Two], None], code: int
) -> None:
    situation(away.two)
    assert away.lines(code=code)
