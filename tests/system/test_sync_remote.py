"""`doll sync` with a remote that no longer has what it had: it stops, keeps, and explains."""

import re
from pathlib import Path

import pytest

from tests.desk import Desk
from tests.gitbox import git, hook
from tests.sync_desk import Two, head, log, memory, synced, values

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(6)

RESCUE = re.compile(r"refs/doll/rescue/\d{8}T\d{6}Z")


def at_work(two: Two) -> Desk:
    """Have an entry and a memory on both sides; return who rewrites the remote's history."""
    log(two.one, "One")
    memory(two.one, "tea")
    synced(two.one)
    synced(two.other)
    return two.other


def stopped(two: Two, words: str) -> str:
    """Sync into a stop that took nothing over; return the rescue ref that was kept."""
    before = head(two.one), two.one.files(), two.tip
    result = two.one.doll("sync")
    assert result.code == 5, result
    assert words in result.err
    assert "synced:" not in result.out
    assert (head(two.one), two.one.files(), two.tip) == before
    found = RESCUE.search(result.err)
    assert found is not None
    return found[0]


def lines(two: Two) -> list[str]:
    """Return the lines to type that a sync gives."""
    return [line.strip().partition("    ")[0] for line in two.one.doll("sync").err.splitlines()]


@pytest.mark.parametrize("fetched", [False, True])
def test_a_rewritten_history(two: Two, fetched: bool) -> None:
    """Also where the user fetched by hand since, which moved git's own ref."""
    rewriter = at_work(two)
    had = two.tip
    rewriter.git("commit", "-q", "--amend", "-m", "rewritten")
    rewriter.git("push", "-qf")
    if fetched:
        two.one.git("fetch", "-q")
    rescue = stopped(two, "the history of origin/main was rewritten")
    assert two.one.git("rev-parse", rescue) == had
    # Said again, and kept once.
    assert stopped(two, "was rewritten") == rescue
    assert two.one.git("for-each-ref", "refs/doll/rescue").count("\n") == 0
    two.one.type(next(line for line in lines(two) if " update-ref " in line))
    synced(two.one)
    assert git(two.hub, "merge-base", "--is-ancestor", had, "main") == ""


def test_a_remote_that_went_back(two: Two) -> None:
    rewriter = at_work(two)
    rewriter.git("reset", "-q", "--hard", "HEAD~1")
    rewriter.git("push", "-qf")
    stopped(two, "was rewritten")
    accepting = next(line for line in lines(two) if " checkout " in line)
    two.one.type(accepting)
    synced(two.one)


def test_a_change_that_was_meant_is_taken_over(two: Two) -> None:
    rewriter = at_work(two)
    rewriter.git("commit", "-q", "--amend", "-m", "rewritten")
    rewriter.git("push", "-qf")
    stopped(two, "was rewritten")
    two.one.type(next(line for line in lines(two) if " checkout " in line))
    synced(two.one)


def test_an_entry_that_is_gone(two: Two) -> None:
    loser = at_work(two)
    path = next((loser.root / "experience").rglob("*.md")).relative_to(loser.root).as_posix()
    loser.git("rm", "-q", path)
    loser.git("commit", "-qm", "tidy up")
    loser.git("push", "-q")
    rescue = stopped(two, "1 of the entries of experience are gone")
    assert path in two.one.doll("sync").err
    for line in lines(two):
        if " worktree " in line:
            two.one.type(line)
    synced(two.one)
    assert rescue in two.one.git("for-each-ref")
    assert path in git(two.hub, "ls-tree", "-r", "--name-only", "main")


def test_an_entry_that_was_changed(two: Two) -> None:
    loser = at_work(two)
    path = next((loser.root / "experience").rglob("*.md"))
    path.write_text(path.read_text().replace("One", "Won"))
    loser.git("commit", "-qam", "edit")
    loser.git("push", "-q")
    stopped(two, "1 of the entries of experience were changed")


def test_a_redaction_is_no_loss(two: Two) -> None:
    at_work(two)
    entry = next((two.other.root / "experience").rglob("*.md"))
    two.other.ok("redact", entry.stem, "--field", "summary", "--reason", "too much", "--commit")
    synced(two.other)
    synced(two.one)
    assert "[redacted]" in next((two.one.root / "experience").rglob("*.md")).read_text()


def test_most_records_are_gone(two: Two) -> None:
    for number in range(30):
        memory(two.one, f"memory {number}")
    synced(two.one)
    synced(two.other)
    two.other.git("rm", "-rq", "confirmed")
    two.other.git("commit", "-qm", "lost")
    two.other.git("push", "-q")
    stopped(two, "30 of 32 records are gone")


