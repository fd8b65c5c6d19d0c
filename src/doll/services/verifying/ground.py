"""What the rules of verify stand on: one vault's history, read through git alone."""

from collections.abc import Sequence
from types import TracebackType
from typing import Self

from doll.records.limits import MAX_FILE_BYTES
from doll.services.opening import Vault
from doll.services.verifying.earlier import Earlier
from doll.vcs import plumbing
from doll.vcs.plumbing.contents import Contents


class Ground:
    """A context in which the commits of a vault after `known` are judged.

    `contents` gives the bytes of blobs of at most `limit` bytes, `earlier` what excuses a change,
    `algorithm` the object format of the repository.
    """

    def __init__(self, vault: Vault, known: Sequence[str], limit: int = MAX_FILE_BYTES) -> None:
        repository = vault.repository
        self.algorithm = repository.algorithm
        self.contents = Contents(repository, limit)
        self.earlier = Earlier(repository, vault.prefix, known, self.contents)
        self._vault = vault
        self._staged: tuple[str, frozenset[str]] = ("", frozenset())

    def __enter__(self) -> Self:
        self.contents.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.contents.__exit__(kind, error, trace)

    def staged(self, commit: str) -> frozenset[str]:
        """Return the blobs that a commit holds under `staging/`."""
        if self._staged[0] != commit:
            folder = [self._vault.in_git("staging")]
            items = plumbing.tree(self._vault.repository, commit, folder)
            self._staged = (commit, frozenset(item.oid for item in items))
        return self._staged[1]
