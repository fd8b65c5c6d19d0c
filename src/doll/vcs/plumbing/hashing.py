"""What git would store for files as they are on disk. Stores nothing."""

import os
import stat
from collections.abc import Iterable

from doll.vcs.plumbing.ignoring import refuse_never_ending
from doll.vcs.plumbing.repository import Repository, ask


def hashed(repository: Repository, paths: Iterable[str]) -> dict[str, str]:
    """Return the object ids of what git would store for regular files, filters applied.

    Paths are relative to the top. What is not there, no regular file, or has a line feed in its
    name is left out. GitError where git would wait for a pipe for ever.
    """
    files = [path for path in paths if "\n" not in path and _is_file(repository, path)]
    if not files:
        return {}
    refuse_never_ending(repository, files)
    feed = b"".join(os.fsencode(_quoted(path)) + b"\n" for path in files)
    output = ask(repository, "hash-object", "--stdin-paths", feed=feed).stdout
    return dict(zip(files, output.decode("ascii").split(), strict=True))


def _quoted(path: str) -> str:
    """Return a path as git reads it: one that begins with a quote is unquoted there."""
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"' if path[0] == '"' else path


def _is_file(repository: Repository, path: str) -> bool:
    try:
        return stat.S_ISREG(os.lstat(repository.top / path).st_mode)
    except OSError:
        return False
