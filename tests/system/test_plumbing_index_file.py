"""What the beginning of the index file tells, against what git lists, in each form of an index."""

from collections.abc import Callable
from pathlib import Path

import pytest

from doll.vcs.plumbing import find, looking, tracked, tracks
from doll.vcs.plumbing.index_file import flagged, surely_lacks
from tests.gitbox import found, git, make, put

pytestmark = pytest.mark.sampled(4)

CACHE = ".doll/cache"
Change = Callable[[Path], object]


def _intended(top: Path) -> None:
    put(top, ".a", "x")
    git(top, "add", "-N", ".a")


def _sparse(top: Path) -> None:
    git(top, "sparse-checkout", "set", "--cone", "--sparse-index", "authority")


def _many(top: Path) -> None:
    for number in range(900):
        put(top, f".a/{number:0100}", "x")
    git(top, "add", "-A")


def _vault(folder: Path, *options: str) -> Path:
    top = make(folder, *options)
    for path in (".doll/schemas/a.json", ".doll/caches", ".doll-x", "authority/README.md"):
        put(top, path, "x\n")
    git(top, "add", "-A")
    git(top, "commit", "-qm", "second")
    return top


@pytest.mark.parametrize("kind", ["sha1", "sha256"])
@pytest.mark.parametrize("change", [lambda _: None, _intended], ids=["version 2", "version 3"])
def test_a_usual_index_tells_that_the_cache_is_not_in_it(
    kind: str, change: Change, tmp_path: Path
) -> None:
    top = _vault(tmp_path / "r", f"--object-format={kind}")
    change(top)
    assert surely_lacks(found(top), CACHE)
    assert not tracks(found(top), CACHE)
    # A file of a longer name is none below the folder.
    assert not surely_lacks(found(top), ".doll/caches")
    assert tracks(found(top), ".doll/caches")


@pytest.mark.parametrize(
    "change",
    [
        lambda top: put(top, f"{CACHE}/recall/index", "x"),
        lambda top: put(top, CACHE, "a file in its place"),
    ],
    ids=["below", "in its place"],
)
def test_what_is_tracked_is_found(change: Change, tmp_path: Path) -> None:
    top = _vault(tmp_path / "r")
    change(top)
    git(top, "add", "-f", ".doll")
    assert not surely_lacks(found(top), CACHE)
    assert tracks(found(top), CACHE)


@pytest.mark.parametrize(
    "change",
    [
        lambda top: git(top, "update-index", "--index-version", "4"),
        lambda top: git(top, "update-index", "--split-index"),
        _sparse,
        _many,
        lambda top: (top / ".git" / "index").unlink(),
        lambda top: (top / ".git" / "index").write_bytes(b"DIRC\0\0\0\2"),
    ],
    ids=["version 4", "split", "sparse", "far back", "none", "cut off"],
)
def test_an_index_of_another_form_leaves_it_to_git(change: Change, tmp_path: Path) -> None:
    top = _vault(tmp_path / "r")
    change(top)
    assert not surely_lacks(found(top), CACHE)


@pytest.mark.parametrize("prefix", ["", "notes/"])
def test_both_say_the_same_of_every_path(prefix: str, tmp_path: Path) -> None:
    top = _vault(tmp_path / "r")
    put(top, f"{prefix}a-b/c", "x")
    put(top, f"{prefix}a/c", "x")
    git(top, "add", "-A")
    listed = {entry.path for entry in tracked(found(top))}
    asked = {path for each in listed for path in (each, f"{each}0", str(Path(each).parent))}
    for path in sorted(asked - {"."}):
        assert tracks(found(top), path) == bool(tracked(found(top), [path])), path


def test_the_index_of_a_hook_is_the_one_it_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = _vault(tmp_path / "r")
    git(top, "read-tree", "HEAD", GIT_INDEX_FILE=".git/other")
    put(top, f"{CACHE}/a", "x")
    git(top, "add", "-f", CACHE, GIT_INDEX_FILE=".git/other")
    monkeypatch.chdir(top)
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/other")
    own, other = find(top, own=True), find(top)
    assert own is not None
    assert other is not None
    assert tracks(own, CACHE)
    assert not tracks(other, CACHE)


FLAGS = ("--skip-worktree", "--assume-unchanged")


@pytest.mark.parametrize("kind", ["sha1", "sha256"])
@pytest.mark.parametrize("flags", [(), FLAGS[:1], FLAGS[1:], FLAGS], ids=repr)
def test_flags_are_those_that_git_lists(kind: str, flags: tuple[str, ...], tmp_path: Path) -> None:
    top = _vault(tmp_path / "r", f"--object-format={kind}")
    folder = "/".join(["d" * 200] * 18)
    for number in range(20):
        put(top, f"confirmed/{'m' * number}é.md", "x\n")
    # Longer than what the length of a name can say.
    assert len(folder) > 3_600
    git(top, "add", "-A")
    oid = git(top, "hash-object", "README")
    long = [f"{folder}/{'n' * 495}{letter}" for letter in "ab"]
    for path in long:
        git(top, "update-index", "--add", "--cacheinfo", f"100644,{oid},{path}")
    for flag in flags:
        for number in range(0, 20, 3 + FLAGS.index(flag)):
            git(top, "update-index", flag, f"confirmed/{'m' * number}é.md")
    told = flagged(found(top))
    said = looking.flagged(found(top), [])
    assert told is not None
    # One with both flags is listed once, and either tells.
    assert {*told.skipped, *told.assumed} == {*said.skipped, *said.assumed}
    assert bool(flags) == bool(told.skipped or told.assumed)


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_flags_of_an_index_that_is_cut_off_or_of_another_form(version: str, tmp_path: Path) -> None:
    top = _vault(tmp_path / "r")
    git(top, "update-index", "--index-version", version)
    if version == "3":
        git(top, "update-index", "--skip-worktree", "README")
    index = top / ".git" / "index"
    data = index.read_bytes()
    assert (flagged(found(top)) is None) == (version == "4")
    repository = found(top)
    for length in range(0, len(data), 7):
        index.write_bytes(data[:length])
        flagged(repository)
    index.write_bytes(data[:100])
    assert flagged(repository) is None
