"""A remote that git pushes to another place than it fetches from, and whether that has it, too.

They may be two ways to one repository; only asking tells.
"""

import shlex

from doll.services.opening import Vault
from doll.services.syncing.values import Stop, Target, Wish, without_login
from doll.vcs import porcelain
from doll.vcs.plumbing.branches import places

_FOUND = 1


def apart(vault: Vault, target: Target) -> bool:
    """Return whether pushes to the remote go elsewhere than fetches, by name."""
    found = places(vault.repository, target.remote)
    return found.fetched != found.pushed


def tip(vault: Vault, target: Target, wish: Wish) -> str | None:
    """Return what the branch is where it is fetched from, HEAD having just been pushed.

    The remote is asked only where that is another place. GitError when it is out of reach.
    """
    if not apart(vault, target):
        return vault.head
    return porcelain.tip_of(vault.repository, target.remote, target.ref, attended=wish.attended)


def not_there(vault: Vault, target: Target, fetched: str | None) -> Stop:
    """Return the stop for a push that did not reach where `fetched` comes from.

    git has moved the tracking ref at the push; it goes back to what is fetched.
    """
    if target.tracking:
        back = porcelain.Move(target.tracking, fetched or "")
        porcelain.move(vault.repository, [back], "doll sync")
    found = places(vault.repository, target.remote)
    git = f"git -C {shlex.quote(str(vault.root))}"
    setting = shlex.quote(f"remote.{target.remote}.pushurl")
    there = shlex.quote(found.fetched[0])
    if without_login(found.fetched[0]) != found.fetched[0]:
        there = f'"$({git} remote get-url {shlex.quote(target.remote)})"'
    return Stop(
        _FOUND,
        f"pushed to {', '.join(map(without_login, found.pushed))}, and {target.remote}, which is "
        f"fetched from {without_login(found.fetched[0])}, does not have it",
        f"doll sync    when it has come there, too\n"
        f"{git} config --replace-all {setting} {there}    pushes to where "
        "it is fetched from, then doll sync",
    )
