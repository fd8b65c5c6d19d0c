"""`doll doctor` on clones, locks, names, clocks, the index, and what was left behind."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from doll.vault import heartbeat
from tests.desk import Desk
from tests.doctor_faults import FAULTS, MEMORY, lock, merge_that_waits, with_remote
from tests.examined import commands, findings, noted, of_code, wanting
from tests.gitbox import git

# The others run with `pytest -m soak`.
pytestmark = pytest.mark.sampled(6)


@pytest.fixture
def vault(desk: Desk) -> Desk:
    """A vault with a committed memory and a remote that has it all."""
    return with_remote(desk)


def test_a_shallow_clone(vault: Desk, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{tmp_path}/remote.git", "clone")
    clone = vault.at("../clone")
    assert wanting(clone) == ["history.shallow"]
    vault.type(commands(of_code(clone, "history.shallow"))[0])
    assert wanting(clone) == []


@pytest.mark.parametrize("what", ["blob:none", "tree:0"])
def test_a_partial_clone(vault: Desk, tmp_path: Path, what: str) -> None:
    vault.put("confirmed/espresso.md", MEMORY + "Now.\n")
    vault.git("commit", "-qam", "now")
    vault.git("push", "-q")
    git(tmp_path / "remote.git", "config", "uploadpack.allowFilter", "true")
    place = f"file://{tmp_path}/remote.git"
    git(tmp_path, "clone", "-q", "-o", "there", f"--filter={what}", place, "clone")
    clone = vault.at("../clone")
    clone.git("config", "gc.auto", "0")
    # Of the folders that are left out more cannot be looked at.
    assert wanting(clone)[0] == "history.partial"
    vault.type(commands(of_code(clone, "history.partial"))[0])
    assert wanting(clone) == []
    assert of_code(clone, "history.partial")["hint"] == "# nothing has to be done"
    clone.git("config", "remote.there.partialclonefilter", "blob:none")
    vault.type(commands(of_code(clone, "history.partial"))[0])
    assert of_code(clone, "history.partial")["hint"] == "# nothing has to be done"


def test_a_young_lock_is_a_git_at_work(vault: Desk) -> None:
    vault.put(".git/index.lock", "")
    problem = of_code(vault, "git.lock")
    assert problem["severity"] == "note"
    assert "rm" not in problem["hint"]
    lock("index.lock", 3)(vault)
    assert "its lock is 3 hours old" in of_code(vault, "git.lock")["message"]
    assert (vault.root / ".git/index.lock").exists()


@pytest.mark.sampled(1)
def test_the_lines_can_be_typed_in_their_order(vault: Desk) -> None:
    """What git refuses while its lock is there stands below the line that removes it."""
    FAULTS["missing"].plant(vault)
    lock("index.lock", 3)(vault)
    lock("config.lock", 3)(vault)
    vault.put(".git/config", vault.read(".git/config") + "[core]\n\tautocrlf = true\n")
    found = findings(vault)
    codes = [each["code"] for each in found]
    assert codes[:2] == ["git.lock", "git.lock"]
    assert {"vault.missing", "git.line_endings"} < set(codes)
    for each in found:
        for line in commands(each):
            vault.type(line)
    assert wanting(vault) == []


def test_an_unfinished_sync(vault: Desk) -> None:
    merge_that_waits(vault)
    vault.git("update-ref", "refs/doll/incoming/origin/main", "other")
    problem = of_code(vault, "git.underway")
    assert commands(problem) == [
        f"git -C {vault.root} add -- confirmed/espresso.md",
        "doll sync --continue",
        "doll sync --abort",
    ]


def test_leftovers_of_a_killed_doll(vault: Desk) -> None:
    vault.put(f"confirmed/.doll-new-99-{'a' * 12}", "half")
    problem = of_code(vault, "state.leftover")
    assert problem["severity"] == "note"
    vault.type(commands(problem)[0])
    assert "state.leftover" not in noted(vault)


def test_a_watcher_that_was_killed_or_stopped(vault: Desk) -> None:
    arguments = [sys.executable, "-m", "doll", "watch", "--json"]
    watcher = subprocess.Popen(arguments, cwd=vault.root, stdout=subprocess.PIPE)
    try:
        assert watcher.stdout is not None
        assert watcher.stdout.readline()
        assert "state.watch" not in [problem["code"] for problem in _watched(vault)]
        watcher.kill()
        watcher.wait()
        assert "ended without a word" in of_code(vault, "state.watch")["message"]
        vault.type(commands(of_code(vault, "state.watch"))[1])
        assert "state.watch" not in wanting(vault)
    finally:
        watcher.kill()
        watcher.wait()


def _watched(vault: Desk) -> list[dict[str, Any]]:
    """Return the findings while somebody watches, who may write at any moment."""
    found: list[dict[str, Any]] = vault.doll("doctor", "--json").json["problems"]
    return found


def test_a_watcher_that_was_stopped(vault: Desk) -> None:
    beat = {"process": 99, "mode": "inotify", "interval": 5.0, "beat_ns": 1, "looked_ns": 1}
    vault.put(".git/doll/watch.json", json.dumps(beat))
    with heartbeat.alone(vault.root / ".git/doll"):
        problem = of_code(vault, "state.watch")
    assert "lives and sees nothing" in problem["message"]
    assert commands(problem)[0] == "kill -CONT 99"


def test_clocks_that_jumped(vault: Desk) -> None:
    name = "20900101T000000Z-lesson-ahead-k3v9q2xw7d"
    vault.put(
        f"experience/atlas/{name}.md",
        "---\nproject: atlas\nkind: lesson\nassertion: user_recorded\nat: 2090-01-01T00:00:00Z\n"
        "summary: Ahead\n---\n",
    )
    vault.git("add", "-A")
    git(vault.root, "commit", "-qm", "ahead", GIT_COMMITTER_DATE="2090-01-01T00:00:00Z")
    assert wanting(vault) == ["clock.future_commit", "clock.future_entry"]
    (line,) = commands(of_code(vault, "clock.future_entry"))
    assert line.startswith(f"doll correct {name} ")
    vault.at("..").type(line)
    assert wanting(vault) == ["clock.future_commit"]
    vault.put("confirmed/later.md", MEMORY)
    vault.git("add", "-A")
    git(vault.root, "commit", "-qm", "back", GIT_COMMITTER_DATE="2026-08-20T14:32:05Z")
    assert "clock.backwards" in noted(vault)


def test_folders_that_differ_in_case_are_one_finding(vault: Desk) -> None:
    for folder in ("Notes", "notes"):
        for number in range(3):
            vault.put(f"confirmed/{folder}/{folder}-{number}.md", MEMORY)
    (problem,) = (p for p in findings(vault) if p["code"] == "path.clash")
    assert problem["path"] == "confirmed/Notes"
    vault.type(commands(problem)[0])
    # Their files are still records of one id, which validate says.
    assert "path.clash" not in wanting(vault)


def test_letters_that_are_composed_in_two_ways(vault: Desk) -> None:
    vault.put("confirmed/caf\u00e9.md", MEMORY)
    vault.put("confirmed/cafe\u0301.md", MEMORY)
    problem = of_code(vault, "path.clash")
    vault.type(commands(problem)[0])
    assert "path.clash" not in wanting(vault)


def test_one_file_under_two_spellings(vault: Desk) -> None:
    """A second name of the same file stands for a file system that takes both for one."""
    pairs = (("caf\u00e9", "cafe\u0301"), ("mint", "Mint"))
    for name, _ in pairs:
        vault.put(f"confirmed/{name}.md", MEMORY)
    vault.git("add", "-A")
    for name, other in pairs:
        os.link(vault.root / f"confirmed/{name}.md", vault.root / f"confirmed/{other}.md")
    found = [problem for problem in findings(vault) if problem["code"] == "path.clash"]
    lines = [commands(problem)[0].removeprefix(f"git -C {vault.root} ") for problem in found]
    assert lines == [
        "mv -- confirmed/mint.md confirmed/Mint.md",
        "config core.precomposeUnicode true",
    ]


def test_what_a_sync_kept_and_head_has(vault: Desk) -> None:
    vault.git("update-ref", "refs/doll/rescue/20260820T143205Z", "HEAD")
    assert of_code(vault, "state.rescue")["severity"] == "note"


def test_experience_that_clashes(vault: Desk) -> None:
    for folder in ("Atlas", "atlas"):
        vault.put(f"experience/{folder}/{folder}-1.md", MEMORY)
    vault.git("add", "experience/atlas")
    vault.type(commands(of_code(vault, "path.clash"))[0])
    assert (vault.root / "experience/atlas/Atlas-1.md").exists()
    # They are two files still, of which one has to have another name.
    vault.type(commands(of_code(vault, "path.clash"))[0])
    assert "path.clash" not in wanting(vault)
    for name in ("a", "A"):
        vault.put(f"experience/atlas/{name}.md", MEMORY)
    vault.git("add", "experience")
    assert "keeps its names" in of_code(vault, "path.clash")["hint"]


def test_an_index_that_is_foreign_or_behind(vault: Desk) -> None:
    vault.ok("recall", "espresso")
    vault.put("confirmed/tea.md", MEMORY)
    assert "behind by 1 file" in of_code(vault, "index.behind")["message"]
    vault.type(commands(of_code(vault, "index.behind"))[0])
    assert noted(vault) == []
    place = vault.root / ".doll/cache/recall/index"
    place.write_bytes(place.read_bytes()[:-9])
    problem = of_code(vault, "index.unusable")
    vault.type(commands(problem)[0])
    assert "index.unusable" not in wanting(vault)


def test_a_cache_that_is_a_link(vault: Desk, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    shutil.rmtree(vault.root / ".doll", ignore_errors=True)
    (vault.root / ".doll").mkdir()
    (vault.root / ".doll/cache").symlink_to(tmp_path / "elsewhere")
    assert "cache.unused" in wanting(vault)
