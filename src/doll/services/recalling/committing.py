"""Marks what was recalled and is not as HEAD has it: asked of git once, about the shown alone."""

from collections.abc import Sequence

from doll.errors import GitError
from doll.reconcile.shelf import Notice
from doll.records.digest import blob_id
from doll.render.recall_values import NOT_COMMITTED, Hit
from doll.services.opening import Vault
from doll.vault import files
from doll.vcs import plumbing


def with_uncommitted(
    vault: Vault, hits: Sequence[Hit]
) -> tuple[tuple[Hit, ...], tuple[Notice, ...]]:
    """Return hits, those marked that are new or changed against HEAD, and what is not sure."""
    if not hits:
        return (), ()
    paths = [vault.in_git(hit.path) for hit in hits]
    try:
        found = plumbing.tree(vault.repository, vault.head, paths)
    except GitError as error:
        said = f"whether these records are committed could not be looked at: {error.message}"
        return tuple(hits), (Notice(said, error.hint),)
    committed = {item.path: item.oid for item in found}
    return tuple(
        hit
        if _blob(vault, hit) == committed.get(path)
        else hit._replace(marks=(*hit.marks, NOT_COMMITTED))
        for hit, path in zip(hits, paths, strict=True)
    ), ()


def _blob(vault: Vault, hit: Hit) -> str:
    """Return git's id of the bytes that are shown, "" when the file has others by now."""
    data = files.read_as(vault.root, hit.path, hit.digest)
    return "" if data is None else blob_id(data, vault.repository.algorithm)
