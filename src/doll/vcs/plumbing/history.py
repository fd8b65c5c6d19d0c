"""History: what each commit changed against each of its parents, as a stream of one `git log`.

Memory is bounded by the largest commit. Commits come parents first. Replacements and grafts are not
looked at: the history is the one that the object ids name.
"""

import os
import selectors
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from doll.errors import GitError
from doll.vcs.plumbing.index import EMPTY_TREE, RAW, Change
from doll.vcs.plumbing.objects import records_of
from doll.vcs.plumbing.process import end, failure, not_started
from doll.vcs.plumbing.repository import Repository, ask, repository_environment

_CHUNK = 1 << 16
_SAID = 1 << 16

# Every commit is shown, with every parent: without `--sparse` and `--full-history` git leaves out
# merges that look like one of their parents below the path, and so what they drop of the others.
_LOG = (
    "log",
    "--topo-order",
    "--reverse",
    "-m",
    "--full-history",
    "--sparse",
    "--no-color",
    "--no-show-signature",
    "--encoding=UTF-8",
)
# What the user's settings for people would change.
_SETTINGS = (
    "log.showRoot=true",
    "log.follow=false",
    "log.diffMerges=separate",
    "trailer.separators=:",
)


class Step(NamedTuple):
    """A commit and what it changed.

    `sides` has the changes against each parent from which the commit differs at or below the path,
    in the order of `parents`; against nothing for a commit without parents. `trailers` are key and
    value of those that were asked for, each key as the message spells it.
    """

    commit: str
    parents: tuple[str, ...]
    trailers: tuple[tuple[str, str], ...]
    sides: tuple[tuple[Change, ...], ...]


def history(
    repository: Repository,
    tips: Sequence[str],
    known: Sequence[str],
    path: str,
    trailers: Sequence[str] = (),
) -> Iterator[Step]:
    """Yield the commits of the history of `tips` that are not in the history of `known`.

    All are commit ids. `path` is a folder ("" for all), `trailers` are the keys of those that are
    wanted. GitError when git fails, also for objects that are missing; nothing is fetched.
    """
    keys = "".join(f"key={key}," for key in trailers)
    form = f"--format=/%H %P%n{f'%(trailers:{keys}unfold,separator=%x0A)' if keys else ''}"
    revisions = [*tips, *(f"^{oid}" for oid in known)]
    arguments = [*_LOG, *RAW, form, *revisions, "--", *([path] if path else [])]
    header, sides, side = "", list[tuple[Change, ...]](), list[Change]()
    tokens = _tokens(repository, arguments)
    for token in tokens:
        item = token.removeprefix("\n")
        if item.startswith(":"):
            side.append(_change(item, next(tokens)))
        elif item.startswith("/"):
            if side:
                sides.append(tuple(side))
            if header and item != header:
                yield _step(header, sides)
                sides = []
            header, side = item, []
    if header:
        yield _step(header, [*sides, tuple(side)] if side else sides)


def versions(
    repository: Repository, tips: Sequence[str], known: Sequence[str], path: str
) -> frozenset[str]:
    """Return the blobs that the file at `path` is in the history of `tips`, less that of `known`.

    Quicker than `history`: git prints only what concerns the file. A version that a commit took
    from a parent in the history of `known` may be left out.
    """
    arguments = [option for option in _LOG if option not in ("--reverse", "--sparse")]
    revisions = [*tips, *(f"^{oid}" for oid in known)]
    asked = [*arguments, *RAW, "--format=", *revisions, "--", path]
    tokens = _tokens(repository, asked)
    facts = (token.lstrip("\n") for token in tokens)
    found = [_change(item, next(tokens)) for item in facts if item.startswith(":")]
    return frozenset(each.oid for each in found if each.mode in ("100644", "100755"))


def last_with(repository: Repository, tip: str, path: str) -> str | None:
    """Return the last commit in the history of `tip` that gave a file to `path`, None for none."""
    arguments = [option for option in _LOG if option not in ("--reverse", "--sparse")]
    asked = [*arguments, "--diff-filter=AMT", "-1", "--format=%H", "--no-patch", tip, "--", path]
    found = ask(repository, *asked).stdout.decode("ascii").split()
    return found[0] if found else None


def added_last(repository: Repository, tip: str, paths: Sequence[str]) -> str | None:
    """Return the one of `paths` that came into the history of `tip` last, None where none did.

    A path is a file, or a folder that came with its first file.
    """
    arguments = ("log", "--format=", "--name-only", "--diff-filter=A", "--no-renames", "-z")
    output = ask(repository, *arguments, "--reverse", "--end-of-options", tip, "--", *paths)
    came = dict[str, None]()
    for added in records_of(output.stdout):
        name = added.lstrip("\n")
        came |= dict.fromkeys(p for p in paths if name == p or name.startswith(f"{p}/"))
    return next(reversed(came), None)


def changes(repository: Repository, one: str | None, other: str, path: str) -> tuple[Change, ...]:
    """Return what differs between two commits at or below a folder ("" for all).

    None stands for a commit without files.
    """
    ends = (one or EMPTY_TREE[repository.algorithm], other)
    limits = [path] if path else []
    output = ask(repository, "diff-tree", "-r", *RAW, *ends, "--", *limits).stdout
    fields = records_of(output)
    return tuple(map(_change, fields[::2], fields[1::2]))


