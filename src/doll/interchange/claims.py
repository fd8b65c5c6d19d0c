"""What a source said and doll does not take over, for the person who reviews it."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from doll.interchange.pointers import parts

UNKNOWN = "meaning not known"
NO_FIELD = f"doll has no such field: {UNKNOWN}"


class Claim(NamedTuple):
    """One claim: its name, its JSON text, and why it is no more than a claim.

    Texts may hold any character of the source; whoever prints them escapes what cannot be seen.
    """

    name: str
    text: str
    reason: str


def described(claims: Mapping[str, str], reason: Callable[[str], str]) -> tuple[Claim, ...]:
    """Return the claims of a record in their order; `reason` is the adapter's, by pointer."""
    return tuple(Claim(_name(pointer), text, reason(pointer)) for pointer, text in claims.items())


def unknown(pointer: str) -> str:  # noqa: ARG001 - as an adapter's `claim_reason`
    """Return the reason of a claim whose adapter is not known here."""
    return UNKNOWN


def _name(pointer: str) -> str:
    return ".".join(part.replace(".", "\\.") for part in parts(pointer))
