"""What git ignores, and what attributes it gives: of paths that need not be there.

git opens whatever is called `.gitignore` or `.gitattributes`; of a pipe it waits for the other end
for ever. So nobody asks it before these are known to be none.
"""

import os
import shlex
import stat
from collections.abc import Iterable, Iterator, Sequence

from doll.errors import GitError
from doll.vcs.plumbing.objects import records_of
from doll.vcs.plumbing.process import PATHSPEC_VARIABLES
from doll.vcs.plumbing.repository import Repository, ask, repository_environment

_READ = (".gitignore", ".gitattributes")


def never_ending(repository: Repository, paths: Iterable[str]) -> list[str]:
    """Return the files that git reads on the way to these paths and that are pipes or devices.

    Starts no git. Paths are relative to the top of the work tree.
    """
    folders = {above for path in paths for above in _above(path)}
    named = sorted(f"{folder}{name}" for folder in folders for name in _READ)
    return [path for path in named if _never_ends(repository, path)]


def refuse_never_ending(repository: Repository, paths: Iterable[str]) -> None:
    """Raise GitError where git would wait for ever for what it reads on the way to these paths."""
    if found := never_ending(repository, paths):
        place = repository.top / found[0]
        raise GitError(
            f"{place} is a pipe or a device, and git would wait for it for ever",
            hint=f"rm -- {shlex.quote(str(place))}",
        )


def _above(path: str) -> Iterator[str]:
    """Yield the folders above a path, from the top: "", `a/`, `a/b/`."""
    yield ""
    at = path.find("/")
    while at >= 0:
        yield path[: at + 1]
        at = path.find("/", at + 1)


def _never_ends(repository: Repository, path: str) -> bool:
    try:
        mode = (repository.top / path).lstat().st_mode
    except (OSError, ValueError):
        return False
    # Links are not followed by git here.
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode))


def ignored(repository: Repository, paths: Iterable[str]) -> list[str]:
    """Return which of the paths, from the top of the work tree, `git add` would refuse."""
    output = _about(repository, paths, "check-ignore", "-z", "--stdin")
    return [path.removeprefix("./") for path in output]


def attributes(
    repository: Repository, paths: Iterable[str], names: Sequence[str], *, staged: bool = False
) -> dict[tuple[str, str], str]:
    """Return the value of attributes by path, from the top of the work tree, and name.

    `unset` is that of `-name`, `unspecified` where nothing is said. `staged` reads the
    `.gitattributes` of the index alone, not those of the work tree.
    """
    cached = ("--cached",) if staged else ()
    fields = _about(repository, paths, "check-attr", *cached, "-z", "--stdin", *names)
    return {
        (path.removeprefix("./"), name): value
        for path, name, value in zip(fields[::3], fields[1::3], fields[2::3], strict=True)
    }


def _about(repository: Repository, paths: Iterable[str], *arguments: str) -> list[str]:
    """Ask git about paths by their names. GitError where it would never answer."""
    paths = list(paths)
    refuse_never_ending(repository, paths)
    # These commands know no literal pathspecs; with a dot before it no path is magic.
    variables = {
        name: value
        for name, value in repository_environment(repository).items()
        if name not in PATHSPEC_VARIABLES
    }
    feed = b"".join(b"./" + os.fsencode(path) + b"\0" for path in paths)
    output = ask(repository, *arguments, feed=feed, expected=(0, 1), variables=variables)
    return records_of(output.stdout)
