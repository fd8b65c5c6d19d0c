"""Vaults that chance broke are read or refused: no traceback, no hang, no byte changed."""

import os
import shutil
from pathlib import Path
from random import Random

import pytest

from tests.desk import make_vault
from tests.fuzz_desk import READS, Taken, read_all
from tests.fuzzed_texts import text
from tests.fuzzed_trees import break_tree
from tests.gitbox import git, put

# So many trees, and so many of the commands on each.
TREES, COMMANDS = 2_000, 5
FILES, IN_ONE = 10_000, 100
FOLDERS = ("confirmed", "experience/atlas", "staging/pam/one", "authority/policies")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small vault with a record of most kinds, used once so that it has a cache."""
    root = make_vault(tmp_path_factory.mktemp("sound") / "notes")
    put(root, "confirmed/espresso.md", "---\ntitle: Espresso\n---\nNo sugar.\n")
    put(root, "authority/policies/ask.md", "---\neffect: deny\nactions: [db.drop]\n---\n")
    put(root, "staging/proposals/tea.md", "---\ntitle: Tea\norigin: model\n---\nGreen.\n")
    put(
        root,
        "experience/atlas/20260820T143205Z-attempt-locked-k3v9q2xw7d.md",
        "---\nproject: atlas\nkind: attempt\nassertion: user_recorded\nat: 2026-08-20T14:32:05Z\n"
        "summary: Locked\noutcome: failed\npaths: drops/**\n---\n",
    )
    git(root, "add", "-A")
    git(root, "commit", "-qm", "records")
    shutil.rmtree(root / ".git/hooks")
    read_all(root, READS, "sound")
    return root


def _tree(sound: Path, folder: Path, number: int) -> list[Taken]:
    root = folder / f"{number}" / "notes"
    shutil.copytree(sound, root, symlinks=True)
    done = break_tree(root, number)
    some = Random(f"commands {number}").sample(READS, COMMANDS)
    taken = read_all(root, some, f"tree {number}: {', '.join(done)}")
    shutil.rmtree(root.parent)
    return taken


def _files(sound: Path, folder: Path, start: int, many: int, reads: object = READS) -> list[Taken]:
    root = folder / f"files-{start}" / "notes"
    shutil.copytree(sound, root, symlinks=True)
    for number in range(start, start + many):
        put_bytes(root / FOLDERS[number % len(FOLDERS)] / f"n-{number}.md", text(number))
    if start % (2 * many):
        git(root, "add", "-A")
        git(root, "commit", "-qm", "files", "--no-verify")
    assert isinstance(reads, tuple)
    taken = read_all(root, reads, f"files {start}")
    shutil.rmtree(root.parent)
    return taken


def put_bytes(place: Path, data: bytes) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("number", range(0, TREES, TREES // 10))
def test_a_sample_of_trees(sound: Path, tmp_path: Path, number: int) -> None:
    _tree(sound, tmp_path, number)


def test_a_sample_of_files(sound: Path, tmp_path: Path) -> None:
    _files(sound, tmp_path, 0, 20, READS[:14:2])


@pytest.mark.soak
def test_all_trees(sound: Path, tmp_path: Path) -> None:
    _told([each for number in range(TREES) for each in _tree(sound, tmp_path, number)])


@pytest.mark.soak
def test_all_files(sound: Path, tmp_path: Path) -> None:
    starts = range(0, FILES, IN_ONE)
    _told([each for start in starts for each in _files(sound, tmp_path, start, IN_ONE)])


def _told(taken: list[Taken]) -> None:
    slowest = sorted(taken, key=lambda each: each.seconds)[-3:]
    whole = sum(each.seconds for each in taken)
    print(f"{len(taken):,} commands, {whole:.0f} s on {os.cpu_count()} processors, {slowest}")
