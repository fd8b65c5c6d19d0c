"""`doll sync` where the remote's history was rewritten: it is noticed, and the lines help."""

import re
from pathlib import Path

import pytest

from tests.desk import Desk
from tests.gitbox import git
from tests.sync_desk import Two, head, log, memory, synced

pytestmark = pytest.mark.sampled(4)

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "sync.md").read_text(encoding="utf-8")


def purge(two: Two, path: str) -> str:
    """Take a file that both have out of the whole history of the remote; return the old tip."""
    had = two.tip
    two.other.type(
        "FILTER_BRANCH_SQUELCH_WARNING=1 git filter-branch -f --index-filter "
        f"'git rm -q --cached --ignore-unmatch {path}' -- --all"
    )
    two.other.git("push", "-qf")
    assert two.tip != had
    return had


def lines(two: Two, word: str) -> list[str]:
    """Sync into the stop, and return the lines to type from the one with `word` on."""
    result = two.one.doll("sync")
    assert result.code == 5, result
    assert "the history of origin/main was rewritten" in result.err
    typed = [line.strip().partition("    ")[0] for line in result.err.splitlines()]
    first = next(number for number, line in enumerate(typed) if word in line)
    return typed[first:]


@pytest.fixture
def purged(two: Two) -> str:
    """Have a memory on both sides, and then no more in the history of the remote; its path."""
    memory(two.one, "tea")
    path = memory(two.one, "secret")
    synced(two.one)
    synced(two.other)
    purge(two, path)
    return path


def is_nowhere(two: Two, path: str) -> bool:
    """Return whether a path is in no commit of the remote."""
    return git(two.hub, "log", "--oneline", "main", "--", path) == ""


@pytest.mark.parametrize("fetched", [False, True])
def test_a_clone_that_never_finished_a_sync(two: Two, fetched: bool) -> None:
    """A fetch by hand moves git's own ref, and hides nothing."""
    two.other.git("commit", "-q", "--amend", "-m", "rewritten")
    two.other.git("push", "-qf")
    log(two.one, "Mine")
    for _ in range(2):
        assert lines(two, " --no-overwrite-ignore ")
        if fetched:
            two.one.git("fetch", "-q")


def test_a_clone_that_never_reached_the_remote(two: Two) -> None:
    two.hub.rename(two.hub.with_suffix(".away"))
    assert two.one.doll("sync").code == 7
    two.hub.with_suffix(".away").rename(two.hub)
    two.other.git("commit", "-q", "--amend", "-m", "rewritten")
    two.other.git("push", "-qf")
    two.one.git("fetch", "-q")
    assert lines(two, " --no-overwrite-ignore ")


def test_what_was_purged_stays_away_and_what_is_mine_stays(two: Two, purged: str) -> None:
    mine = memory(two.one, "mine")
    entry = log(two.one, "Mine")
    two.one.put("authority/projects/new.md", two.one.read("authority/projects/atlas.md"))
    two.one.put("doll.yaml", two.one.read("doll.yaml") + "# mine, not committed\n")
    (taking,) = lines(two, " --no-overwrite-ignore ")
    two.one.type(taking)
    assert not (two.one.root / purged).exists()
    assert "# mine, not committed" in two.one.read("doll.yaml")
    assert (two.one.root / "authority/projects/new.md").is_file()
    synced(two.one)
    assert is_nowhere(two, purged)
    names = git(two.hub, "ls-tree", "-r", "--name-only", "main").splitlines()
    assert {mine, entry, "confirmed/tea.md"} < {*names}
    assert two.one.git("log", "--oneline", "HEAD", "--", purged) == ""
    synced(two.other)


def test_what_was_purged_goes_from_this_clone_too(two: Two, purged: str) -> None:
    """By the lines of the docs."""
    blob = two.one.git("rev-parse", f"HEAD:{purged}")
    memory(two.one, "mine")
    for line in lines(two, " --no-overwrite-ignore "):
        two.one.type(line)
    synced(two.one)
    (block,) = re.findall(r"```\n(git branch -D .*?)```", PAGE, re.DOTALL)
    assert git(two.one.root, "cat-file", "-e", blob) == ""
    two.one.type(f"set -e\n{block}")
    git(two.one.root, "cat-file", "-e", blob, code=1)
    synced(two.one)
    assert (two.one.root / "confirmed/mine.md").is_file()


def test_what_was_merged_and_not_pushed_is_put_on_it_too(two: Two) -> None:
    """Own commits on both sides of a merge, and not what the merge brought."""
    memory(two.one, "tea")
    path = memory(two.one, "secret")
    synced(two.one)
    synced(two.other)
    theirs = memory(two.other, "theirs")
    synced(two.other)
    mine = memory(two.one, "mine")
    two.one.git("add", mine)
    two.one.git("commit", "-qm", "mine")
    two.one.git("pull", "-q", "--no-rebase", "--no-edit")
    purge(two, path)
    two.one.git("branch", "main-before")
    (taking,) = lines(two, " --no-overwrite-ignore ")
    assert " branch main-before-2 " in taking
    two.one.type(taking)
    synced(two.one)
    assert is_nowhere(two, path)
    names = git(two.hub, "ls-tree", "-r", "--name-only", "main").splitlines()
    assert {mine, theirs, "confirmed/tea.md"} < {*names}


