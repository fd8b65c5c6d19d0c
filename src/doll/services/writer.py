"""The one writer of a vault: holds the lock, and first tidies up after writers that were killed."""

from collections.abc import Iterator
from contextlib import contextmanager

from doll.services.opening import Vault
from doll.vault import leftovers, lock


@contextmanager
def writing(vault: Vault) -> Iterator[None]:
    """Hold the writer lock of a vault; BusyError, StorageError where it is not to be had."""
    with lock.writing(vault.state):
        leftovers.remove(vault.root, vault.state)
        yield
