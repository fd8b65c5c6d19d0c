"""A vault as one commit has it, in a repository without a work tree."""

from functools import cached_property

from doll.services.opening import Vault
from doll.vault.sealed import Cache
from doll.vcs import plumbing


class CommittedVault(Vault):
    """A vault that is read through git alone; its `head` is the commit. It has no cache."""

    def __init__(self, repository: plumbing.Repository, prefix: str, commit: str) -> None:
        super().__init__(
            repository.top / prefix, "a commit", None, repository, plumbing.Position(commit, None)
        )

    @cached_property
    def cache(self) -> Cache:
        """A cache that is never used: nothing is written beside what git keeps."""
        unused = Cache(self.root, self.state)
        unused.fault = "the repository has no work tree"
        return unused

    def read(self, path: str) -> bytes:
        """Return the bytes that the commit has at a path; FileNotFoundError where it has none."""
        found = plumbing.tree(self.repository, self.head, [self.in_git(path)])
        if len(found) != 1 or not found[0].mode.startswith("100"):
            raise FileNotFoundError(path)
        return plumbing.blobs(self.repository, [found[0].oid])[found[0].oid]

    def marker_at_head(self) -> bytes | None:
        """Return the bytes of `doll.yaml` in the commit, None when it has none."""
        from doll.vault.layout import MARKER

        try:
            return self.read(MARKER)
        except FileNotFoundError:
            return None
