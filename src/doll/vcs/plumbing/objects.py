"""Commits, trees and blobs: what is committed."""

import os
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from doll.errors import GitError
from doll.vcs.plumbing.repository import Position, Repository, ask

# A command line has room for about this many bytes everywhere; beyond it all is listed and chosen.
_ROOM = 32_000

# `git log` with the names of what each commit changed, whatever the user's settings for people say.
_CHANGED_PATHS = (
    "-z",
    "-c",
    "--root",
    "--name-only",
    "--no-renames",
    "--no-show-signature",
    "--no-ext-diff",
    "-O/dev/null",
)


class TreeEntry(NamedTuple):
    """A path with its mode (`100644`, `100755`, `120000`, `160000`) and full object id.

    `stage` is 0, but 1 to 3 for the three sides of an unmerged path of the index.
    """

    path: str
    mode: str
    oid: str
    stage: int = 0


def position(repository: Repository) -> Position | None:
    """Return where HEAD was when the repository was found, None on a branch without a commit."""
    if repository.found_at is not None:
        return repository.found_at
    commit = head(repository)
    return None if commit is None else Position(commit, branch(repository))


def head_found(repository: Repository) -> str | None:
    """Return the id of the commit that HEAD named when the repository was found, or None."""
    found = position(repository)
    return found.commit if found else None


def head(repository: Repository) -> str | None:
    """Return the id of the commit that HEAD names now, None on a branch without a commit."""
    output = ask(repository, "rev-parse", "-q", "--verify", "HEAD", expected=(0, 1))
    return output.stdout.decode().strip() or None


def branch(repository: Repository) -> str | None:
    """Return the short name of the branch that HEAD is on now, None when it is detached."""
    output = ask(repository, "symbolic-ref", "-q", "HEAD", expected=(0, 1))
    return os.fsdecode(output.stdout).rstrip("\n").removeprefix("refs/heads/") or None


def broken_branch(repository: Repository) -> str | None:
    """Return the branch of HEAD where it is there and git cannot read it, None where all is well.

    `head` is None for such a branch, as it is on one without a commit.
    """
    output = ask(repository, "log", "-1", "--format=", expected=(0, 128))
    if output.code == 0 or b"appears to be broken" not in output.stderr:
        return None
    # `git symbolic-ref` does not name it.
    said = (repository.git_dir / "HEAD").read_text("utf-8", "surrogateescape")
    return said.removeprefix("ref:").strip().removeprefix("refs/heads/")


def lost_branch(repository: Repository) -> tuple[str, str] | None:
    """Return the branch of HEAD and the commit of its log, None where it never had one.

    git takes the log away with a branch that is deleted, so this one was lost.
    """
    name = branch(repository)
    commit = last_logged(repository, name) if name else None
    return (name, commit) if name and commit else None


def last_logged(repository: Repository, name: str) -> str | None:
    """Return the commit that a branch was at last as its log says, None where it says nothing."""
    try:
        log = (repository.common_dir / "logs/refs/heads" / name).read_bytes()
    except OSError:
        return None
    words = log.rstrip(b"\n").rpartition(b"\n")[2].split(b" ")
    commit = words[1].decode("ascii", "replace") if len(words) > 1 else ""
    return commit if commit.isalnum() and commit.strip("0") else None


def resolve(repository: Repository, revision: str) -> str | None:
    """Return the id of the commit that `revision` names, None when it names none, or no single one.

    `^main` is none: git takes it for all that is not in `main`.
    """
    if not revision or "\0" in revision:
        return None
    wanted = f"{revision}^{{commit}}"
    arguments = ("rev-parse", "-q", "--verify", "--end-of-options", wanted)
    output = ask(repository, *arguments, expected=(0, 1, 128))
    oid = output.stdout.decode("ascii", "replace").strip()
    return oid if output.code == 0 and oid.isalnum() else None


def is_here(repository: Repository, name: str) -> bool:
    """Return whether the repository holds the object that an id or a ref names."""
    return ask(repository, "cat-file", "-e", name, expected=(0, 1, 128)).code == 0


def merge_base(repository: Repository, one: str, other: str) -> str | None:
    """Return the best common ancestor of two commits, None when their histories are unrelated."""
    output = ask(repository, "merge-base", "--", one, other, expected=(0, 1))
    return output.stdout.decode().strip() or None


