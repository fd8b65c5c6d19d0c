"""The mark of a review: three lines that say who reviewed a candidate, when, and which bytes.

Pure. Every other byte stays, so that the reviewed bytes come out again when the lines are taken
away.
"""

from datetime import UTC, datetime
from typing import NamedTuple

from doll.errors import ConflictError
from doll.records.digest import sha256
from doll.records.splice import splice
from doll.services.checking.review_rules import before_review


class Signature(NamedTuple):
    """Who reviews (`Name <mail>`), and when (an aware datetime, as a review states it)."""

    identity: str
    moment: datetime


def mark(data: bytes, signature: Signature) -> bytes:
    """Return the reviewed bytes with the three lines of the review, and every other byte kept.

    ConflictError when they would not come out again, or when there is no room for the lines.
    """
    marked = data
    for key, value in (
        ("reviewed_by", signature.identity),
        ("reviewed_at", signature.moment),
        ("reviewed_sha256", sha256(data)),
    ):
        marked = splice(marked, {key: value})
    if before_review(marked) != data:
        raise ConflictError(
            "the front matter is written in a way that the review could not be taken out of again",
            hint="write its fields one on a line, commit the candidate, and review it again",
        )
    return marked


def whole(moment: datetime) -> datetime:
    """Return a moment as a review states it: UTC, whole seconds."""
    return moment.astimezone(UTC).replace(microsecond=0)
