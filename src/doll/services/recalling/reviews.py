"""Marks what was recalled from `confirmed/` and is not signed, where the vault asks for that."""

from collections.abc import Sequence

from doll.errors import GitError
from doll.reconcile.shelf import Notice
from doll.render.recall_values import NOT_SIGNED, Hit
from doll.services.opening import Vault
from doll.services.signing.effect import unsigned_reviews


def marked(vault: Vault, hits: Sequence[Hit]) -> tuple[tuple[Hit, ...], tuple[Notice, ...]]:
    """Return hits, those marked whose committed version is not signed, and what is not sure.

    The text of an edit that is not committed is marked as the committed one is.
    """
    if not any(hit.path.startswith("confirmed/") for hit in hits):
        return tuple(hits), ()
    try:
        found = unsigned_reviews(vault, vault.head)
    except GitError as error:
        said = f"whether reviews are signed could not be looked at: {error.message}"
        return tuple(hits), (Notice(said, error.hint),)
    unsigned = {change.path for change in found.changes}
    notices = tuple(Notice(problem.message, problem.hint) for problem in found.problems)
    return tuple(_marked(hit) if hit.path in unsigned else hit for hit in hits), notices


def _marked(hit: Hit) -> Hit:
    return hit._replace(marks=(*hit.marks, NOT_SIGNED))
