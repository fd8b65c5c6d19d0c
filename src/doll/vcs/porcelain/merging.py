"""Merging: a fast-forward, a merge commit, and what ends a merge that stopped."""

from collections.abc import Sequence

from doll.vcs.plumbing.repository import Repository
from doll.vcs.porcelain import running

# Whatever the user's settings are: one commit, no editor, nothing put away and brought back, no
# ignored file written over, and no conflict settled because it was settled so before. Renames are
# not guessed: a file that one side changed and the other moved is for the user to settle.
_MERGE = (
    "merge",
    *("--quiet", "--no-stat", "--no-squash", "--no-edit", "--no-autostash", "--no-log"),
    *("--no-rerere-autoupdate", "--no-overwrite-ignore"),
)
# git >= 2.50 takes `recursive` for `ort`; the `ort` of earlier ones does not heed `no-renames`.
_COMMIT = ("--no-ff", "--strategy=recursive", "--strategy-option=no-renames")
# The name of a variable that says nothing.
_NOTHING = "DOLL_NOTHING"


def fast_forward(repository: Repository, branch: str | None, commit: str) -> str:
    """Move the branch and its files on to a commit that comes after; return what git said.

    `branch` is the one that is checked out. GitError when the commit does not come after, or a file
    that is not committed is in the way.
    """
    arguments = (*_MERGE, "--ff-only", commit)
    ran = _run(repository, branch, (), arguments)
    if ran.code:
        raise running.failed(arguments, ran)
    return ran.words


def merge(
    repository: Repository,
    branch: str | None,
    commit: str,
    message: str,
    *,
    settings: Sequence[str] = (),
    commits: bool = True,
) -> running.Ran:
    """Merge a commit by `git merge`, whatever comes of it: conflicts, or a hook that refuses.

    `branch` is the one that is checked out, into which it is merged.
    `settings` are `name=value` for this run. With `commits` off nothing is committed.
    """
    # Conflicts are read from the index; what git says of files is no word of a hook's.
    settings = ("merge.verbosity=0", *settings)
    given = [word for setting in settings for word in ("-c", setting)]
    how = "--commit" if commits else "--no-commit"
    arguments = (*_MERGE, *_COMMIT, how, f"--message={message}", commit)
    return _run(repository, branch, given, arguments)


def _run(
    repository: Repository, branch: str | None, given: Sequence[str], arguments: Sequence[str]
) -> running.Ran:
    """Run `git merge` without the options that are set for the branch, such as `-X theirs`."""
    # Unlike `-c`, this takes names with a `=` in them.
    unset = [f"--config-env=branch.{branch}.mergeOptions={_NOTHING}"] if branch else []
    with running.tied(repository):
        return running.execute(
            repository.top, (*unset, *given, *arguments), variables={_NOTHING: ""}
        )


def finish_merge(repository: Repository) -> str:
    """Commit the merge that is in progress; GitError when a hook refuses. Return what was said."""
    with running.tied(repository):
        arguments = ("commit", "--quiet", "--no-edit", "--cleanup=strip")
        return running.git(repository.top, *arguments)


def abort_merge(repository: Repository) -> str:
    """Go back to where the merge in progress began; GitError when that cannot be done."""
    with running.tied(repository):
        return running.git(repository.top, "merge", "--abort")


def put_files_back(repository: Repository, paths: Sequence[str], unknown: Sequence[str]) -> None:
    """Make files in index and work tree as HEAD has them; those that it has not go.

    `unknown` are those of `paths` that the index does not have. GitError when git fails.
    """
    with running.tied(repository):
        if unknown:
            # git puts back only what it knows.
            feed = running.terminated(unknown)
            index = ("update-index", "--add", "--remove", "-z", "--stdin")
            running.git(repository.top, *index, feed=feed, plain=True)
        if paths:
            arguments = ("restore", "--source=HEAD", "--staged", "--worktree", *running.LISTED)
            running.git(repository.top, *arguments, listed=paths, plain=True)
