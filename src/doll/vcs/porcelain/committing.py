"""Staging and committing chosen files."""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress

from doll.errors import GitError
from doll.vcs.plumbing.index import tracked
from doll.vcs.plumbing.objects import head, tree
from doll.vcs.plumbing.repository import Repository
from doll.vcs.porcelain import running


def stage(repository: Repository, paths: Sequence[str]) -> None:
    """Put these paths into the index as they are on disk: new, changed or gone.

    A path that is neither on disk nor in the index is passed over: its deletion is staged
    already. GitError also for a path that `.gitignore` excludes.
    """
    known = {entry.path for entry in tracked(repository, paths)}
    there = [path for path in paths if path in known or os.path.lexists(repository.top / path)]
    if there:
        with running.tied(repository):
            running.git(repository.top, "add", "--all", *running.LISTED, listed=there)


def commit(
    repository: Repository,
    paths: Sequence[str],
    message: str,
    *,
    only: bool = True,
    tell: Callable[[str], None] | None = None,
) -> str:
    """Commit exactly these paths as they are on disk, and return the commit's id.

    New files of the list are added and missing ones are deleted; whatever else is staged stays
    staged and out of the commit. With `only=False` the whole index is committed, after the paths
    have been staged. `tell` is given what the hooks wrote. GitError, with git's and the hooks'
    words, when a hook refuses, nobody is named, or nothing changes; files that were not in the
    index before are then out of it again.
    """
    if only and not paths:
        raise GitError("no paths to commit were given")
    known = {entry.path for entry in tracked(repository, paths)} if paths else set()
    new = [p for p in paths if p not in known and os.path.lexists(repository.top / p)]
    with running.tied(repository):
        try:
            if only and new:
                running.git(repository.top, "add", *running.LISTED, listed=new)
            elif paths and not only:
                stage(repository, paths)
            chosen = ("--only", *running.LISTED) if only else ()
            # The message is the caller's to the letter; lines that begin with `#` are text.
            said = running.git(
                repository.top,
                *("commit", "--quiet", "--cleanup=whitespace", f"--message={message}", *chosen),
                listed=paths if only else (),
            )
        except BaseException:
            _take_out(repository, new)
            raise
    if tell is not None and said:
        tell(said)
    made = head(repository)
    assert made is not None, "git commit made no commit"
    return made


def _take_out(repository: Repository, paths: Sequence[str]) -> None:
    """Have the index forget files that it did not know before, but for those committed by now.

    An interrupt can come when git has made the commit.
    """
    with suppress(GitError):
        there = {entry.path for entry in tree(repository, head(repository), paths)} if paths else ()
        left = [path for path in paths if path not in there]
        if left:
            arguments = ("update-index", "--force-remove", "-z", "--stdin")
            running.git(repository.top, *arguments, feed=running.terminated(left))
