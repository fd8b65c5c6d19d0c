"""Commits, trees and blobs as values."""

import os
from pathlib import Path

import pytest

from doll.errors import GitError
from doll.records.digest import blob_id
from doll.vcs import plumbing
from tests.gitbox import found, git, make, put

pytestmark = pytest.mark.sampled(4)

STRANGE = ["-x", ":(glob)a", "a b", "q\"'q", "new\nline", "tab\there", "ü 記憶", "star*", "[x]"]


def test_unborn(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "notes/main")
    repository = found(tmp_path)
    assert plumbing.head(repository) is None
    assert plumbing.branch(repository) == "notes/main"
    assert plumbing.resolve(repository, "HEAD") is None
    assert plumbing.tree(repository, plumbing.head(repository), ["x"]) == ()


def test_head_branch_and_resolve(tmp_path: Path) -> None:
    top = make(tmp_path / "r")
    repository = found(top)
    first = git(top, "rev-parse", "HEAD")
    assert plumbing.head(repository) == first
    assert plumbing.branch(repository) == "main"
    git(top, "tag", "-a", "v1", "-m", "one")
    git(top, "checkout", "-q", "--detach")
    assert plumbing.branch(repository) is None
    assert plumbing.resolve(repository, "v1") == first
    assert plumbing.resolve(repository, first[:10]) == first


@pytest.mark.parametrize(
    "words",
    [
        "status",
        "switch -q -c topic/ü",
        "switch -q --detach",
        "switch -q --orphan empty",
        "tag HEAD",
        "update-ref refs/heads/HEAD HEAD",
        "symbolic-ref refs/heads/main refs/heads/other",
        "symbolic-ref HEAD refs/tags/one",
    ],
)
def test_where_head_was_found_is_where_it_is(words: str, tmp_path: Path) -> None:
    top = make(tmp_path / "r")
    git(top, "branch", "other")
    git(top, "tag", "one")
    git(top, *words.split())
    repository = found(top)
    commit, branch = plumbing.head(repository), plumbing.branch(repository)
    position = plumbing.position(repository)
    assert position == (None if commit is None else (commit, branch))
    assert plumbing.head_found(repository) == commit


def test_where_head_was_found_stays(tmp_path: Path) -> None:
    top = make(tmp_path / "r")
    repository = found(top)
    before = plumbing.head(repository)
    git(top, "commit", "-q", "--allow-empty", "-m", "second")
    git(top, "switch", "-q", "-c", "topic")
    assert plumbing.position(repository) == (before, "main")
    assert plumbing.branch(repository) == "topic"


@pytest.mark.parametrize(
    "revision", ["", "nothing", "--all", "main..main", "HEAD^{tree}", "HEAD:README", "a\nb", "\0"]
)
def test_what_names_no_commit(tmp_path: Path, revision: str) -> None:
    assert plumbing.resolve(found(make(tmp_path / "r")), revision) is None


def test_merge_base(tmp_path: Path) -> None:
    top = make(tmp_path / "r")
    repository = found(top)
    base = plumbing.head(repository)
    git(top, "checkout", "-qb", "side")
    git(top, "commit", "-qm", "side", "--allow-empty")
    git(top, "checkout", "-q", "main")
    git(top, "commit", "-qm", "main", "--allow-empty")
    assert plumbing.merge_base(repository, "main", "side") == base
    git(top, "checkout", "-q", "--orphan", "other")
    git(top, "commit", "-qm", "other")
    assert plumbing.merge_base(repository, "main", "other") is None
    with pytest.raises(GitError, match="merge-base"):
        plumbing.merge_base(repository, "main", "nothing")


