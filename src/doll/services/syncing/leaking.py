"""Secrets in what a push would bring: in any commit that the remote has not, or in a merge.

A later commit that takes one away does not help: history keeps it.
"""

import shlex
from collections.abc import Iterable

from doll.errors import Problem
from doll.services.checking.file_rules import secrets_in
from doll.services.checking.kept import FILES
from doll.services.checking.secret_places import CODE, listed
from doll.services.opening import Vault
from doll.services.receiving.contents import LIMIT, content_faults
from doll.services.syncing.values import Stop, Target
from doll.services.verifying.steps import steps
from doll.vcs import plumbing
from doll.vcs.plumbing import Change
from doll.vcs.plumbing.contents import Contents
from doll.vcs.plumbing.refs import refs_below

_FOUND = 1
_SHORT = 12


def secrets_of_merge(vault: Vault, settled: Iterable[Change]) -> list[Problem]:
    """Return the secrets in files of the index as they were settled, paths of the repository."""
    files = {
        path: change.oid
        for change in settled
        if change.mode in FILES and (path := vault.in_vault(change.path)) is not None
    }
    blobs = plumbing.blobs(vault.repository, files.values())
    found = (p for path, oid in files.items() for p in secrets_in(vault, path, blobs[oid]))
    return sorted(listed(found))


def refusal(vault: Vault, target: Target, tip: str | None) -> Stop | None:
    """Return why HEAD is not pushed to a remote that has `tip`; None where no secret goes there.

    Every commit is looked at that the remote has not. GitError when git fails.
    """
    repository = vault.repository
    known = [tip] if tip else list(refs_below(repository, f"refs/remotes/{target.remote}").values())
    problems, first = list[Problem](), None
    with Contents(repository, LIMIT) as contents:
        for step in steps(repository, vault.prefix, (vault.head,), known):
            faults = content_faults(vault, step, contents)
            found = [fault.problem for fault in faults if fault.problem.code == CODE]
            problems += found
            first = first or (step if found else None)
    if first is None:
        return None
    return Stop(
        _FOUND,
        "not pushed: commits that the remote has not hold what looks like a secret, and it would "
        "stay in the history there, also when the file is mended",
        _taking_out(vault, tip or next(iter(first.parents), "")),
        tuple(sorted(problems)),
    )


def _taking_out(vault: Vault, before: str) -> str:
    """Return the lines that take the commits after `before` ("": all) back, which nobody has."""
    git = f"git -C {shlex.quote(str(vault.root))}"
    if before:
        back = f"{git} reset -q {before[:_SHORT]}    takes the commits back, and leaves files"
    else:
        back = f"{git} update-ref -d HEAD    takes all commits back, and leaves files"
    return f"{back}\nmend the files, commit anew what is yours to commit, then doll sync"
