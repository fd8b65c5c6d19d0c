"""`doll verify` finds just what comparing the whole trees of every commit and parent finds."""

import random
import subprocess
from pathlib import Path

import pytest

from doll.vault.layout import is_kept
from tests.desk import Desk
from tests.gitbox import git

MARKER = f"format: 1\nid: {'0f' * 16}\nbranch: main\n"
PATHS = [
    *(f"experience/{project}/{name}.md" for project in ("a", "b") for name in "uvwxyz"),
    "experience/README.md",
    "experience/a/.gitkeep",
    "confirmed/m.md",
    "other",
]


def write_history(root: Path, dice: random.Random, prefix: str, commits: int) -> None:
    """Write commits that add, change and delete at random, with merges of any tree."""
    git(root.parent, "init", "-q", "-b", "main", str(root))
    there: dict[int, set[str]] = {}
    lines: list[str] = []
    for mark in range(1, commits + 1):
        parents = dice.sample(range(1, mark), min(mark - 1, dice.choice([1, 1, 1, 2, 3])))
        parents = [mark - 1, *(p for p in parents if p != mark - 1)] if mark > 1 else []
        ref = "main" if dice.random() < 0.7 or mark == commits else f"side{mark}"
        lines += [f"commit refs/heads/{ref}\nmark :{mark}"]
        lines += ["committer A <a@example.org> 1700000000 +0000\ndata 1\nx"]
        if parents:
            first = dice.choice(parents)
            lines += [f"from :{first}", *(f"merge :{p}" for p in parents if p != first)]
            paths = set(there[first])
        else:
            paths = set()
            lines += [f"M 644 inline {prefix}doll.yaml\ndata {len(MARKER)}\n{MARKER}"]
        for path in dice.sample(PATHS, dice.choice([0, 1, 1, 2, 3])):
            if path in paths and dice.random() < 0.3:
                paths.discard(path)
                lines += [f"D {prefix}{path}"]
            elif path not in paths or dice.random() < 0.3:
                paths.add(path)
                mode = dice.choice(["644", "644", "755"])
                lines += [f"M {mode} inline {prefix}{path}\ndata 1\n{dice.choice('ab')}"]
        there[mark] = paths
    feed = ("\n".join(lines) + "\n").encode()
    command = ["git", "fast-import", "--quiet", "--force"]
    subprocess.run(command, cwd=root, input=feed, check=True)
    git(root, "reset", "-q", "--hard")


def tree(root: Path, commit: str, prefix: str) -> dict[str, str]:
    """Return mode and blob of every kept path of a commit."""
    found = {}
    for line in git(root, "ls-tree", "-r", commit).splitlines():
        facts, _, path = line.partition("\t")
        if path.startswith(prefix) and is_kept(path.removeprefix(prefix)):
            found[path.removeprefix(prefix)] = facts
    return found


def expected(root: Path, revisions: str, prefix: str) -> set[tuple[str, str, str]]:
    """Return code, path and commit by looking at all trees."""
    found = set()
    for line in git(root, "rev-list", "--parents", revisions).splitlines():
        commit, *parents = line.split()
        now = tree(root, commit, prefix)
        for parent in parents:
            for path, facts in tree(root, parent, prefix).items():
                if now.get(path) != facts:
                    code = "experience.changed" if path in now else "experience.removed"
                    found.add((code, path, commit))
    return found


@pytest.mark.sampled(6)
@pytest.mark.parametrize("seed", range(8))
def test_random_histories(seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dice = random.Random(seed)
    prefix = "notes/" if seed % 2 else ""
    write_history(tmp_path / "r", dice, prefix, 24)
    desk = Desk(tmp_path / "r" / prefix, capsys)

    def found(*arguments: str) -> set[tuple[str, str, str]]:
        report = desk.doll("verify", "--json", *arguments).json
        return {(each["code"], each["path"], each["commit"]) for each in report["problems"]}

    history = git(desk.root, "rev-list", "HEAD").splitlines()
    everything = expected(tmp_path / "r", "HEAD", prefix)
    assert everything
    git(desk.root, "checkout", "-q", "--detach", history[len(history) // 2])
    desk.doll("verify")
    git(desk.root, "checkout", "-q", "--detach", history[0])
    assert found() == everything
    assert found("--full") == everything
    base = dice.choice(history[1:])
    wanted = expected(tmp_path / "r", f"{base}..HEAD", prefix)
    assert found("--range", f"{base}..HEAD") == wanted
