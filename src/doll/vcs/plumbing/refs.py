"""Refs: which branch of a remote a branch follows, and where refs are."""

import os
from collections.abc import Iterable
from typing import NamedTuple

from doll.vcs.plumbing.objects import records_of
from doll.vcs.plumbing.repository import Repository, ask
from doll.vcs.plumbing.settings import config_section

_UPSTREAM = "--format=" + "".join(
    f"%({field})%00"
    for field in (
        "refname",
        "upstream:remotename",
        "upstream:remoteref",
        "upstream",
        "push:remotename",
    )
)
_PLACES = "--format=%(refname)%00%(objectname)%00"


class Upstream(NamedTuple):
    """What a branch follows: a remote's name (`.` for this repository) and its full ref there.

    `tracking` is the ref that says where that was when last fetched, "" where none does;
    `pushed` the remote that a plain `git push` of the branch goes to.
    """

    remote: str
    ref: str
    tracking: str
    pushed: str


def upstream(repository: Repository, branch: str) -> Upstream | None:
    """Return what a branch follows, None where it follows nothing."""
    name = f"refs/heads/{branch}"
    fields = records_of(ask(repository, "for-each-ref", _UPSTREAM, name).stdout)
    for found, remote, ref, tracking, pushed in zip(*[iter(fields)] * 5, strict=True):
        if found.strip("\n") == name:
            if remote and ref:
                return Upstream(remote, ref, tracking, pushed)
            return _without_tracking(repository, branch, pushed)
    return None


def _without_tracking(repository: Repository, branch: str, pushed: str) -> Upstream | None:
    """Return what a branch follows where no setting of `fetch` makes a ref of that here.

    git then says of it that it follows nothing.
    """
    settings = config_section(repository, "branch")
    remote, ref = (settings.get(f"{branch}.{name}", "") for name in ("remote", "merge"))
    return Upstream(remote, ref, "", pushed) if remote and ref else None


def commits_of(repository: Repository, names: Iterable[str]) -> dict[str, str]:
    """Return the object ids of the refs of these full names that are there."""
    wanted = {name for name in names if name}
    fields = records_of(ask(repository, "for-each-ref", _PLACES, *sorted(wanted)).stdout)
    pairs = zip(fields[::2], fields[1::2], strict=True)
    return {name: oid for line, oid in pairs if (name := line.strip("\n")) in wanted}


def standing(repository: Repository, names: Iterable[str]) -> tuple[str, dict[str, str]]:
    """Return which of the refs of these full names HEAD is on, "" for none, and all their ids."""
    wanted = {name for name in names if name}
    form = f"{_PLACES}%(HEAD)%00"
    fields = records_of(ask(repository, "for-each-ref", form, *sorted(wanted)).stdout)
    found = [
        (name, oid, mark)
        for line, oid, mark in zip(*[iter(fields)] * 3, strict=True)
        if (name := line.strip("\n")) in wanted
    ]
    head = next((name for name, _, mark in found if mark == "*"), "")
    return head, {name: oid for name, oid, _ in found}


def refs_at(repository: Repository, names: Iterable[str], folder: str) -> dict[str, str]:
    """Return the object ids of the refs of these full names, and of all below a folder of refs."""
    wanted, below = {name for name in names if name}, f"{folder}/"
    fields = records_of(ask(repository, "for-each-ref", _PLACES, *sorted(wanted), below).stdout)
    pairs = zip(fields[::2], fields[1::2], strict=True)
    found = ((line.strip("\n"), oid) for line, oid in pairs)
    return {name: oid for name, oid in found if name in wanted or name.startswith(below)}


def refs_below(repository: Repository, folder: str) -> dict[str, str]:
    """Return the object ids of all refs below a folder of refs, by full name."""
    fields = records_of(ask(repository, "for-each-ref", _PLACES, f"{folder}/").stdout)
    return {line.strip("\n"): oid for line, oid in zip(fields[::2], fields[1::2], strict=True)}


def has_below(repository: Repository, folder: str, commit: str) -> bool:
    """Return whether a ref below a folder of refs has a commit in its history."""
    arguments = ("for-each-ref", "--count=1", f"--contains={commit}", f"{folder}/")
    return bool(ask(repository, *arguments, expected=(0, 129)).stdout)


def unmerged(repository: Repository) -> tuple[str, ...]:
    """Return the paths of the index that a merge has left unsettled, sorted."""
    output = ask(repository, "ls-files", "-u", "-z", "--full-name").stdout
    return tuple(sorted({os.fspath(line.partition("\t")[2]) for line in records_of(output)}))


def commits_between(repository: Repository, last: str, *known: str) -> tuple[str, ...]:
    """Return the commits that the history of `last` has and those of `known` have not."""
    without = [f"^{each}" for each in known]
    return tuple(ask(repository, "rev-list", last, *without, "--").stdout.decode("ascii").split())


def own_commits(repository: Repository, last: str, known: str) -> tuple[str, ...]:
    """Return the commits that `last` has and `known` has not, also not remade; oldest first.

    Without merges: these are the commits to pick where `last` is to be made anew on `known`.
    """
    options = ("--reverse", "--topo-order", "--no-merges", "--cherry-pick", "--right-only")
    output = ask(repository, "rev-list", *options, f"{known}...{last}", "--").stdout
    return tuple(output.decode("ascii").split())


def count_commits(
    repository: Repository, last: str, *known: str | None, merges: bool = True
) -> int:
    """Return how many commits the history of `last` has that those of `known` have not."""
    options = [] if merges else ["--no-merges"]
    without = [f"^{each}" for each in known if each]
    return int(ask(repository, "rev-list", "--count", *options, last, *without, "--").stdout)
