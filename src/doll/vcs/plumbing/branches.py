"""Branches: what a file is in each of them, here and at `origin` when last fetched; names."""

import os
from collections.abc import Iterator
from pathlib import Path

from doll.errors import GitError
from doll.vcs.plumbing.process import environment, run
from doll.vcs.plumbing.repository import Repository, ask

_REFS = ("refs/heads/", "refs/remotes/origin/")


def file_of_branches(
    repository: Repository, path: str, head: str
) -> tuple[bytes | None, dict[str, frozenset[bytes]]]:
    """Return the bytes that the file at `path` has in the commit `head`, and in each branch.

    Branches are named by their short name: one that is here and at `origin` can have two contents.
    A commit without the file has None, a branch without it is left out. GitError for a path with
    a line feed, which git's batches cannot take.
    """
    if "\n" in path:
        raise GitError(f"the path {path!r} holds a line feed")
    names = _branches(repository)
    commits = [head, *(oid for oid in names if oid != head)]
    feed = b"".join(f"{oid}:".encode() + os.fsencode(path) + b"\n" for oid in commits)
    output = ask(repository, "cat-file", "--batch", "--buffer", feed=feed).stdout
    contents = dict(zip(commits, _contents(output), strict=True))
    found: dict[str, set[bytes]] = {}
    for oid, branches in names.items():
        data = contents[oid]
        if data is not None:
            for branch in branches:
                found.setdefault(branch, set()).add(data)
    return contents[head], {branch: frozenset(each) for branch, each in found.items()}


def _contents(output: bytes) -> Iterator[bytes | None]:
    at = 0
    while at < len(output):
        end = output.index(b"\n", at)
        facts = output[at:end].rsplit(b" ", 2)
        at = end + 1
        if facts[-1] == b"missing":
            yield None
            continue
        size = int(facts[-1])
        yield output[at : at + size] if facts[-2] == b"blob" else None
        at += size + 1


def _branches(repository: Repository) -> dict[str, list[str]]:
    """Return the names of the branches by the commit at their tip."""
    form = "--format=%(objectname) %(refname)"
    lines = os.fsdecode(ask(repository, "for-each-ref", form, *_REFS).stdout).splitlines()
    names: dict[str, list[str]] = {}
    for line in lines:
        oid, _, ref = line.partition(" ")
        prefix = next(prefix for prefix in _REFS if ref.startswith(prefix))
        names.setdefault(oid, []).append(ref.removeprefix(prefix))
    return names


def is_branch_name(name: str) -> bool:
    """Return whether git takes `name` for the name of a new branch."""
    arguments = ("check-ref-format", "--branch", name)
    return run(arguments, Path("/"), environment(own=False), expected=(0, 1, 128)).code == 0
