"""What is staged, from every way of calling `git commit`."""

import json
import sys
from pathlib import Path

import pytest

from doll.records.digest import blob_id
from doll.vcs import plumbing
from doll.vcs.plumbing import Change
from doll.vcs.plumbing.index import differs
from tests.gitbox import found, git, hook, make, put

ZERO = "0" * 40
WITNESS = """#!{python}
import json, sys
from pathlib import Path
from doll.vcs import plumbing
repository = plumbing.find(Path.cwd(), own=True)
changes = plumbing.staged(repository, plumbing.head(repository))
oids = [change.oid for change in changes if change.status != "D"]
texts = plumbing.blobs(repository, oids)
seen = [[c.path, c.status, texts.get(c.oid, b"").decode()] for c in changes]
Path({out!r}).write_text(json.dumps([str(repository.top), seen]))
"""


def _oid(text: str) -> str:
    return blob_id(text.encode(), "sha1")


def test_every_kind_of_change(tmp_path: Path) -> None:
    top = make(tmp_path / "r")
    for name in ("gone", "edited", "moved", "mode", "type", "untouched"):
        put(top, name, f"{name}\n")
    git(top, "add", "-A")
    git(top, "commit", "-qm", "second")
    put(top, "ü new", "new\n")
    put(top, "edited", "edited again\n")
    (top / "gone").unlink()
    (top / "moved").rename(top / "to")
    (top / "mode").chmod(0o755)
    (top / "type").unlink()
    (top / "type").symlink_to("to")
    git(top, "add", "-A")
    put(top, "untouched", "not staged\n")
    put(top, "intended", "x")
    git(top, "add", "-N", "intended")
    repository = found(top)
    plain, link, none = "100644", "120000", "000000"
    assert plumbing.staged(repository, plumbing.head(repository)) == (
        Change("edited", "M", plain, _oid("edited\n"), plain, _oid("edited again\n")),
        Change("gone", "D", plain, _oid("gone\n"), none, ZERO),
        Change("mode", "M", plain, _oid("mode\n"), "100755", _oid("mode\n")),
        Change("moved", "D", plain, _oid("moved\n"), none, ZERO),
        Change("to", "A", none, ZERO, plain, _oid("moved\n")),
        Change("type", "T", plain, _oid("type\n"), link, _oid("to")),
        Change("ü new", "A", none, ZERO, plain, _oid("new\n")),
    )


def test_the_users_diff_settings_change_nothing(tmp_path: Path) -> None:
    top = make(tmp_path / "r")
    for name in ("b", "a"):
        put(top, f"sub/{name}", f"{name}\n" * 50)
    git(top, "add", "-A")
    git(top, "commit", "-qm", "second")
    (top / "sub" / "a").rename(top / "sub" / "c")
    put(top, "sub/b", "changed\n")
    git(top, "add", "-A")
    repository = found(top)
    before = plumbing.staged(repository, "HEAD")
    put(top, "order", "sub/c\nsub/b\n")
    for key, value in {
        "diff.renames": "copies",
        "diff.orderFile": str(top / "order"),
        "diff.external": "false",
        "diff.noprefix": "true",
        "diff.relative": "true",
        "diff.ignoreSubmodules": "all",
        "core.quotePath": "true",
        "core.abbrev": "7",
        "color.ui": "always",
        "core.pager": "false",
    }.items():
        git(top, "config", key, value)
    assert plumbing.staged(repository, "HEAD") == before
    assert plumbing.staged(found(top / "sub"), "HEAD") == before
    assert [change.status for change in before] == ["D", "M", "A"]


@pytest.mark.parametrize("algorithm", ["sha1", "sha256"])
def test_an_unborn_branch_compares_with_nothing(tmp_path: Path, algorithm: str) -> None:
    git(tmp_path, "init", "-q", f"--object-format={algorithm}")
    put(tmp_path, "a", "a")
    git(tmp_path, "add", "a")
    repository = found(tmp_path)
    (change,) = plumbing.staged(repository, plumbing.head(repository))
    assert (change.path, change.status) == ("a", "A")
    assert plumbing.blobs(repository, [change.oid]) == {change.oid: b"a"}


def test_unmerged_paths(tmp_path: Path) -> None:
    top = make(tmp_path / "r")
    git(top, "checkout", "-qb", "side")
    put(top, "README", "theirs\n")
    put(top, "both", "theirs\n")
    git(top, "add", "-A")
    git(top, "commit", "-qm", "side")
    git(top, "checkout", "-q", "main")
    put(top, "README", "ours\n")
    put(top, "both", "ours\n")
    git(top, "add", "-A")
    git(top, "commit", "-qm", "main")
    git(top, "merge", "side", code=1)
    repository = found(top)
    changes = plumbing.staged(repository, plumbing.head(repository))
    assert [(c.path, c.status, c.oid) for c in changes] == [
        ("README", "U", ZERO),
        ("both", "U", ZERO),
    ]
    entries = plumbing.tracked(repository, ["README"])
    assert [(e.stage, e.oid) for e in entries] == [
        (1, _oid("hello\n")),
        (2, _oid("ours\n")),
        (3, _oid("theirs\n")),
    ]
    assert [e.stage for e in plumbing.tracked(repository, ["both"])] == [2, 3]


def test_tracked_takes_paths_to_the_letter(tmp_path: Path) -> None:
    top = make(tmp_path / "r")
    for name in ("a*", "ab", ":(top)x", "-n", "dir/one"):
        put(top, name, name)
    git(top, "add", "-A")
    repository = found(top)
    for name in ("a*", "ab", ":(top)x", "-n"):
        assert [entry.path for entry in plumbing.tracked(repository, [name])] == [name]
    assert [entry.path for entry in plumbing.tracked(found(top / "dir"), ["dir"])] == ["dir/one"]
    many = [f"missing/{number}" for number in range(6000)]
    assert [e.path for e in plumbing.tracked(repository, [*many, "dir"])] == ["dir/one"]


