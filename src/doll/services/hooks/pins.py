"""What an installed hook leaves in git's configuration: the vault, its id, the project, a Python.

`doll.vault`, `doll.vaultId`, `doll.project`, `doll.python`, on a server `doll.branch`, and
`doll.hooks` where not all kinds are wanted, stand in the repository's own file, which its linked
work trees share. What doll wrote is written down beside it, under `doll.installed.*`, so that only
that is ever replaced or taken out; a value that the user set is theirs.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from doll.errors import ConflictError
from doll.vcs import plumbing

NAMES = ("vault", "vaultId", "project", "python", "branch", "hooks")
_LEDGER = "installed."


class Pins(NamedTuple):
    """The values in effect for a repository, None where there is none."""

    vault: str | None = None
    vault_id: str | None = None
    project: str | None = None
    python: str | None = None
    branch: str | None = None
    hooks: str | None = None


def read(repository: plumbing.Repository) -> Pins:
    """Return the values that git knows for this repository, whoever set them."""
    found = plumbing.config_section(repository, "doll")
    return Pins(*(found.get(name.lower()) for name in NAMES))


def read_own(repository: plumbing.Repository) -> dict[str, str]:
    """Return the values that doll itself wrote into the repository's own file, by name."""
    found = plumbing.config_section(repository, "doll", local=True)
    ours = {name: found.get(_LEDGER + name.lower()) for name in NAMES}
    return {name: value for name, value in ours.items() if value is not None}


def wanted(
    repository: plumbing.Repository,
    vault_root: Path,
    vault_id: str,
    project: str | None,
    python: str,
) -> dict[str, str]:
    """Return the values to pin, by name; `python` is the interpreter that runs doll.

    The vault is an absolute path. Where it lies in this very repository the path is relative to
    the top of the work tree: then it moves with the repository, and each linked work tree has its
    own.
    """
    home = plumbing.find(vault_root)
    place = str(vault_root)
    if home is not None and plumbing.same_repository(home, repository):
        place = vault_root.relative_to(home.top).as_posix()
    values = {"vault": place, "vaultId": vault_id, "python": python}
    return values | ({"project": project} if project is not None else {})


def to_write(repository: plumbing.Repository, values: Mapping[str, str]) -> dict[str, str]:
    """Return which of `values` have to be written; nothing is changed.

    ConflictError: the user has set one of them to another value.
    """
    found = plumbing.config_section(repository, "doll", local=True)
    missing = {}
    for name, value in values.items():
        present = found.get(name.lower())
        if present == value or _same_place(repository, name, value):
            continue
        if present not in (None, found.get(_LEDGER + name.lower())):
            raise ConflictError(
                f"git config doll.{name} is {present!r}, which you set, and would become "
                f"{value!r}; nothing was changed",
                hint=f"git config --local --unset-all doll.{name}    then run the command again",
            )
        missing[name] = value
    return missing


def pin(repository: plumbing.Repository, values: Mapping[str, str | None]) -> None:
    """Write the values, and that doll wrote them; None takes a value out again."""
    from doll.vcs import porcelain

    if not values:
        return
    found = plumbing.config_section(repository, "doll", local=True)
    for name, value in values.items():
        # In this order the value is known as doll's, or absent, after a kill at any moment.
        if name.lower() in found:
            porcelain.unset_config(repository, f"doll.{name}")
        if value is None:
            porcelain.unset_config(repository, f"doll.{_LEDGER}{name}")
        else:
            porcelain.set_config(repository, f"doll.{_LEDGER}{name}", value)
            porcelain.set_config(repository, f"doll.{name}", value)


def unpin(repository: plumbing.Repository) -> tuple[str, ...]:
    """Take out what doll wrote and nobody changed since; return the settings' names."""
    from doll.vcs import porcelain

    found = plumbing.config_section(repository, "doll", local=True)
    removed = []
    for name, ours in read_own(repository).items():
        if found.get(name.lower()) == ours:
            porcelain.unset_config(repository, f"doll.{name}")
            removed.append(f"doll.{name}")
        porcelain.unset_config(repository, f"doll.{_LEDGER}{name}")
    return tuple(removed)


def _same_place(repository: plumbing.Repository, name: str, value: str) -> bool:
    """Tell whether the user's `doll.vault` is only another way to write the same folder."""
    if name != "vault":
        return False
    present = plumbing.config(repository, "doll.vault", kind="path", local=True)
    if not present:
        return False
    try:
        return (repository.top / present).samefile(repository.top / value)
    except OSError:
        return False
