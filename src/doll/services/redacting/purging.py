"""The line to type that takes what was redacted out of git's history as well. Runs nothing.

It needs git alone: in every commit the file gets the bytes of its redaction, and the subjects that
quote it are replaced. What that breaks stands in docs/secrets.md.
"""

import shlex
from collections.abc import Sequence
from pathlib import Path

from doll.services.checking.redacting import REDACTED
from doll.vault.layout import CACHE
from doll.vault.typed import typed


def commands(top: Path, root: Path, path: str, oid: str, commits: Sequence[str]) -> tuple[str, ...]:
    """Return the commands of the line, to be joined by `&&`, for any shell.

    Nothing is deleted where what comes before was refused: git rewrites nothing while the work tree
    or the index has changes, and a stash but the last would go with the reflog that holds it.
    `top` is the work tree of the repository and `root` the vault; `path` is relative to `top`,
    `oid` the blob id of its redacted bytes; `commits` are those whose subjects quote it.
    """
    git = f"git -C {typed(str(top))}"
    listed = f"git ls-files -s -- {shlex.quote(path)}"
    swapped = f"{listed} | sed 's/ [0-9a-f]* / {oid} /' | git update-index --index-info"
    arguments = ["--index-filter", swapped]
    if commits:
        said = f"case $GIT_COMMIT in {'|'.join(commits)}) sed '1s/.*/{_SUBJECT}/';; *) cat;; esac"
        arguments += ["--msg-filter", said]
    arguments += ["--tag-name-filter", "cat", "--", "--all"]
    return (
        f"! {git} stash list | grep .",
        f"FILTER_BRANCH_SQUELCH_WARNING=1 {git} filter-branch {shlex.join(arguments)}",
        f"{git} for-each-ref --format='delete %(refname)' refs/original | {git} update-ref --stdin",
        f"{git} reflog expire --expire=now --all",
        f"{git} gc --quiet --prune=now",
        f"rm -rf -- {typed(str(root / CACHE))}",
    )


_SUBJECT = f"log: {REDACTED}"
