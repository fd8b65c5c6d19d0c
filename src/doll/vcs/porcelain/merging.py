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


def fast_forward(repository: Repository, commit: str) -> str:
    """Move the branch and its files on to a commit that comes after; return what git said.

    GitError when it does not come after, or a file that is not committed is in the way.
    """
    with running.tied(repository):
        return running.git(repository.top, *_MERGE, "--ff-only", commit)


def merge(
    repository: Repository,
    commit: str,
    message: str,
    *,
    settings: Sequence[str] = (),
    commits: bool = True,
) -> running.Ran:
    """Merge a commit by `git merge`, whatever comes of it: conflicts, or a hook that refuses.

    `settings` are `name=value` for this run. With `commits` off nothing is committed.
    """
    # Conflicts are read from the index; what git says of files is no word of a hook's.
    settings = ("merge.verbosity=0", *settings)
    given = [word for setting in settings for word in ("-c", setting)]
    how = "--commit" if commits else "--no-commit"
    arguments = (*given, *_MERGE, *_COMMIT, how, f"--message={message}", commit)
    with running.tied(repository):
        return running.execute(repository.top, arguments)


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