def test_where_nothing_is_mine_nothing_is_put_on_it(two: Two, purged: str) -> None:
    (taking,) = lines(two, " --no-overwrite-ignore ")
    assert " branch " not in taking
    two.one.type(taking)
    synced(two.one)
    assert head(two.one) == two.tip
    assert is_nowhere(two, purged)


def test_an_edit_in_the_way_is_kept(two: Two) -> None:
    """git refuses, and the sync says the same again."""
    path = memory(two.other, "tea")
    synced(two.other)
    synced(two.one)
    two.other.put(path, two.other.read(path) + "More.\n")
    two.other.git("commit", "-qa", "--amend", "-m", "rewritten")
    two.other.git("push", "-qf")
    broken = two.one.read(path).replace("title:", "tags: {x\ntitle:")
    two.one.put(path, broken)
    (taking,) = lines(two, " --no-overwrite-ignore ")
    assert "would be overwritten" in two.one.type(f"{taking} || exit 1", code=1)
    assert two.one.read(path) == broken
    assert lines(two, " --no-overwrite-ignore ") == [taking]
    # Nor are commits of one's own put on what is here already.
    memory(two.one, "mine")
    (taking,) = lines(two, " --no-overwrite-ignore ")
    mine = head(two.one)
    two.one.type(f"{taking} || exit 1", code=1)
    assert (head(two.one), two.one.git("status", "--porcelain")) == (mine, f"M {path}")
    two.one.git("add", path)
    assert path in two.one.type(f"{taking} || exit 1", code=1)
    assert (head(two.one), two.one.git("diff", "--cached", "--name-only")) == (mine, path)
    assert two.one.git("branch", "--list", "main-before*").split() == ["main-before"]


def stopped(desk: Desk, two: Two, path: str) -> dict[str, str]:
    """Sync into the stop before what was taken out comes back; return the lines by command."""
    before = two.tip
    for options in (("--dry-run",), ()):
        result = desk.doll("sync", *options)
        assert result.code == (1 if options else 5), result
        assert "taken out of a history of origin, as was meant" in result.err
    assert two.tip == before
    assert is_nowhere(two, path)
    typed = [line.strip().partition("    ")[0] for line in result.err.splitlines()]
    return {line.split()[3]: line for line in typed if line.startswith("git -C ")}


@pytest.mark.parametrize("by_hand", [False, True])
def test_no_other_branch_or_work_tree_brings_it_back(
    two: Two, capsys: pytest.CaptureFixture[str], by_hand: bool
) -> None:
    one, three = two.one, Desk(two.one.root.parent / "three", capsys)
    path = memory(one, "secret")
    synced(one)
    synced(two.other)
    had = two.tip
    one.git("branch", "-q", "--track", "two", "origin/main")
    one.git("worktree", "add", "-q", "-b", "three", "--track", str(three.root), "origin/main")
    two.other.git("reset", "-q", "--hard", "HEAD~1")
    memory(two.other, "tea")
    two.other.git("add", ".")
    two.other.git("commit", "-qm", "tea")
    two.other.git("push", "-qf")
    if by_hand:
        one.git("fetch", "-q")
        one.git("reset", "-q", "--hard", "origin/main")
    else:
        (line,) = lines(two, " --no-overwrite-ignore ")
        one.type(line)
    synced(one)
    one.git("switch", "-q", "two")
    mine = memory(one, "mine")
    shown = stopped(one, two, path)
    assert "sync: 1 memory" in one.type(shown["log"])
    one.type(shown["diff"])
    synced(one)
    assert is_nowhere(two, path)
    assert mine in git(two.hub, "ls-tree", "-r", "--name-only", "main").splitlines()
    # Nothing is its own there, so nothing is picked.
    three.type(stopped(three, two, path)["checkout"])
    synced(three)
    # A merge by hand brings back no less; that it may come back is said in so many words.
    one.git("merge", "-q", "--no-edit", had)
    one.type(stopped(one, two, path)["update-ref"])
    synced(one)
    assert not is_nowhere(two, path)
    assert one.git("for-each-ref", "refs/doll/dropped", "refs/doll/meant") == ""


def test_a_new_branch_does_not_bring_it_back(two: Two, purged: str) -> None:
    two.one.git("branch", "-q", "new")
    for line in lines(two, " --no-overwrite-ignore "):
        two.one.type(line)
    synced(two.one)
    two.one.git("switch", "-q", "new")
    two.one.git("config", "branch.new.remote", "origin")
    two.one.git("config", "branch.new.merge", "refs/heads/new")
    result = two.one.doll("sync")
    assert result.code == 5, result
    assert "taken out of a history of origin, as was meant" in result.err
    assert git(two.hub, "for-each-ref", "refs/heads/new") == ""
