"""Many processes that record at once: each record is there, readable, and under its own id.

The sample of the suite is small; `pytest -m soak` runs 8 processes of 200 records each.
"""

import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from doll.errors import BusyError
from doll.records.names import fold
from tests.desk import Desk
from tests.gitbox import git

SMALL, LARGE = (3, 5), (8, 200)
SIZES = [SMALL, pytest.param(LARGE, marks=pytest.mark.soak)]


def log_at_once(*roots: Path, processes: int, each: int) -> Counter[str]:
    """Let as many processes as are wanted run `doll log` in turn; return how they ended.

    "" is an end without a fault; else what was said is counted. Where a busy machine lets one wait
    for the lock for too long it is typed again, as was said: then nothing was written before.
    """

    def work(number: int) -> Counter[str]:
        root, ends = roots[number % len(roots)], Counter[str]()
        for turn in range(each):
            summary = f"Tried {number} for the {turn}. time"
            command = ["log", "attempt", summary, "--project", "atlas", "--outcome", "failed"]
            done = _typed(root, command)
            while done.returncode == BusyError.exit_code:
                done = _typed(root, command)
            ends[done.stderr.decode() if done.returncode else ""] += 1
        return ends

    with ThreadPoolExecutor(processes) as pool:
        return sum(pool.map(work, range(processes)), Counter[str]())


def _typed(root: Path, command: list[str]) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [sys.executable, "-m", "doll", *command],
        cwd=root,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )


def entries(root: Path) -> list[str]:
    """Return the ids of all experience on disk, folded as ids are compared."""
    return sorted(fold(path.stem) for path in (root / "experience").rglob("*.md") if path.is_file())


def check(desk: Desk, wanted: int) -> None:
    """Hold a vault to `wanted` records that are readable, distinct, and have each summary once."""
    ids = entries(desk.root)
    assert len(ids) == len(set(ids)) == wanted
    listed = desk.ok("list", "--type", "experience", "--json").json["records"]
    assert len({record["name"] for record in listed}) == len(listed) == wanted
    checked = desk.ok("validate", "--json").json
    assert checked["errors"] == 0
    assert not desk.ok("status", "--json").json["leftovers"]


@pytest.mark.parametrize("size", SIZES)
def test_all_that_many_processes_record_is_there(desk: Desk, size: tuple[int, int]) -> None:
    processes, each = size
    assert log_at_once(desk.root, processes=processes, each=each) == {"": processes * each}
    check(desk, processes * each)
    desk.git("add", "-A")
    desk.git("commit", "-qm", "experience")
    desk.ok("verify")


@pytest.mark.parametrize("size", SIZES)
def test_two_clones_that_record_merge_without_a_conflict(
    desk: Desk, tmp_path: Path, size: tuple[int, int]
) -> None:
    processes, each = size
    git(tmp_path, "clone", "-q", "notes", "other")
    other = desk.at("../other")
    ends = log_at_once(desk.root, other.root, processes=processes, each=each)
    assert ends == {"": processes * each}
    for clone in (desk, other):
        clone.git("add", "-A")
        clone.git("commit", "-qm", "experience")
    shares = [len(entries(clone.root)) for clone in (desk, other)]
    assert sum(shares) == processes * each
    assert min(shares) > 0
    desk.git("fetch", "-q", "../other", "main")
    desk.git("merge", "--no-edit", "-q", "FETCH_HEAD")
    check(desk, processes * each)
    desk.ok("verify")
    assert len(desk.ok("recall", "tried", "--json", "--limit", "1").json["hits"]) == 1


def at_once(desk: Desk, *commands: list[str], **variables: str) -> "list[tuple[int, str]]":
    """Run commands at the same time; return how each ended, and what it said."""

    def typed(command: list[str]) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-m", "doll", *command],
            cwd=desk.root,
            env=os.environ | variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stderr

    with ThreadPoolExecutor(len(commands)) as pool:
        return list(pool.map(typed, commands))


def test_of_several_with_one_name_one_is_written(desk: Desk) -> None:
    titles = [f"Tea {number}" for number in range(4)]
    ended = at_once(desk, *(["new", "memory", "tea", "--title", title] for title in titles))
    assert sorted(code for code, _ in ended) == [0, 5, 5, 5], ended
    winner = titles[[code for code, _ in ended].index(0)]
    assert f"title: {winner}" in desk.read("confirmed/tea.md")


def test_of_several_edits_one_is_written_and_the_others_are_kept(
    desk: Desk, tmp_path: Path
) -> None:
    desk.ok("new", "memory", "tea", "--title", "Tea")
    before = desk.read("confirmed/tea.md")
    editor = tmp_path / "editor.sh"
    # Each begins with the same bytes: an editor ends when all have begun.
    editor.write_text(
        f"#!/bin/sh\ntouch {tmp_path}/begun-$$\n"
        f'while [ "$(ls {tmp_path} | grep -c begun-)" -lt 4 ]; do sleep 0.05; done\n'
        'echo "by $$" >>"$1"\n'
    )
    editor.chmod(0o755)
    ended = at_once(desk, *[["edit", "tea"]] * 4, EDITOR=str(editor))
    assert sorted(code for code, _ in ended) == [0, 5, 5, 5], ended
    kept = [path.read_text() for path in (desk.root / ".git/doll/edits").glob("*/tea.md")]
    texts = {*kept, desk.read("confirmed/tea.md")}
    numbers = {path.name.removeprefix("begun-") for path in tmp_path.glob("begun-*")}
    assert texts == {f"{before}by {number}\n" for number in numbers}
    assert all("your text is kept at " in said for code, said in ended if code)
