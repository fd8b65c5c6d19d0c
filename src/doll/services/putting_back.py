"""Files that a flow removed and then has to put back: as far as the disk allows, and told."""

from collections.abc import Iterable, Mapping

from doll.errors import ConflictError, DollError, StorageError
from doll.render.text import count
from doll.services.opening import Vault
from doll.services.restoring import restoring
from doll.vault import files

_NAMED = 20


def put_back(vault: Vault, listed: Iterable[tuple[str, bytes]]) -> dict[str, str]:
    """Write files, each a path and its bytes; return the paths that fail, each with the reason.

    One that is there is left as it is.
    """
    gone = {}
    for path, data in listed:
        try:
            files.create(vault.root, path, data)
        except ConflictError:
            pass  # it was not removed
        except DollError as error:
            gone[path] = error.message
    return gone


def not_back(vault: Vault, gone: Mapping[str, str], meanwhile: str) -> StorageError:
    """Return the error for files that could not be put back: git has them, and how to get them."""
    why = next(iter(gone.values()))
    return StorageError(
        f"{count(len(gone), 'file')} could not be put back; {meanwhile}: {why}",
        hint=f"once the disk takes files again: {restoring(vault.root, sorted(gone)[:_NAMED])}",
    )
