"""What git ignores, whether it is there or not."""

import os
from collections.abc import Iterable

from doll.vcs.plumbing.objects import records_of
from doll.vcs.plumbing.process import PATHSPEC_VARIABLES, run
from doll.vcs.plumbing.repository import Repository, repository_environment


def ignored(repository: Repository, paths: Iterable[str]) -> list[str]:
    """Return which of the paths, from the top of the work tree, `git add` would refuse."""
    # `check-ignore` knows no literal pathspecs; with a dot before it no path is magic.
    variables = {
        name: value
        for name, value in repository_environment(repository).items()
        if name not in PATHSPEC_VARIABLES
    }
    feed = b"".join(b"./" + os.fsencode(path) + b"\0" for path in paths)
    arguments = ("check-ignore", "-z", "--stdin")
    output = run(arguments, repository.top, variables, feed=feed, expected=(0, 1))
    return [path.removeprefix("./") for path in records_of(output.stdout)]
