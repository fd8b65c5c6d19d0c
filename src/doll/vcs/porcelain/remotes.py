"""A remote: fetching one branch of it, and pushing one commit to it. Never forces anything."""

import shlex
from collections.abc import Sequence
from typing import NamedTuple

from doll.errors import GitError
from doll.vcs.plumbing.repository import Repository
from doll.vcs.porcelain import running

# Nothing that git or a helper starts may ask where nobody can answer.
_UNATTENDED = {"GIT_TERMINAL_PROMPT": "0", "GCM_INTERACTIVE": "never"}
# What git says, in the C locale, where the remote's ref is not where it was: before the push, or
# meanwhile. Source: git, transport.c, builtin/receive-pack.c, refs/files-backend.c.
_MOVED = (
    *("fetch first", "non-fast-forward", "stale info", "needs force"),
    *("failed to update ref", "cannot lock ref", "incorrect old value", "reference already exists"),
)


_MIRROR = "--mirror can't be combined with refspecs"


class Pushed(NamedTuple):
    """What became of a push: `done`, or not, since the remote seems to have other commits by now.

    `words` are those of git, the remote and the hooks. `moved`: the remote had it not before.
    """

    done: bool
    words: str
    moved: bool = False


def fetch(repository: Repository, remote: str, ref: str, into: str, *, attended: bool) -> bool:
    """Bring a ref of a remote into the ref `into`; False where the remote has no such ref.

    Nothing else moves: no tracking ref, no tag, no FETCH_HEAD. `attended`: git may ask at the
    terminal. GitError when the remote cannot be reached or read.
    """
    arguments = (
        "fetch",
        *("--quiet", "--no-tags", "--refmap=", "--no-write-fetch-head", "--no-auto-gc"),
        *("--no-recurse-submodules", "--no-prune", "--no-show-forced-updates"),
        *(remote, f"+{ref}:{into}"),
    )
    ran = _run(repository, arguments, attended)
    if ran.code and "couldn't find remote ref" in ran.words:
        return False
    if ran.code:
        raise running.failed(arguments, ran)
    return True


def tip_of(repository: Repository, remote: str, ref: str, *, attended: bool) -> str | None:
    """Return the commit that a ref of a remote names, None where it has no such ref.

    Moves nothing. GitError when the remote cannot be reached or read.
    """
    arguments = ("ls-remote", "--quiet", remote, ref)
    ran = _run(repository, arguments, attended)
    if ran.code:
        raise running.failed(arguments, ran)
    lines = (line.split("\t", 1) for line in ran.out.splitlines())
    return next((oid for oid, *name in lines if name == [ref]), None)


def push(repository: Repository, remote: str, commit: str, ref: str, *, attended: bool) -> Pushed:
    """Push a commit to a ref of a remote, hooks and all; GitError when it fails or is refused."""
    arguments = (
        *("push", "--porcelain", "--no-follow-tags", "--no-force-with-lease", "--no-mirror"),
        *(remote, f"{commit}:{ref}"),
    )
    ran = _run(repository, arguments, attended)
    if ran.code == 0:
        moved = not any(line.startswith("=") for line in ran.out.splitlines())
        return Pushed(done=True, words=ran.said, moved=moved)
    if _MIRROR in ran.words:
        raise GitError(
            f"git takes {remote} for a mirror, to which it pushes all refs or none",
            hint=f"git config {shlex.quote(f'remote.{remote}.mirror')} false    makes it a remote "
            "as others are; then doll sync",
        )
    line = next((line for line in ran.out.splitlines() if line.startswith("!")), "")
    if any(word in line for word in _MOVED):
        return Pushed(done=False, words=_refused(ran) or ran.words)
    raise running.locked(ran.words) or GitError(_refused(ran) or _failed(arguments, ran))


def _refused(ran: running.Ran) -> str:
    """Return what a remote said when it refused, "" where it did not come to that."""
    if "[remote rejected]" not in ran.out:
        return ""
    reason = ran.out.partition("[remote rejected]")[2].splitlines()[0].strip().expandtabs()
    said = [line.strip() for line in ran.said.splitlines() if line.startswith("remote:")]
    return "\n".join([f"the remote refused the push: {reason}", *said])


def _failed(arguments: Sequence[str], ran: running.Ran) -> str:
    return running.failed(arguments, ran).message


def _run(repository: Repository, arguments: Sequence[str], attended: bool) -> running.Ran:
    variables = {} if attended else _UNATTENDED
    with running.tied(repository):
        return running.execute(
            repository.top, arguments, plain=True, variables=variables, alone=not attended
        )
