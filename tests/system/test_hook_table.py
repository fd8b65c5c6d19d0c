"""What git runs when: docs/hooks.md has it as a table, and real git makes that table here.

`pytest tests/system/test_hook_table.py --update-goldens` writes it anew. git changes its ways now
and then, so the page says whose they are, and another version of git is not held to them.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from doll.services.hooks.block import LOCAL
from doll.vcs import plumbing
from tests.gitbox import git, hook, make, put

PAGE = Path(__file__).resolve().parents[2] / "docs" / "hooks.md"
START = "<!-- made by running git; pytest --update-goldens writes it anew -->\n"
END = "<!-- end of what is made -->\n"
WHOSE = re.compile(r"(?<=run, with git )\d+\.\d+")


class Ground:
    """A repository with a hook of every kind that only leaves a mark, and a remote."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.top = make(folder / "top")
        self.marks = folder / "marks"
        git(folder, "init", "-q", "--bare", "-b", "main", "remote.git")
        self.git("remote", "add", "origin", "../remote.git")
        self.git("push", "-q", "-u", "origin", "main")
        for kind in LOCAL:
            hook(self.top, f'#!/bin/sh\necho {kind} >>"{self.marks}"\n', kind)

    def git(self, *arguments: str, code: int | None = 0) -> str:
        return git(self.top, *arguments, code=code, GIT_EDITOR="true", GIT_SEQUENCE_EDITOR="true")

    def write(self, path: str, text: str = "more\n") -> None:
        put(self.top, path, text)
        self.git("add", "-A")

    def commit(self, path: str, text: str = "more\n") -> None:
        """Commit a file past all hooks."""
        self.write(path, text)
        self.git("commit", "-qm", path, "--no-verify")

    def fork(self, *, conflict: bool = False) -> None:
        """Make a branch `feature`, and go on with `main`, in the same file if they conflict."""
        self.git("switch", "-qc", "feature")
        self.commit("README" if conflict else "feature", "feature\n")
        self.git("switch", "-q", "main")
        self.commit("README" if conflict else "main", "main\n")

    def conflicted(self, *arguments: str) -> None:
        """Run into a conflict, and mend it."""
        self.git(*arguments, code=1)
        self.write("README", "mended\n")

    def elsewhere(self) -> None:
        """Let somebody else push a commit."""
        git(self.folder, "clone", "-q", "remote.git", "other")
        put(self.folder / "other", "other", "x")
        git(self.folder / "other", "add", "-A")
        git(self.folder / "other", "commit", "-qm", "other")
        git(self.folder / "other", "push", "-q")


def _plain(ground: Ground, *arguments: str) -> None:
    ground.write("README", "edited\n")
    ground.git("commit", "-qm", "x", *arguments)


def _merge(ground: Ground, *arguments: str) -> None:
    ground.fork()
    ground.git("merge", "--no-edit", *arguments, "feature")


def _fast_forward(ground: Ground) -> None:
    ground.git("switch", "-qc", "feature")
    ground.commit("feature")
    ground.git("switch", "-q", "main")
    ground.git("merge", "feature")


def _concluded_merge(ground: Ground) -> None:
    ground.fork(conflict=True)
    ground.conflicted("merge", "feature")
    ground.git("commit", "--no-edit")


def _continued_merge(ground: Ground) -> None:
    ground.fork(conflict=True)
    ground.conflicted("merge", "feature")
    ground.git("merge", "--continue")


def _picked(ground: Ground, *arguments: str) -> None:
    ground.fork()
    ground.git("cherry-pick", *arguments, "feature")


def _picked_on(ground: Ground) -> None:
    ground.fork(conflict=True)
    ground.conflicted("cherry-pick", "feature")
    ground.git("cherry-pick", "--continue")


def _reverted(ground: Ground, *arguments: str) -> None:
    ground.commit("x")
    ground.git("revert", *arguments, "HEAD")


def _reverted_on(ground: Ground) -> None:
    ground.commit("README", "one\n")
    ground.commit("README", "two\n")
    ground.conflicted("revert", "--no-edit", "HEAD^")
    ground.git("revert", "--continue")


def _rebased(ground: Ground, *arguments: str) -> None:
    ground.fork()
    ground.git("rebase", *arguments, "main", "feature")


def _rebased_on(ground: Ground) -> None:
    ground.fork(conflict=True)
    ground.conflicted("rebase", "main", "feature")
    ground.git("rebase", "--continue")


def _reworded(ground: Ground) -> None:
    ground.fork()
    editor = "sed -i.bak s/^pick/reword/"
    git(
        ground.top,
        *("rebase", "-i", "main", "feature"),
        GIT_SEQUENCE_EDITOR=editor,
        GIT_EDITOR="echo reworded >",
    )


