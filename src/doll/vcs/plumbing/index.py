"""The index: what is staged, what is tracked."""

from collections.abc import Sequence
from typing import NamedTuple

from doll.vcs.plumbing.ignoring import never_ending
from doll.vcs.plumbing.index_file import surely_lacks
from doll.vcs.plumbing.objects import TreeEntry, chosen, records_of, room_for
from doll.vcs.plumbing.repository import Repository, ask

# git knows these trees without an object in the repository.
EMPTY_TREE = {
    "sha1": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "sha256": "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}

# Differences as ids, without the user's `diff.*` settings for people. Renames stay two changes, the
# old path and the new one: that is exact, both paths count, and 5,000 files cost no comparison of
# contents.
RAW = (
    "--raw",
    "-z",
    "--no-abbrev",
    "--no-renames",
    "--no-ext-diff",
    "--no-textconv",
    "--no-relative",
    "--ignore-submodules=none",
    "-O/dev/null",
)
# What `git diff --cached` runs, with and without what `git add --intent-to-add` promised.
_DIFF_ALL = ("diff-index", "--cached", *RAW)
_DIFF = (*_DIFF_ALL, "--ita-invisible-in-index")


class Change(NamedTuple):
    """A path that differs between a commit (`old_*`) and the index.

    `status` is one letter: A added, M modified, D deleted, T of another type, U unmerged. A mode
    is `000000` and an object id all zeros on a side that has no file, both for the index of an
    unmerged path. A move is a D and an A.
    """

    path: str
    status: str
    old_mode: str
    old_oid: str
    mode: str
    oid: str


def staged(repository: Repository, against: str | None) -> tuple[Change, ...]:
    """Return what the index changes on the commit `against`, in git's byte order of the paths.

    None compares with nothing at all, which is right for a branch without a commit.
    """
    base = against or EMPTY_TREE[repository.algorithm]
    fields = records_of(ask(repository, *_DIFF, base, "--").stdout)
    changes = []
    for facts, path in zip(fields[::2], fields[1::2], strict=True):
        old_mode, mode, old_oid, oid, status = facts.removeprefix(":").split(" ")
        changes.append(Change(path, status[:1], old_mode, old_oid, mode, oid))
    return tuple(changes)


def promised(repository: Repository, against: str) -> tuple[str, ...]:
    """Return the files of `git add --intent-to-add`: told to git, and with no text in the index.

    `against` is the commit at HEAD. One process where nothing differs from it, else two.
    """
    fields = records_of(ask(repository, *_DIFF_ALL, against, "--").stdout)
    found = fields[1::2]
    known = {change.path for change in staged(repository, against)} if found else set()
    return tuple(path for path in found if path not in known)


def tracked(repository: Repository, paths: Sequence[str] = ()) -> tuple[TreeEntry, ...]:
    """Return the entries of the index at or below `paths` (none: all), in git's byte order.

    An unmerged path stands there once for each side that has it, with `stage` 1 (the common
    ancestor), 2 (ours) and 3 (theirs). An entry of `git add --intent-to-add` is one too.
    """
    few = room_for(paths)
    arguments = ("ls-files", "-s", "-z", "--full-name", "--", *(paths if few else ()))
    entries = [_entry(line) for line in records_of(ask(repository, *arguments).stdout)]
    return tuple(entries if few else chosen(entries, paths))


def tracks(repository: Repository, folder: str) -> bool:
    """Return whether the index has anything at or below `folder`.

    Most often the beginning of its file tells; git, which is asked else, reads all of it.
    """
    return not surely_lacks(repository, folder) and bool(tracked(repository, [folder]))


def differs(repository: Repository, commit: str, path: str) -> bool:
    """Return whether the work tree may differ from a commit at or below `path`, ignored files too.

    True also for a file of which only the times changed since git looked at it last, and where git
    would wait for a pipe for ever.
    """
    if never_ending(repository, [f"{path}/"]):
        return True
    quiet = ("diff-index", "--quiet", "--no-ext-diff", "--ignore-submodules=none", commit)
    if ask(repository, *quiet, "--", path, expected=(0, 1)).code:
        return True
    others = ask(repository, "ls-files", "-o", "-z", "--full-name", "--", path)
    return bool(others.stdout)


def skipped(repository: Repository, paths: Sequence[str]) -> frozenset[str]:
    """Return the files of the index at or below `paths` that are absent by the user's choice.

    They carry git's skip-worktree bit: a sparse checkout, or `update-index --skip-worktree`.
    """
    few = room_for(paths)
    arguments = ("ls-files", "-t", "-z", "--full-name", "--", *(paths if few else ()))
    lines = (line.partition(" ") for line in records_of(ask(repository, *arguments).stdout))
    found = [TreeEntry(path, "", "") for tag, _, path in lines if tag == "S"]
    return frozenset(entry.path for entry in (found if few else chosen(found, paths)))


def _entry(line: str) -> TreeEntry:
    facts, _, path = line.partition("\t")
    mode, oid, stage = facts.split(" ")
    return TreeEntry(path, mode, oid, int(stage))
