"""What can be looked over where git says nothing of a vault: its files, their names, the clock.

That git does not answer is a finding of the area `git`; the rest is looked at all the same.
"""

from datetime import datetime

from doll.errors import DollError, GitError, NoVaultError, Problem
from doll.services.diagnosing.subject import Subject
from doll.services.locating import Place, find_on_disk
from doll.services.opening import Vault
from doll.vcs import plumbing


def opened_without_git(place: Place, error: DollError, now: datetime) -> Subject | None:
    """Return the vault whose `doll.yaml` is on disk, None where there is none to be seen.

    `error` is why it does not open. Its history is taken for empty, its cache is not used, and
    nothing may be asked about its repository.
    """
    if not isinstance(error, GitError | NoVaultError):
        return None
    root = find_on_disk(place)
    if root is None:
        return None
    git_dir = root / ".git"
    nowhere = plumbing.Repository(root, git_dir, git_dir, "sha1", own=False)
    vault = Vault(root, "", None, nowhere, plumbing.Position("", None))
    vault.cache.freeze()
    subject = Subject(vault, now)
    # What git tracks is not known: names are compared as they are on disk.
    subject.tracked = ()
    return subject


def unanswered(error: DollError) -> Problem:
    """Return the finding that git says nothing of the vault."""
    code = "git.failed" if isinstance(error, GitError) else "vault.unusable"
    return Problem("", 0, 0, code, error.message, hint=error.hint or "git status")
