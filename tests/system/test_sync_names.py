"""Names that a remote or the user chose, in lines of a sync: words, and no login."""

from pathlib import Path

import pytest

from tests.desk import Desk, Result
from tests.gitbox import git
from tests.sync_desk import Two, log, make_shared, memory, synced

pytestmark = pytest.mark.sampled(4)

# The remote chooses the name of its branch, and git lets all of this stand in one.
BRANCH = "main;$(touch${IFS}owned)&'x`touch${IFS}owned`"
URL = "https://ada:correct-horse@vaults.invalid/x.git"


def followed(two: Two) -> str:
    """Have the branch of `one` follow one of that name; return its ref."""
    ref = f"refs/heads/{BRANCH}"
    two.one.git("push", "-q", "origin", f"HEAD:{ref}")
    two.one.git("config", "branch.main.merge", ref)
    assert two.one.ok("sync").out.startswith("synced: origin/main;")
    return ref


def to_type(result: Result) -> list[str]:
    """Return the lines of a stop, each without what is said of it."""
    assert result.code == 5, result
    lines = [line.strip().partition("    ")[0] for line in result.err.splitlines()]
    return [line for line in lines if line.startswith("git ")]


def test_no_line_does_more_than_it_says(two: Two) -> None:
    ref = followed(two)
    had = two.one.git("rev-parse", "HEAD")
    two.one.git("rm", "-q", "doll.yaml")
    two.one.git("commit", "-qm", "gone")
    two.one.git("push", "-q", "origin", f"HEAD:{ref}")
    two.one.git("reset", "-q", "--hard", had)
    memory(two.one, "mine")
    for line in to_type(two.one.doll("sync")):
        two.one.type(line)
    assert two.one.ok("sync").code == 0
    last = two.one.git("commit-tree", "-m", "anew", "HEAD^{tree}", "-p", "HEAD~1")
    two.one.git("push", "-qf", "origin", f"{last}:{ref}")
    lines = to_type(two.one.doll("sync"))
    assert len(lines) >= 4
    for line in lines:
        two.one.type(line)
    assert git(two.hub, "rev-parse", ref) == last
    git(two.hub, "update-ref", "-d", ref)
    for line in to_type(two.one.doll("sync")):
        two.one.type(line)
    two.one.ok("sync")
    assert not list(two.hub.parent.rglob("owned"))


def test_a_branch_may_have_the_name_of_a_folder_later(two: Two) -> None:
    """Also with a slash or more of them, and whatever is long for the name of a file."""
    for name in ("x", "x/y", "x/y/" + "/".join(["long" * 40] * 3)):
        ref = f"refs/heads/{name}"
        two.one.git("push", "-q", str(two.hub), f"HEAD:{ref}")
        two.one.git("config", "branch.main.merge", ref)
        memory(two.one, f"tea-{name.count('/')}")
        result = two.one.doll("sync")
        if name != "x":
            # What git tracks is the user's; doll's own refs are in nobody's way.
            assert result.code == 7
            assert "refs/doll" not in result.err
            line = next(each for each in result.err.splitlines() if " remote prune " in each)
            two.one.type(line.strip().partition("    ")[0])
            result = two.one.ok("sync")
        assert f"synced: origin/{name} is at" in result.out
        git(two.hub, "update-ref", "-d", ref)


def with_login(desk: Desk, hub: Path) -> None:
    """Have the branch follow a URL with a login in it, which leads to the bare repository."""
    desk.git("config", f"url.{hub}.insteadOf", URL)
    desk.git("config", "branch.main.remote", URL)


def test_no_login_is_said(two: Two) -> None:
    with_login(two.one, two.hub)
    said = [
        two.one.ok("sync", *more) for more in (["--dry-run"], ["--dry-run", "--json"], ["--json"])
    ]
    log(two.other, "Theirs")
    synced(two.other)
    log(two.one, "Mine")
    said.append(two.one.ok("sync"))
    assert "synced: https://vaults.invalid/x.git/main is at" in said[-1].out
    assert said[1].json["remote"] == "https://vaults.invalid/x.git"
    message = two.one.git("log", "-1", "--format=%B", "--merges")
    assert message == "sync: merge https://vaults.invalid/x.git/main"
    git(two.hub, "update-ref", "-d", "refs/heads/main")
    said.append(two.one.doll("sync"))
    assert said[-1].code == 5
    two.one.git("config", "branch.main.pushRemote", "origin")
    said.append(two.one.doll("sync", "--json"))
    said.append(two.one.doll("sync"))
    assert "main follows https://vaults.invalid/x.git, and git pushes it to origin" in said[-1].out
    (line,) = [each for each in said[-1].err.splitlines() if "pushRemote" in each]
    two.one.type(line.partition("    pushes")[0])
    assert two.one.git("config", "branch.main.pushRemote") == URL
    assert all("correct" not in each.out + each.err for each in said)


def test_a_line_asks_for_the_url_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shared = make_shared(tmp_path, capsys)
    with_login(shared, tmp_path / "hub.git")
    shared.put("../app.py", "x = 1\n")
    shared.git("add", "../app.py")
    shared.git("commit", "-qm", "code")
    result = shared.doll("sync")
    assert result.code == 1
    (line,) = [each for each in result.err.splitlines() if " push " in each]
    assert "correct" not in result.out + result.err
    shared.type(line.partition("    pushes")[0])
    assert "synced: https://vaults.invalid/x.git/main is" in shared.ok("sync").out
