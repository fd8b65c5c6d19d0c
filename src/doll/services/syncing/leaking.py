"""Secrets in what a push would bring: in a commit that the remote has not, its message, a merge.

A later commit that takes one away does not help: history keeps it.
"""

from collections.abc import Iterable, Iterator, Sequence

from doll.errors import Problem
from doll.services.checking.file_rules import secrets_in
from doll.services.checking.kept import FILES
from doll.services.checking.secret_places import CODE, committed, listed
from doll.services.opening import Vault
from doll.services.receiving.contents import LIMIT, content_faults
from doll.services.syncing.values import Stop, Target
from doll.services.verifying.steps import steps
from doll.vault.typed import typed
from doll.vcs import plumbing
from doll.vcs.plumbing import Change
from doll.vcs.plumbing.contents import Contents
from doll.vcs.plumbing.history import last_known
from doll.vcs.plumbing.messages import said
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

    Every commit is looked at that the remote has not, and its message. GitError when git fails.
    """
    repository = vault.repository
    known = [tip] if tip else list(refs_below(repository, f"refs/remotes/{target.remote}").values())
    problems = list(_in_messages(vault, known))
    with Contents(repository, LIMIT) as contents:
        for step in steps(repository, vault.prefix, (vault.head,), known):
            faults = content_faults(vault, step, contents)
            problems += [fault.problem for fault in faults if fault.problem.code == CODE]
    if not problems:
        return None
    problems, declaring = committed(sorted(problems))
    return Stop(
        _FOUND,
        "not pushed: commits that the remote has not hold what looks like a secret, and it would "
        "stay in the history there, also when the file is mended",
        _taking_out(vault, tip, known, declaring),
        tuple(problems),
    )


def _in_messages(vault: Vault, known: Sequence[str]) -> Iterator[Problem]:
    """Yield a problem for each commit whose message holds what looks like a secret."""
    from doll.secrets import scan

    for each in said(vault.repository, vault.head, known):
        if hits := scan(each.message):
            message = (
                f"commit {each.commit[:_SHORT]}: its message looks like it holds a secret "
                f"({hits[0].detector})"
            )
            yield Problem("", 0, 0, CODE, message, hint="")


def _taking_out(
    vault: Vault, tip: str | None, known: Sequence[str], declaring: Sequence[str]
) -> str:
    """Return the line that takes the commits back that the remote has not, where one does.

    After it those of `declaring` can be typed. It keeps all that HEAD was before these: where the
    history that the remote has is none of it, but was merged in, no commit of both has it.
    """
    git = f"git -C {typed(str(vault.root))}"
    kept = last_known(vault.repository, vault.head, known) if known else None
    rest = "mend the files, commit anew what else is yours to commit, then doll sync"
    if kept is None:
        return (
            "the remote has no commit of this branch's own history, so nothing is taken back by "
            "one line: make these commits anew without it, as by `git rebase -i`, then doll sync"
        )
    # The remote's own files stay as it has them. What only the index has would be dropped.
    back = f"{git} diff --cached --stat --exit-code && {git} reset -q {(tip or kept)[:_SHORT]}"
    what = "takes the commits back, where nothing is staged, and leaves files"
    return "\n".join([f"{back}    {what}", *declaring, rest])