def _applied(ground: Ground) -> None:
    ground.fork()
    ground.git("format-patch", "-q", "-1", "feature", "-o", "../patches")
    (patch,) = (ground.folder / "patches").iterdir()
    ground.git("am", "-q", str(patch))


def _stashed(ground: Ground) -> None:
    ground.write("README", "edited\n")
    ground.git("stash", "-q")
    ground.git("stash", "pop", "-q")


def _pulled(ground: Ground, *arguments: str, ours: bool = True) -> None:
    ground.elsewhere()
    if ours:
        ground.commit("ours")
    ground.git("pull", "-q", "--no-edit", *arguments)


def _pushed(ground: Ground, *arguments: str) -> None:
    ground.commit("x")
    ground.git("tag", "v1")
    ground.git("push", "-q", "origin", *arguments)


def _deleted(ground: Ground) -> None:
    ground.git("push", "-q", "--no-verify", "origin", "main:gone")
    ground.git("push", "-q", "origin", ":gone")


def _committed_all(ground: Ground) -> None:
    put(ground.top, "README", "edited\n")
    ground.git("commit", "-qam", "x")


def _squashed(ground: Ground) -> None:
    ground.fork()
    ground.git("merge", "--squash", "feature")
    ground.git("commit", "-qm", "squashed")


WAYS: dict[str, Callable[[Ground], None]] = {
    "`git commit`": _plain,
    "`git commit -a`": _committed_all,
    "`git commit -- PATH`": lambda ground: _plain(ground, "--", "README"),
    "`git commit --amend`": lambda ground: _plain(ground, "--amend"),
    "`git commit --no-verify`": lambda ground: _plain(ground, "--no-verify"),
    "`git merge`": _merge,
    "`git merge --no-ff`": lambda ground: _merge(ground, "--no-ff"),
    "`git merge`, fast-forward": _fast_forward,
    "`git merge --no-verify`": lambda ground: _merge(ground, "--no-verify"),
    "`git merge` with a conflict, then `git commit`": _concluded_merge,
    "`git merge` with a conflict, then `git merge --continue`": _continued_merge,
    "`git merge --squash`, then `git commit`": _squashed,
    "`git pull`, a merge": lambda ground: _pulled(ground, "--no-rebase"),
    "`git pull`, fast-forward": lambda ground: _pulled(ground, ours=False),
    "`git pull --rebase`": lambda ground: _pulled(ground, "--rebase"),
    "`git rebase`": _rebased,
    "`git rebase` with a conflict, then `--continue`": _rebased_on,
    "`git rebase -i`, reword": _reworded,
    "`git cherry-pick`": _picked,
    "`git cherry-pick --edit`": lambda ground: _picked(ground, "--edit"),
    "`git cherry-pick` with a conflict, then `--continue`": _picked_on,
    "`git revert`": _reverted,
    "`git revert --no-edit`": lambda ground: _reverted(ground, "--no-edit"),
    "`git revert` with a conflict, then `--continue`": _reverted_on,
    "`git am`": _applied,
    "`git stash`, `git stash pop`": _stashed,
    "`git push`": lambda ground: _pushed(ground, "main"),
    "`git push` of a tag": lambda ground: _pushed(ground, "v1"),
    "`git push --force`": lambda ground: _pushed(ground, "--force", "main"),
    "`git push` of a deletion": _deleted,
    "`git push --no-verify`": lambda ground: _pushed(ground, "--no-verify", "main"),
}


def _table(folder: Path) -> str:
    heads = " | ".join(LOCAL)
    lines = [f"| command | {heads} |", f"|---|{'---|' * len(LOCAL)}"]
    for number, (name, way) in enumerate(WAYS.items()):
        ground = Ground(folder / f"{number}")
        way(ground)
        seen = ground.marks.read_text().split() if ground.marks.exists() else []
        cells = " | ".join("yes" if kind in seen else "" for kind in LOCAL)
        lines.append(f"| {name} | {cells} |")
    return "\n".join(lines) + "\n"


def test_the_table_of_what_runs_when(tmp_path: Path, update_goldens: bool) -> None:
    here = ".".join(map(str, plumbing.version()[:2]))
    head, start, rest = PAGE.read_text(encoding="utf-8").partition(START)
    found, end, tail = rest.partition(END)
    whose = WHOSE.search(head)
    assert start
    assert end
    assert whose
    if update_goldens:
        made = WHOSE.sub(here, head) + start + _table(tmp_path) + end + tail
        PAGE.write_text(made, encoding="utf-8")
        return
    if whose.group() != here:
        pytest.skip(f"the table is that of git {whose.group()}, and this is git {here}")
    said = "docs/hooks.md is not what git does; run with --update-goldens"
    assert found == _table(tmp_path), said