def test_tree_of_strange_names(tmp_path: Path) -> None:
    top = make(tmp_path / "r")
    for name in STRANGE:
        put(top, name, name)
        put(top, f"folder/{name}", name)
    (top / os.fsdecode(b"latin-\xe9")).write_bytes(b"x")
    (top / "run").write_text("#!/bin/sh\n")
    (top / "run").chmod(0o755)
    (top / "link").symlink_to("run")
    git(top, "add", "-A")
    git(top, "commit", "-qm", "names")
    repository = found(top)
    entries = plumbing.tree(repository, "HEAD")
    paths = [entry.path for entry in entries]
    assert paths == sorted(paths, key=os.fsencode)
    assert set(paths) >= {*STRANGE, *(f"folder/{name}" for name in STRANGE), "latin-\udce9"}
    modes = {entry.path: entry.mode for entry in entries}
    assert (modes["run"], modes["link"], modes["README"]) == ("100755", "120000", "100644")
    for name in STRANGE:
        (entry,) = plumbing.tree(repository, "HEAD", [name])
        assert entry.path == name
        assert entry.oid == blob_id(name.encode(), "sha1")
    below = plumbing.tree(repository, "HEAD", ["folder"])
    assert len(below) == len(STRANGE)
    assert plumbing.tree(repository, "HEAD", ["folder/"]) == below
    assert plumbing.tree(repository, "HEAD", ["fold", "missing"]) == ()
    many = [f"no-such-folder/{number}" for number in range(5000)]
    assert plumbing.tree(repository, "HEAD", ["folder", *many]) == below


def test_blobs_by_one_process(tmp_path: Path) -> None:
    top = make(tmp_path / "r")
    bodies = {f"f{n}": f"{n}\n" * n for n in range(300)}
    for name, text in bodies.items():
        put(top, name, text)
    large = os.urandom(3_000_000)
    (top / "large").write_bytes(large)
    git(top, "add", "-A")
    repository = found(top)
    oids = {entry.path: entry.oid for entry in plumbing.tracked(repository)}
    contents = plumbing.blobs(repository, [*oids.values(), oids["f1"]])
    assert contents[oids["large"]] == large
    assert all(contents[oids[name]] == text.encode() for name, text in bodies.items())
    assert plumbing.blobs(repository, []) == {}


def test_very_many_blobs_do_not_block(tmp_path: Path) -> None:
    top = make(tmp_path / "r")
    put(top, "big", "x" * 70_000)
    git(top, "add", "-A")
    (oid,) = (entry.oid for entry in plumbing.tracked(found(top), ["big"]))
    # Ask for more than both pipes hold: with unknown ids among them the answer is an error.
    with pytest.raises(GitError, match="missing"):
        plumbing.blobs(found(top), [oid, *(f"{number:040x}" for number in range(20_000))])


@pytest.mark.parametrize("oid", ["0" * 40, "HEAD", "HEAD^{tree}", "x\ny"])
def test_what_is_no_blob(tmp_path: Path, oid: str) -> None:
    with pytest.raises(GitError):
        plumbing.blobs(found(make(tmp_path / "r")), [oid])


def test_replace_refs_do_not_change_what_an_id_names(tmp_path: Path) -> None:
    top = make(tmp_path / "r")
    repository = found(top)
    (entry,) = plumbing.tree(repository, "HEAD")
    put(top, "forged", "forged\n")
    git(top, "replace", entry.oid, git(top, "hash-object", "-w", "forged"))
    assert git(top, "cat-file", "-p", entry.oid) == "forged"
    assert plumbing.blobs(repository, [entry.oid]) == {entry.oid: b"hello\n"}


def test_a_partial_clone_fetches_nothing(tmp_path: Path) -> None:
    top = make(tmp_path / "source")
    git(top, "config", "uploadpack.allowFilter", "true")
    git(
        *(tmp_path, "clone", "-q", "--no-checkout", "--filter=blob:none"),
        *(f"file://{top}", "partial"),
    )
    repository = found(tmp_path / "partial")
    (entry,) = plumbing.tree(repository, "HEAD")
    with pytest.raises(GitError):
        plumbing.blobs(repository, [entry.oid])
    listed = git(tmp_path / "partial", "rev-list", "--objects", "--missing=print", "HEAD")
    assert f"?{entry.oid}" in listed


def test_submodules_are_entries(tmp_path: Path) -> None:
    inner, outer = make(tmp_path / "inner"), make(tmp_path / "outer")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "sub")
    git(outer, "commit", "-qm", "sub")
    modes = {entry.path: entry.mode for entry in plumbing.tree(found(outer), "HEAD")}
    assert modes["sub"] == "160000"