@pytest.fixture
def watched(tmp_path: Path) -> tuple[Path, Path]:
    """Return a repository with a hook that writes down what plumbing sees, and where it does."""
    top = make(tmp_path / "code")
    put(top, "other", "other\n")
    git(top, "add", "-A")
    git(top, "commit", "-qm", "second")
    out = tmp_path / "seen.json"
    hook(top, WITNESS.format(python=sys.executable, out=str(out)))
    return top, out


def _seen(out: Path) -> tuple[str, list[list[str]]]:
    top, seen = json.loads(out.read_text())
    return top, seen


def test_commit(watched: tuple[Path, Path]) -> None:
    top, out = watched
    put(top, "README", "staged\n")
    git(top, "add", "README")
    put(top, "README", "edited after\n")
    (top / "deep").mkdir()
    git(top / "deep", "commit", "-qm", "x")
    assert _seen(out) == (str(top), [["README", "M", "staged\n"]])


def test_commit_all(watched: tuple[Path, Path]) -> None:
    top, out = watched
    put(top, "README", "not staged\n")
    git(top, "commit", "-qam", "x")
    assert _seen(out) == (str(top), [["README", "M", "not staged\n"]])


def test_commit_of_a_path(watched: tuple[Path, Path]) -> None:
    top, out = watched
    put(top, "README", "named\n")
    put(top, "other", "staged, not named\n")
    git(top, "add", "other")
    git(top, "commit", "-qm", "x", "--", "README")
    assert _seen(out) == (str(top), [["README", "M", "named\n"]])
    assert [c.path for c in plumbing.staged(found(top), "HEAD")] == ["other"]


def test_commit_in_a_linked_work_tree(watched: tuple[Path, Path], tmp_path: Path) -> None:
    top, out = watched
    linked = tmp_path / "linked"
    git(top, "worktree", "add", "-q", str(linked))
    put(top, "other", "staged in the main one\n")
    git(top, "add", "other")
    put(linked, "README", "linked\n")
    git(linked, "commit", "-qam", "x")
    assert _seen(out) == (str(linked), [["README", "M", "linked\n"]])


def test_commit_with_the_places_given(watched: tuple[Path, Path], tmp_path: Path) -> None:
    top, out = watched
    tree = tmp_path / "elsewhere"
    tree.mkdir()
    places = ("--git-dir=code/.git", "--work-tree=elsewhere")
    put(tree, "README", "elsewhere\n")
    git(tmp_path, *places, "add", "README")
    git(tmp_path, *places, "commit", "-qm", "x")
    assert _seen(out) == (str(tree), [["README", "M", "elsewhere\n"]])
    assert top != tree


def test_commit_in_a_submodule(tmp_path: Path) -> None:
    inner, outer = make(tmp_path / "inner"), make(tmp_path / "outer")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "sub")
    out = tmp_path / "seen.json"
    hook(outer / "sub", WITNESS.format(python=sys.executable, out=str(out)))
    put(outer / "sub", "README", "sub\n")
    git(outer / "sub", "commit", "-qam", "x")
    assert _seen(out) == (str(outer / "sub"), [["README", "M", "sub\n"]])


def test_commit_in_the_middle_of_a_rebase(watched: tuple[Path, Path]) -> None:
    top, out = watched
    git(top, "checkout", "-qb", "side", "HEAD~1")
    put(top, "other", "mine\n")
    git(top, "add", "-A")
    git(top, "commit", "-qm", "side", "--no-verify")
    git(top, "rebase", "main", code=1)
    put(top, "other", "both\n")
    git(top, "add", "-A")
    git(top, "commit", "-qm", "side")
    assert _seen(out) == (str(top), [["other", "M", "both\n"]])


def test_a_commit_that_ends_a_merge(watched: tuple[Path, Path]) -> None:
    top, out = watched
    git(top, "checkout", "-qb", "side", "HEAD~1")
    put(top, "new", "side\n")
    git(top, "add", "-A")
    git(top, "commit", "-qm", "side", "--no-verify")
    git(top, "checkout", "-q", "main")
    git(top, "merge", "-q", "--no-commit", "--no-ff", "side")
    git(top, "commit", "-qm", "merged")
    assert _seen(out) == (str(top), [["new", "A", "side\n"]])


def test_a_work_tree_differs_by_anything_below_a_path(tmp_path: Path) -> None:
    top = make(tmp_path / "r")
    for name in ("notes/a [b]/one", "notes/other/two", ".gitignore"):
        put(top, name, "text\n")
    put(top, ".gitignore", "*.log\n")
    git(top, "add", "-A")
    git(top, "commit", "-qm", "second")
    repository = found(top)
    head = plumbing.head(repository) or ""

    def seen() -> list[bool]:
        return [differs(repository, head, f"notes/{name}") for name in ("a [b]", "other")]

    assert seen() == [False, False]
    put(top, "notes/other/two", "edited\n")
    assert seen() == [False, True]
    put(top, "notes/other/two", "text\n")
    put(top, "notes/a [b]/ignored.log", "new\n")
    assert seen()[0]
    (top / "notes/a [b]/ignored.log").unlink()
    (top / "notes/a [b]/one").unlink()
    assert seen()[0]
    git(top, "add", "-A")
    assert seen()[0]
    git(top, "commit", "-qm", "gone")
    assert seen()[0]
    assert not differs(repository, plumbing.head(repository) or "", "notes/a [b]")
