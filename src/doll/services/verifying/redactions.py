"""Redactions in history: the one change of experience that is no fault.

`doll.services.checking.redacting` knows the shape; a commit of its own and the trailer are looked
at here. Source: docs/vault-format.md, "Experience is append-only".
"""

from collections.abc import Sequence
from enum import Enum

from doll.records.names import fold
from doll.services.checking.kept import FILES
from doll.services.checking.redacting import is_redaction
from doll.services.trailers import BY, REDACTS, Pairs, values
from doll.vault.layout import is_kept, record_id
from doll.vcs.plumbing.contents import Contents
from doll.vcs.plumbing.history import Step
from doll.vcs.plumbing.index import Change


class Likeness(Enum):
    """How much of a redaction a change of experience is.

    UNKNOWN: its bytes are not here, which `Contents.missing` tells; UNSAID: its message does not
    name the entry; BY_MODEL: its message says that a model wrote it.
    """

    NONE = "none"
    UNKNOWN = "unknown"
    UNSAID = "unsaid"
    BY_MODEL = "by a model"
    WHOLE = "whole"


def own_change(step: Step) -> Change | None:
    """Return the change of a commit that changes one kept file of the vault and nothing else there.

    None for merges: they bring together what other commits changed.
    """
    if len(step.parents) != 1 or len(step.sides) != 1:
        return None
    return only_change(step.sides[0])


def only_change(changes: Sequence[Change]) -> Change | None:
    """Return the one change, where it is an edit of a kept file; paths are those of the vault."""
    if len(changes) != 1:
        return None
    change = changes[0]
    is_edit = change.old_mode == change.mode and change.mode in FILES
    return change if is_edit and is_kept(change.path) else None


def likeness(step: Step, change: Change, contents: Contents) -> Likeness:
    """Return how much of a redaction `change` is, which `own_change` found in the commit."""
    like = shape(change, contents)
    if like is not Likeness.UNSAID:
        return like
    return said(change.path, step.trailers)


def said(path: str, trailers: Pairs) -> Likeness:
    """Return how much of the redaction of a file a message with these trailers makes."""
    pairs = list(trailers)
    if fold(record_id(path)) not in map(fold, values(pairs, REDACTS)):
        return Likeness.UNSAID
    return Likeness.BY_MODEL if any(values(pairs, BY)) else Likeness.WHOLE


def shape(change: Change, contents: Contents) -> Likeness:
    """Return UNSAID for a change that looks like a redaction, whoever made it."""
    both = (change.old_oid, change.oid)
    found = contents.read(both)
    if not contents.missing.isdisjoint(both):
        return Likeness.UNKNOWN
    whole = len(found) == len(set(both))
    return (
        Likeness.UNSAID if whole and is_redaction(*(found[oid] for oid in both)) else Likeness.NONE
    )
