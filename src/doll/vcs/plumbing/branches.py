"""Branches: what a file is in each of them, here and at the remotes when last fetched; names."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from doll.errors import GitError
from doll.vcs.plumbing.process import environment, run
from doll.vcs.plumbing.repository import Repository, ask
from doll.vcs.plumbing.settings import config_section

_HERE, _REMOTE = "refs/heads/", "refs/remotes/"


class Places(NamedTuple):
    """Where git fetches a remote from, and where it pushes to; both empty for a plain URL."""

    fetched: tuple[str, ...]
    pushed: tuple[str, ...]


def file_of_branches(
    repository: Repository, path: str, head: str
) -> tuple[bytes | None, dict[str, frozenset[bytes]]]:
    """Return the bytes that the file at `path` has in the commit `head`, and in each branch.

    Branches are named by their short name: one that is here and at a remote can have two contents.
    One at a remote has more names than one where it may: nobody says where the remote's own ends.
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


def common_ancestor(repository: Repository, names: Iterable[str]) -> str | None:
    """Return the best commit that all branches of these names have, here and at the remotes.

    None where their histories have nothing in common.
    """
    wanted = set(names)
    tips = [oid for oid, found in _branches(repository).items() if not wanted.isdisjoint(found)]
    output = ask(repository, "merge-base", "--octopus", *tips, expected=(0, 1)) if tips else None
    return (output.stdout.decode("ascii").strip() or None) if output else None


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
    output = ask(repository, "for-each-ref", form, _HERE, _REMOTE).stdout
    lines = os.fsdecode(output).splitlines()
    names: dict[str, list[str]] = {}
    for line in lines:
        oid, _, ref = line.partition(" ")
        names.setdefault(oid, []).extend(_names_of(ref))
    return names


def _names_of(ref: str) -> list[str]:
    """Return the names that the branch of a ref may have: a remote's name may hold slashes too."""
    if ref.startswith(_HERE):
        return [ref.removeprefix(_HERE)]
    parts = ref.removeprefix(_REMOTE).split("/")
    return ["/".join(parts[start:]) for start in range(1, len(parts))]


def remotes(repository: Repository) -> tuple[str, ...]:
    """Return the names of the remotes, sorted."""
    settings = config_section(repository, "remote")
    return tuple(sorted({name.rpartition(".")[0] for name in settings} - {""}))


def places(repository: Repository, remote: str) -> Places:
    """Return the places of a remote, as settings like `pushurl` and `pushInsteadOf` make them."""
    found: dict[str, list[str]] = {"fetch": [], "push": []}
    for line in os.fsdecode(ask(repository, "remote", "-v").stdout).splitlines():
        name, _, rest = line.partition("\t")
        for way, listed in found.items():
            place, mark, _ = rest.rpartition(f" ({way})")
            if name == remote and mark:
                listed.append(place)
    return Places(tuple(found["fetch"]), tuple(found["push"]))


def is_branch_name(name: str) -> bool:
    """Return whether git takes `name` for the name of a new branch."""
    arguments = ("check-ref-format", "--branch", name)
    return run(arguments, Path("/"), environment(own=False), expected=(0, 1, 128)).code == 0
