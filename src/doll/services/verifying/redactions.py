"""Redactions in history: the one change of experience that is no fault.

`doll.services.checking.redacting` knows the shape; a commit of its own and the trailer are looked
at here. Source: docs/vault-format.md, "Experience is append-only".
"""

from enum import Enum

from doll.records.names import fold
from doll.services.checking.kept import FILES
from doll.services.checking.redacting import is_redaction
from doll.vault.layout import is_kept, record_id
from doll.vcs.plumbing.contents import Contents
from doll.vcs.plumbing.history import Step
from doll.vcs.plumbing.index import Change

TRAILER = "Doll-Redacts"


class Likeness(Enum):
    """How much of a redaction a change of experience is.

    UNKNOWN: its bytes are not here, which `Contents.missing` tells.
    """

    NONE = "none"
    UNKNOWN = "unknown"
    UNSAID = "unsaid"
    WHOLE = "whole"


def own_change(step: Step) -> Change | None:
    """Return the change of a commit that changes one kept file of the vault and nothing else there.

    None for merges: they bring together what other commits changed.
    """
    if len(step.parents) != 1 or len(step.sides) != 1 or len(step.sides[0]) != 1:
        return None
    change = step.sides[0][0]
    is_edit = change.old_mode == change.mode and change.mode in FILES
    return change if is_edit and is_kept(change.path) else None


def likeness(step: Step, change: Change, contents: Contents) -> Likeness:
    """Return how much of a redaction `change` is, which `own_change` found in the commit."""
    like = shape(change, contents)
    if like is not Likeness.UNSAID:
        return like
    named = {fold(value.strip()) for value in step.values}
    return Likeness.WHOLE if fold(record_id(change.path)) in named else Likeness.UNSAID


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
