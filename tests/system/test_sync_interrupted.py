"""A sync that is interrupted at any of its runs of git is simply run again."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from doll.vcs.porcelain import running
from tests.desk import Desk, make_vault
from tests.gitbox import git, hook
from tests.sync_desk import Two, head, log, memory, synced

pytestmark = pytest.mark.sampled(4)

# More than a sync with a commit, a merge and a push ever starts.
_MOST = 30


class Interrupted:
    """Lets so many runs of git through, then is interrupted, before or after the next one."""

    def __init__(self, patch: pytest.MonkeyPatch, through: int, *, before: bool) -> None:
        self.left = through
        self.before = before
        self.happened = ""
        self.seen = set[str]()
        self.real = running.execute
        patch.setattr(running, "execute", self.execute)

    def execute(self, folder: Path, arguments: Sequence[str], **options: Any) -> running.Ran:
        """Stand in for the one runner of git."""
        self.left -= 1
        self.seen.update(arguments)
        if self.left >= 0 or self.happened:
            return self.real(folder, arguments, **options)
        self.happened = " ".join(arguments)
        if not self.before:
            self.real(folder, arguments, **options)
        raise KeyboardInterrupt


# After one run is before the next one, so half of the runs have every place between two of them.
@pytest.mark.parametrize("first", [0, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("before", [True, False])
def test_it_is_run_again(two: Two, before: bool, first: int) -> None:
    seen = set[str]()
    for through in range(first, _MOST, 2):
        entries = [log(two.one, f"One {through}"), log(two.other, f"Other {through}")]
        memory(two.one, "tea", f"Words {through}.")
        synced(two.other)
        with pytest.MonkeyPatch.context() as patch:
            interrupted = Interrupted(patch, through, before=before)
            code = two.one.doll("sync").code
        if not interrupted.happened:
            break
        seen |= interrupted.seen
        assert code == 130
        assert not list((two.one.root / ".git/doll").glob(".doll-new-*"))
        synced(two.one)
        synced(two.other)
        assert head(two.one) == head(two.other) == two.tip
        assert all((two.other.root / path).is_file() for path in entries)
        assert two.one.git("status", "--porcelain") == ""
    assert seen >= {"read-tree", "update-index", "add", "commit", "fetch", "merge", "push"}
    assert two.one.doll("verify").code == 0


def test_a_file_that_changes_while_it_is_committed_is_judged_again(two: Two) -> None:
    path = memory(two.one, "tea")
    broken = f"printf -- '---\\ntags: {{x\\n---\\n' >{path}; git add {path}"
    hook(two.one.root, f"#!/bin/sh\n{broken}\n")
    result = two.one.doll("sync")
    assert result.code == 1
    assert f"{path} was saved while it was committed, and has errors now" in result.err
    had = two.tip
    assert git(two.hub, "rev-parse", "main") == had != head(two.one)
    (two.one.root / ".git/hooks/pre-commit").unlink()
    line = next(each for each in result.err.splitlines() if "reset --soft" in each)
    two.one.type(line.partition("    ")[0].strip())
    memory(two.one, "tea")
    synced(two.one)


def test_a_repository_of_the_other_object_format(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = make_vault(tmp_path / "made")
    git(tmp_path, "init", "-q", "--bare", "--object-format=sha256", "-b", "main", "hub.git")
    git(tmp_path, "init", "-q", "--object-format=sha256", "-b", "main", "one")
    for item in made.iterdir():
        if item.name != ".git":
            item.rename(tmp_path / "one" / item.name)
    git(tmp_path / "one", "add", "-A")
    git(tmp_path / "one", "commit", "-qm", "start")
    git(tmp_path / "one", "remote", "add", "origin", str(tmp_path / "hub.git"))
    git(tmp_path / "one", "push", "-qu", "origin", "main")
    desk = Desk(tmp_path / "one", capsys)
    synced(desk)
    log(desk, "One")
    desk.put("confirmed/broken.md", "---\ntags: {x\n---\n")
    result = desk.doll("sync")
    assert result.code == 1
    assert "pushed 1 commit" in result.out


def test_a_disk_without_room_for_the_look_changes_nothing(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory(two.one, "tea")
    real = running.execute

    def full(folder: Path, arguments: Sequence[str], **options: Any) -> running.Ran:
        if arguments[0] == "read-tree":
            return running.Ran(128, "", "fatal: unable to write new index file")
        return real(folder, arguments, **options)

    monkeypatch.setattr(running, "execute", full)
    err = two.one.refused(7, "sync")
    assert "could not be looked at; nothing was changed: `git read-tree`" in err
