"""What a sync begins with: a whole vault, and what of it is to be committed."""

from doll.errors import NoVaultError
from doll.services import missing
from doll.services.opening import Vault, require_records
from doll.services.syncing import shapes
from doll.services.syncing.looking import look, require_own_folders
from doll.services.syncing.values import Aim, Plan, Wish


def require_whole(vault: Vault) -> None:
    """Raise what `open_vault` raises of a vault whose settings or records are not there.

    ConflictError where that is since HEAD has no folder for them.
    """
    vault.settings  # noqa: B018 - a vault whose settings cannot be read is not synced
    try:
        require_records(vault)
    except NoVaultError:
        shapes.require_folders(vault)
        raise


def planned(vault: Vault, aim: Aim, wish: Wish) -> Plan:
    """Return what a sync would commit, and what it leaves and why; changes nothing.

    ConflictError where most records are missing on disk, or a folder of the vault is a link.
    """
    require_own_folders(vault)
    if not wish.allow_mass_delete and (found := missing.look(vault)):
        raise missing.refusal(found)
    seen = look(vault)
    if not seen.wanted:
        return Plan(aim, (), tuple(sorted(seen.held)), seen.theirs, seen.aside)
    # Loading the rules takes longer than all of a sync that has nothing to do.
    from doll.services.syncing.choosing import choose

    choice = choose(vault, seen.wanted)
    held = tuple(sorted({*seen.held, *choice.held}))
    return Plan(aim, choice.commit, held, seen.theirs, seen.aside)