def tree(
    repository: Repository, commit: str | None, paths: Sequence[str] = ()
) -> tuple[TreeEntry, ...]:
    """Return the files of a commit at or below `paths` (none: all), in git's byte order.

    Submodules are entries too (mode 160000). A commit of None has no files.
    """
    if commit is None:
        return ()
    few = room_for(paths)
    arguments = ("ls-tree", "-r", "-z", "--full-tree", commit, "--", *(paths if few else ()))
    entries = []
    for line in records_of(ask(repository, *arguments).stdout):
        facts, _, path = line.partition("\t")
        mode, _, oid = facts.split(" ")
        entries.append(TreeEntry(path, mode, oid))
    return tuple(entries if few else chosen(entries, paths))


def folders(repository: Repository, commit: str, path: str) -> tuple[str, ...]:
    """Return the names of the folders right below a folder of a commit, none where it has none."""
    arguments = ("ls-tree", "-z", "-d", "--name-only", "--full-tree", commit, "--", f"{path}/")
    names = records_of(ask(repository, *arguments).stdout)
    return tuple(name.rpartition("/")[2] for name in names)


def blobs(
    repository: Repository, oids: Iterable[str], limit: int | None = None
) -> dict[str, bytes]:
    """Return the bytes of each blob by its object id, read by one process.

    With `limit` a larger blob is not read: `limit` + 1 zero bytes stand for it, which are too many
    for every reader. GitError: an id that the repository does not hold (nothing is fetched), or
    that is no blob.
    """
    wanted = list(dict.fromkeys(oids))
    if not wanted:
        return {}
    if not all(oid.isalnum() for oid in wanted):
        raise GitError(f"no object id: {next(oid for oid in wanted if not oid.isalnum())!r}")
    large = frozenset[str]() if limit is None else _larger(repository, wanted, limit)
    small = [oid for oid in wanted if oid not in large]
    feed = "\n".join(small).encode() + b"\n"
    output = ask(repository, "cat-file", "--batch", "--buffer", feed=feed) if small else None
    found = _contents(output.stdout, small) if output else {}
    return found | dict.fromkeys(large, bytes((limit or 0) + 1))


def _larger(repository: Repository, oids: Sequence[str], limit: int) -> frozenset[str]:
    """Return which of the blobs have more bytes than `limit`; what is missing is none."""
    feed = "\n".join(oids).encode() + b"\n"
    output = ask(repository, "cat-file", "--batch-check", "--buffer", feed=feed)
    lines = (line.split(b" ") for line in output.stdout.splitlines())
    sizes = zip(oids, lines, strict=False)
    return frozenset(oid for oid, facts in sizes if facts[1] == b"blob" and int(facts[2]) > limit)


def _contents(output: bytes, wanted: list[str]) -> dict[str, bytes]:
    found = {}
    at = 0
    for oid in wanted:
        end = output.find(b"\n", at)
        facts = output[at:end].split(b" ")
        if end < 0 or len(facts) != 3 or facts[1] != b"blob":
            said = output[at:end].decode("utf-8", "replace") if end >= 0 else "the answer ends"
            raise GitError(
                f"git cannot give the blob {oid}: {said}",
                hint="`git fsck` tells what is missing; a partial clone needs `git fetch` first",
            )
        size = int(facts[2])
        found[oid] = output[end + 1 : end + 1 + size]
        at = end + 1 + size + 1
    return found


def trailers(repository: Repository, commit: str, key: str) -> dict[str, frozenset[str]]:
    """Return, by path, the values of a trailer in the commits up to `commit` that changed it.

    One process reads the whole history; paths without such a commit are left out.
    """
    # Nothing of git's is a path that begins with a slash: it marks a commit among its paths.
    form = f"--format=/%(trailers:key={key},valueonly,separator=%x0A)"
    arguments = ("-i", "-E", f"--grep=^{key}:", form, *_CHANGED_PATHS, commit, "--")
    found: dict[str, frozenset[str]] = {}
    values: frozenset[str] = frozenset()
    for record in records_of(ask(repository, "log", *arguments).stdout):
        item = record.removeprefix("\n")
        if item.startswith("/"):
            values = frozenset(item[1:].split("\n"))
        elif item and values:
            found[item] = found.get(item, frozenset()) | values
    return found


def records_of(output: bytes) -> list[str]:
    """Return the NUL-terminated records of an output as text."""
    return os.fsdecode(output).split("\0")[:-1]


def room_for(paths: Sequence[str]) -> bool:
    """Tell whether `paths` fit on a command line."""
    return sum(len(path) for path in paths) + len(paths) < _ROOM


def chosen(entries: Iterable[TreeEntry], paths: Iterable[str]) -> list[TreeEntry]:
    """Return the entries that are one of `paths` or lie below one."""
    wanted = {path.rstrip("/") for path in paths}
    return [entry for entry in entries if _within(entry.path, wanted)]


def _within(path: str, wanted: set[str]) -> bool:
    while path:
        if path in wanted:
            return True
        path = path.rpartition("/")[0]
    return False