def test_a_few_records_that_are_gone_are_deleted(two: Two) -> None:
    for number in range(30):
        memory(two.one, f"memory {number}")
    synced(two.one)
    synced(two.other)
    for number in range(15):
        (two.other.root / f"confirmed/memory {number}.md").unlink()
    synced(two.other)
    synced(two.one)
    assert len(list((two.one.root / "confirmed").iterdir())) == 15


def test_a_branch_that_is_gone(two: Two) -> None:
    at_work(two)
    git(two.hub, "update-ref", "-d", "refs/heads/main")
    result = two.one.doll("sync")
    assert result.code == 5
    assert "origin has no branch main any more" in result.err
    assert " push " not in result.err
    two.one.type(next(line for line in lines(two) if "update-ref -d" in line).partition("  ")[0])
    synced(two.one)


def test_another_repository(two: Two, tmp_path: Path) -> None:
    other = tmp_path / "another"
    other.mkdir()
    git(other, "init", "-q", "-b", "main")
    git(other, "commit", "-q", "--allow-empty", "-m", "another")
    two.one.git("remote", "set-url", "origin", str(other))
    two.one.git("update-ref", "-d", "refs/remotes/origin/main")
    result = two.one.doll("sync")
    assert result.code == 5
    assert "have no commit in common" in result.err


def test_own_commits_that_lose_an_entry_are_not_pushed(two: Two) -> None:
    at_work(two)
    path = next((two.one.root / "experience").rglob("*.md")).relative_to(two.one.root).as_posix()
    two.one.git("rm", "-q", path)
    two.one.git("commit", "-qm", "tidy up")
    had = two.tip
    result = two.one.doll("sync")
    assert result.code == 1
    assert "take away or change 1 of the entries of experience" in result.err
    assert two.tip == had
    two.one.put(path, "Written since.\n")
    two.one.put("authority/readme.txt", "Staged.\n")
    two.one.git("add", "authority")
    (line,) = (each for each in lines(two) if " worktree " in each)
    assert "would be overwritten" in two.one.type(line, code=1)
    assert two.one.read(path) == "Written since.\n"
    (two.one.root / path).unlink()
    two.one.type(next(each for each in lines(two) if " worktree " in each))
    assert two.one.git("diff", "--name-only", had, "HEAD") == ""
    assert two.one.git("diff", "--cached", "--name-only") == "authority/readme.txt"
    synced(two.one)


def test_a_remote_that_moves_while_it_is_pushed_to(two: Two) -> None:
    """Another clone's push comes first: it is taken over, and pushed again."""
    log(two.other, "Other")
    two.other.git("add", "-A")
    two.other.git("commit", "-qm", "other")
    push = f"#!/bin/sh\ngit -C '{two.other.root}' push -q 2>/dev/null\nexit 0\n"
    hook(two.one.root, f"#!/bin/sh\nunset $(git rev-parse --local-env-vars)\n{push}", "pre-push")
    log(two.one, "One")
    found = values(two.one)
    assert found["synced"] is True
    assert [each["how"] for each in found["brought"]] == ["merge"]
    assert two.tip == head(two.one)


def test_a_remote_that_never_holds_still(two: Two) -> None:
    script = (
        "#!/bin/sh\nunset $(git rev-parse --local-env-vars)\n"
        f"cd '{two.other.root}' && git pull -q --no-edit --no-rebase 2>/dev/null\n"
        "git commit -q --allow-empty -m more && git push -q 2>/dev/null\nexit 0\n"
    )
    hook(two.one.root, script, "pre-push")
    memory(two.one, "tea")
    result = two.one.doll("sync")
    assert result.code == 6
    assert "origin/main moved on 3 times" in result.err
    assert "synced" not in result.out
    (two.one.root / ".git/hooks/pre-push").unlink()
    synced(two.one)


def test_a_remote_that_refuses(two: Two) -> None:
    place = two.hub / "hooks" / "pre-receive"
    place.write_text("#!/bin/sh\nprintf 'not\\ttoday\\n' >&2\nexit 1\n")
    place.chmod(0o755)
    memory(two.one, "tea")
    result = two.one.doll("sync")
    assert result.code == 7
    assert "the remote refused the push" in result.err
    # What git and hooks lay out with tabs is shown so.
    assert re.search(r"not +today", result.err)
    assert "committed as" in result.out
    assert "synced" not in result.out


def test_nothing_is_ever_forced(two: Two) -> None:
    """A remote that refuses all but fast-forwards never has to."""
    git(two.hub, "config", "receive.denyNonFastForwards", "true")
    for _ in range(2):
        log(two.one, "One")
        log(two.other, "Other")
        synced(two.one)
        synced(two.other)
