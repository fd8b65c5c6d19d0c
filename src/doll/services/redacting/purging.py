"""The lines to type that take what was redacted out of git's history as well. Runs nothing.

They need git alone: in every commit the file gets the bytes of its redaction, and the subjects that
quote it are replaced. What that breaks stands in docs/secrets.md.
"""

import shlex
from collections.abc import Sequence
from pathlib import Path

from doll.services.checking.redacting import REDACTED
from doll.vault.layout import CACHE


def lines(top: Path, root: Path, path: str, oid: str, commits: Sequence[str]) -> tuple[str, ...]:
    """Return the lines, for any shell.

    `top` is the work tree of the repository and `root` the vault; `path` is relative to `top`,
    `oid` the blob id of its redacted bytes; `commits` are those whose subjects quote it.
    """
    git = f"git -C {shlex.quote(str(top))}"
    listed = f"git ls-files -s -- {shlex.quote(path)}"
    swapped = f"{listed} | sed 's/ [0-9a-f]* / {oid} /' | git update-index --index-info"
    arguments = ["--index-filter", swapped]
    if commits:
        said = f"case $GIT_COMMIT in {'|'.join(commits)}) sed '1s/.*/{_SUBJECT}/';; *) cat;; esac"
        arguments += ["--msg-filter", said]
    arguments += ["--tag-name-filter", "cat", "--", "--all"]
    return (
        f"FILTER_BRANCH_SQUELCH_WARNING=1 {git} filter-branch {shlex.join(arguments)}",
        f"{git} for-each-ref --format='delete %(refname)' refs/original | {git} update-ref --stdin",
        f"{git} reflog expire --expire=now --all && {git} gc --quiet --prune=now",
        f"rm -rf {shlex.quote(str(root / CACHE))}",
    )


_SUBJECT = f"log: {REDACTED}"
