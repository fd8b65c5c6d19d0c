"""How a sync names files: in a sentence, and as words of a line to type. Pure."""

import shlex
from collections.abc import Sequence

from doll.services.opening import Vault
from doll.services.syncing.values import Target
from doll.vault.typed import typed

_SHOWN = 3


def git(vault: Vault) -> str:
    """Return how git is called where the paths of the repository are as it names them."""
    return f"git -C {shlex.quote(str(vault.repository.top))}"


def remote(vault: Vault, target: Target) -> str:
    """Return the remote as a word of a line; a URL with a login is asked for when that is typed."""
    if target.shown == target.remote:
        return typed(target.remote)
    return f'"$({git(vault)} config {typed(f"branch.{vault.branch}.remote")})"'


def listed(paths: Sequence[str]) -> str:
    """Return the first of many paths for a sentence, and how many more there are."""
    more = f" and {len(paths) - _SHOWN:,} more" if len(paths) > _SHOWN else ""
    return f"{', '.join(paths[:_SHOWN])}{more}"


def words(paths: Sequence[str]) -> str:
    """Return all paths as words of a line, which can be typed as it stands."""
    return " ".join(map(typed, paths))
