"""A draft: what the index would be with some files as they are on disk, without touching git's.

Its objects lie in a folder of their own, so that nothing that is not to be committed enters the
repository, a secret for one.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from doll.errors import GitError, StorageError
from doll.vault import disk, temporary
from doll.vcs.plumbing.objects import TreeEntry
from doll.vcs.plumbing.repository import Draft, Repository, draft_variables
from doll.vcs.porcelain import running


@contextmanager
def draft(
    repository: Repository, commit: str, paths: Sequence[str], folder: Path
) -> Iterator[Repository]:
    """Give the repository with an index that holds `commit`, and `paths` as they are on disk.

    Paths that are gone from disk are gone there. `folder` is where the draft lies for the while.
    """
    place = folder / temporary.name()
    try:
        disk.make_folders(place / "objects")
    except OSError as error:
        disk.remove_tree(place)
        raise StorageError(f"{place} cannot be made: {error.strerror or error}") from error
    made = Draft(place / "index", place / "objects")
    try:
        _git(repository, made, "read-tree", commit)
        if paths:
            feed = running.terminated(paths)
            _git(repository, made, "update-index", "--add", "--remove", "-z", "--stdin", feed=feed)
        yield repository._replace(draft=made)
    finally:
        disk.remove_tree(place)


def put_back(repository: Repository, entries: Iterable[TreeEntry], gone: Iterable[str]) -> None:
    """Have the index, or a draft, hold `entries` as they are, and the paths of `gone` no more."""
    lines = [f"{each.mode} {each.oid}\t{each.path}" for each in entries]
    nothing = "0" * (64 if repository.algorithm == "sha256" else 40)
    lines = [f"0 {nothing}\t{path}" for path in gone] + lines
    feed = running.terminated(lines)
    arguments = ("update-index", "-z", "--index-info")
    if repository.draft is not None:
        _git(repository, repository.draft, *arguments, feed=feed)
    else:
        with running.tied(repository):
            running.git(repository.top, *arguments, feed=feed, plain=True)


def _git(repository: Repository, made: Draft, *arguments: str, feed: bytes = b"") -> None:
    with running.tied(repository._replace(draft=None)):
        variables = draft_variables(repository, made)
        ran = running.execute(repository.top, arguments, feed=feed, plain=True, variables=variables)
    if ran.code:
        said = running.failed(arguments, ran)
        message = f"what is to be committed could not be looked at; nothing was changed: {said}"
        raise GitError(message, hint="check the disk space and the permissions of .git")
