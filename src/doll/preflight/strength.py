"""How strong an assertion is, and what its origin allows it to be.

Source: docs/preflight.md, "Supersedes and resolves".
"""

from typing import cast

from doll.records.model import Assertion, Experience, Origin, Record

_STRENGTH: dict[Assertion, int] = {
    "user_recorded": 3,
    "user_confirmed": 3,
    "deterministic_system": 2,
    "imported_external": 1,
    "model_proposed": 1,
}
_AT_MOST: dict[Origin, Assertion] = {
    "user": "user_recorded",
    "system": "deterministic_system",
    "import": "imported_external",
    "model": "model_proposed",
}


def strength(assertion: Assertion) -> int:
    """Return the rank of an assertion; equal ranks may correct each other."""
    return _STRENGTH[assertion]


def assertion_of(record: Record) -> Assertion:
    """Return an experience record's assertion, lowered to what its origin allows.

    An imported entry that says `user_recorded` speaks as an import.
    """
    stated, limit = cast("Experience", record.fields).assertion, _AT_MOST[record.fields.origin]
    return stated if strength(stated) <= strength(limit) else limit


def trust(record: Record, *, committed: bool) -> int:
    """Return the rank for ordering findings: 0 the user's committed word to 3 not committed."""
    return 3 - strength(assertion_of(record)) if committed else 3
