"""Whether authority would count once it is committed where HEAD is. Says it; changes nothing."""

from collections.abc import Iterator

from doll.errors import ConfigurationError, NoVaultError
from doll.services.accepted import accepted_commit
from doll.services.opening import Vault
from doll.services.signing.effect import asks_for_signatures
from doll.vcs import plumbing


def branch_notes(vault: Vault) -> Iterator[str]:
    """Yield why authority would not count once it is committed where HEAD is now."""
    try:
        accepted = accepted_commit(vault)
    except (ConfigurationError, NoVaultError) as error:
        yield f"it does not count: {error.message}"
        return
    if not accepted.on_branch:
        here = vault.branch or "no branch"
        yield (
            f"HEAD is on {here}: it does not count until it is on the vault's "
            f"branch, {accepted.branch}"
        )
    if asks_for_signatures(vault, accepted.commit) and not _signs(vault):
        yield (
            "the vault asks for signed commits: it does not count before `git commit -S`, or set "
            "git config commit.gpgSign true"
        )


def _signs(vault: Vault) -> bool:
    return plumbing.config_flag(vault.repository, "commit.gpgSign")