def authored_paths(repository: Repository, last: str, known: str | None) -> frozenset[str]:
    """Return the paths that the commits in the history of `last` and not of `known` change.

    What a merge only brings together is left out.
    """
    revisions = [last, *([f"^{known}"] if known else [])]
    form = ("log", "-z", "-c", "--root", "--name-only", "--no-renames", "--format=")
    people = ("--no-show-signature", "--no-ext-diff", "-O/dev/null")
    output = ask(repository, *form, *people, *revisions, "--").stdout
    return frozenset(path for each in records_of(output) if (path := each.lstrip("\n")))


def new_commits(repository: Repository, last: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the commits up to `last` that no remote-tracking branch has, and where they begin.

    The second are the commits at a remote that the first grew from, none of them in the history
    of another one.
    """
    arguments = ("rev-list", "--boundary", last, "--not", "--remotes")
    lines = ask(repository, *arguments).stdout.decode("ascii").split()
    commits = tuple(line for line in lines if not line.startswith("-"))
    starts = [line[1:] for line in lines if line.startswith("-")]
    if len(starts) > 1:
        starts = ask(repository, "merge-base", "--independent", *starts).stdout.decode().split()
    return commits, tuple(starts)


def last_known(repository: Repository, commit: str, known: Sequence[str]) -> str | None:
    """Return the last commit on the first-parent line of `commit` in the history of `known`.

    None where that line has none of it.
    """
    without = [f"^{oid}" for oid in known]
    arguments = ("rev-list", "--first-parent", "--parents", commit, *without, "--")
    lines = ask(repository, *arguments).stdout.decode("ascii").splitlines()
    if not lines:
        return commit
    return next(iter(lines[-1].split()[1:]), None)


def is_ancestor(repository: Repository, one: str, other: str) -> bool:
    """Return whether the commit `one` is in the history of `other`; no for one that is not here."""
    arguments = ("merge-base", "--is-ancestor", one, other)
    return ask(repository, *arguments, expected=(0, 1, 128)).code == 0


def cut_off(repository: Repository) -> frozenset[str]:
    """Return the commits whose parents are left out of a shallow repository."""
    asked = ask(repository, "rev-parse", "--path-format=absolute", "--git-path", "shallow")
    file = Path(os.fsdecode(asked.stdout.removesuffix(b"\n")))
    try:
        return frozenset(file.read_text(encoding="ascii").split())
    except FileNotFoundError:
        return frozenset()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise GitError(f"{file} cannot be read: {why}") from error


def is_partial(repository: Repository) -> bool:
    """Return whether objects may be left out here on purpose, by a partial clone."""
    pattern = r"^(extensions\.partialclone|remote\..*\.(promisor|partialclonefilter))$"
    output = ask(repository, "config", "--get-regexp", pattern, expected=(0, 1))
    return output.code == 0


def _step(header: str, sides: Sequence[tuple[Change, ...]]) -> Step:
    names, _, said = header[1:].partition("\n")
    commit, *parents = names.split()
    pairs = (line.partition(":") for line in said.split("\n") if line)
    found = tuple((key.strip(), value.strip()) for key, _, value in pairs)
    return Step(commit, tuple(parents), found, tuple(sides))


def _change(facts: str, path: str) -> Change:
    old_mode, mode, old_oid, oid, status = facts.removeprefix(":").split(" ")
    return Change(path, status[:1], old_mode, old_oid, mode, oid)


def _tokens(repository: Repository, arguments: Sequence[str]) -> Iterator[str]:
    """Yield what git prints between NULs, while it prints it."""
    variables = repository_environment(repository) | {"GIT_GRAFT_FILE": os.devnull}
    settings = [word for setting in _SETTINGS for word in ("-c", setting)]
    command = ["git", "--no-optional-locks", *settings, *arguments]
    try:
        process = subprocess.Popen(
            command,
            cwd=repository.top,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    except OSError as error:
        raise not_started(arguments, repository.top, error) from error
    try:
        rest, said = b"", bytearray()
        for chunk in _printed(process, said):
            *whole, rest = (rest + chunk).split(b"\0")
            yield from map(os.fsdecode, whole)
        if process.wait() != 0:
            raise failure(arguments, process.returncode, bytes(said))
    finally:
        end(process)


def _printed(process: subprocess.Popen[bytes], said: bytearray) -> Iterator[bytes]:
    """Yield what git prints, while it prints it; `said` gets the beginning of its stderr.

    Both pipes are emptied as they fill, so that git never waits for one while doll waits for the
    other. A file for stderr would need room on a disk that may have none.
    """
    with selectors.DefaultSelector() as streams:
        for stream in (process.stdout, process.stderr):
            assert stream is not None
            streams.register(stream, selectors.EVENT_READ)
        while streams.get_map():
            for key, _ in streams.select():
                chunk = os.read(key.fd, _CHUNK)
                if not chunk:
                    streams.unregister(key.fileobj)
                elif key.fileobj is process.stdout:
                    yield chunk
                else:
                    said += chunk[: _SAID - len(said)]
