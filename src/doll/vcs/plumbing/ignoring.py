"""What git ignores, and what attributes it gives: of paths that need not be there."""

import os
from collections.abc import Iterable, Sequence

from doll.vcs.plumbing.objects import records_of
from doll.vcs.plumbing.process import PATHSPEC_VARIABLES, run
from doll.vcs.plumbing.repository import Repository, repository_environment


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
    """Ask git about paths by their names."""
    # These commands know no literal pathspecs; with a dot before it no path is magic.
    variables = {
        name: value
        for name, value in repository_environment(repository).items()
        if name not in PATHSPEC_VARIABLES
    }
    feed = b"".join(b"./" + os.fsencode(path) + b"\0" for path in paths)
    output = run(arguments, repository.top, variables, feed=feed, expected=(0, 1))
    return records_of(output.stdout)
