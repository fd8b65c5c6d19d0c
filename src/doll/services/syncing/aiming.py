"""Which branch of which remote the branch that is checked out is synced with. Asks git alone."""

import os
import shlex
from collections.abc import Sequence

from doll.errors import ConflictError
from doll.records.digest import sha256
from doll.services import waiting
from doll.services.opening import Vault
from doll.services.syncing.values import Aim, Target, without_login
from doll.vcs.plumbing.branches import remotes
from doll.vcs.plumbing.refs import Upstream, upstream

OWN_REFS = "refs/doll"
_LONGEST = 200
_DIGITS = 12


def require_branch(vault: Vault) -> str:
    """Return the branch that is checked out; ConflictError where HEAD is on none."""
    if vault.branch is not None:
        return vault.branch
    if found := waiting.away(vault.repository):
        raise ConflictError(
            f"{found.what} is not finished, and doll sync did not begin it; nothing was changed",
            hint=f"{found.at(vault.repository).lines}\nthen doll sync",
        )
    git = f"git -C {shlex.quote(str(vault.root))}"
    raise ConflictError(
        "HEAD is on no branch, so there is nothing to sync; nothing was changed",
        hint=f"{git} switch main    goes back to a branch; name yours\n"
        f"{git} switch -c NAME    makes one of where you are",
    )


def aim(vault: Vault) -> Aim:
    """Return what the branch of the vault follows at a remote, or why it follows nothing."""
    branch = require_branch(vault)
    found = upstream(vault.repository, branch)
    git = f"git -C {shlex.quote(str(vault.root))}"
    if found is not None and found.remote != ".":
        return _elsewhere(vault, branch, found, git) or Aim(_target(found))
    names = remotes(vault.repository)
    if not names and found is None:
        hint = f"{git} remote add origin URL && {naming(git, branch, 'origin')}"
        return Aim(None, "no remote", hint, is_alone=True)
    if found is not None:
        what = found.ref.removeprefix("refs/heads/")
        why = f"{branch} follows {what}, a branch of this very repository, and none of a remote"
    else:
        why = f"{branch} follows no branch of a remote"
    return Aim(None, why, _following(branch, names, git))


def _elsewhere(vault: Vault, branch: str, found: Upstream, git: str) -> Aim | None:
    """Return why a branch is not synced that git pushes to another remote than it follows."""
    if found.pushed == found.remote or found.pushed not in remotes(vault.repository):
        return None
    setting = shlex.quote(f"branch.{branch}.pushRemote")
    shown, here = without_login(found.remote), shlex.quote(found.remote)
    if shown != found.remote:
        here = f'"$({git} config {shlex.quote(f"branch.{branch}.remote")})"'
    why = f"{branch} follows {shown}, and git pushes it to {found.pushed}"
    hint = (
        f"{git} config {setting} {here}    pushes it to where it comes from\n"
        f"{git} config branch.{shlex.quote(branch)}.remote {shlex.quote(found.pushed)}"
        "    follows where it is pushed to"
    )
    return Aim(None, why, hint)


def _following(branch: str, names: Sequence[str], git: str) -> str:
    remote = "origin" if "origin" in names or not names else names[0]
    return f"{naming(git, branch, remote)}\ndoll sync"


def naming(git: str, branch: str, remote: str) -> str:
    """Return the line after which a branch follows one of its name, which may not be there yet.

    A sync then pushes it, and looks first at what it would publish, as no `git push` does.
    `--set-upstream-to` would want a tracking ref, which not every setting of `fetch` makes.
    """
    key, ref = f"branch.{branch}", f"refs/heads/{branch}"
    settings = ((f"{key}.remote", remote), (f"{key}.merge", ref))
    return " && ".join(
        f"{git} config {shlex.quote(name)} {shlex.quote(value)}" for name, value in settings
    )


def _target(found: Upstream) -> Target:
    name = _ref_name(found.remote)
    branch = f"{name}/{_as_one(found.ref.removeprefix('refs/heads/'))}"
    # A clone that mirrors takes its own branches for the remote's.
    is_own = found.tracking.startswith("refs/heads/")
    return Target(
        remote=found.remote,
        ref=found.ref,
        tracking="" if is_own else found.tracking,
        incoming=f"{waiting.INCOMING}/{branch}",
        seen=f"{OWN_REFS}/seen/{branch}",
        meant=f"{OWN_REFS}/meant/{branch}",
        dropped=f"{OWN_REFS}/dropped/{name}",
    )


def _ref_name(remote: str) -> str:
    """Return a remote's name as it can stand in a ref: a branch can follow a plain URL, too."""
    plain = remote.replace("-", "").replace("_", "").replace("/", "").isalnum()
    if not plain or remote.startswith("/"):
        return f"url-{sha256(remote.encode())[:_DIGITS]}"
    return _as_one(remote)


def _as_one(name: str) -> str:
    """Return a name as one part of a ref's: a ref `x` and a ref `x/y` cannot be at one time.

    A branch of a remote can be `x` today and `x/y` tomorrow, and what doll keeps of it stays.
    """
    one = name.replace("%", "%25").replace("/", "%2F")
    # The longest name of a file has 255 bytes, and git needs some for its lock.
    if len(os.fsencode(one)) <= _LONGEST:
        return one
    return f"long-{sha256(os.fsencode(name))[:_DIGITS]}"
