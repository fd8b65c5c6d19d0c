"""What a repository on a server knows of its vault: where it lies, its id, its branch."""

from pathlib import Path
from typing import NamedTuple

from doll.errors import ConfigurationError
from doll.services.accepted import PINNED_BRANCH
from doll.services.receiving.committed import CommittedVault
from doll.services.receiving.updates import BRANCHES
from doll.vault import layout
from doll.vcs import plumbing
from doll.vcs.plumbing.bare import receiving


class Server(NamedTuple):
    """A repository that is pushed to.

    `prefix` is where its vault lies ("" or `notes/`), `branch` the vault's branch, `main` the
    commit that it is at before the push, None where it is not there yet. `vault_id` is None where
    nobody knows it yet. `strict`: what cannot be checked is refused.
    """

    repository: plumbing.Repository
    prefix: str
    vault_id: str | None
    branch: str
    main: str | None
    strict: bool

    def at(self, commit: str) -> CommittedVault:
        """Return the vault as a commit has it."""
        return CommittedVault(self.repository, self.prefix, commit)


def server(folder: Path) -> Server:
    """Return the repository whose hook runs in `folder`, as it is before the push.

    Its settings are git's own and those that the vault's branch has by now: a push cannot loosen
    what it is judged by.
    """
    repository = receiving(folder)
    found = plumbing.config_section(repository, "doll")
    strict = "strict" not in found or plumbing.config_flag(repository, "doll.strict")
    prefix = vault_prefix(found.get("vault", "."))
    branch = found.get("branch") or vault_branch(repository, prefix)
    main = plumbing.resolve(repository, f"{BRANCHES}{branch}")
    return Server(repository, prefix, found.get("vaultid") or None, branch, main, strict)


def vault_prefix(name: str) -> str:
    """Return where a vault of this name lies in its repository; ConfigurationError for elsewhere.

    `name` is a path from the top, `.` for the top itself.
    """
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if name.startswith("/") or ".." in parts:
        raise ConfigurationError(
            f"doll.vault is {name!r}; on a server it is the vault's path inside the repository",
            hint="git config doll.vault .    for a vault that is the whole repository",
        )
    return "".join(f"{part}/" for part in parts)


def vault_branch(repository: plumbing.Repository, prefix: str) -> str:
    """Return the branch that `doll.yaml` names where HEAD is, else the one that HEAD names."""
    head = plumbing.head(repository)
    if head is not None:
        vault = CommittedVault(repository, prefix, head)
        marker = vault.marker_at_head()
        settings = vault.parse_settings(marker)[0] if marker is not None else None
        if settings is not None:
            return settings.branch
    branch = plumbing.branch(repository)
    if branch is None:
        raise ConfigurationError(
            "the vault's branch is not known",
            hint=f"git config {PINNED_BRANCH} main    names it",
        )
    return branch


def marker_problem(server: Server, before: bytes | None, after: CommittedVault) -> str:
    """Return what is wrong with the mark of the vault after a push, in words, "" for nothing."""
    marker = after.marker_at_head()
    if marker is None:
        return f"it takes {layout.MARKER} away, and without it this is no vault" if before else ""
    settings = after.parse_settings(marker)[0]
    old = after.parse_settings(before)[0] if before is not None else None
    known = server.vault_id or (old.id if old else None)
    if settings is not None and known is not None and settings.id != known:
        return f"it brings another vault: the id in {layout.MARKER} is not {known}"
    return ""
