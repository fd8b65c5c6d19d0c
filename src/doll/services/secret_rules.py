"""Secrets in files of the vault, as problems: kind and place, never the value."""

from typing import TYPE_CHECKING

from doll.errors import Problem
from doll.services.opening import Vault

if TYPE_CHECKING:
    from doll import secrets


def secret_problems(vault: Vault, path: str, data: bytes) -> list[Problem]:
    """Return a problem for each secret that a file's text seems to hold."""
    from doll import secrets

    try:
        text = data.decode()
    except UnicodeDecodeError:
        return []
    hits = secrets.scan(text)
    return [_problem(path, hit) for hit in hits]


def _problem(path: str, hit: "secrets.Hit") -> Problem:
    message = f"this looks like a secret ({hit.detector})"
    hint = "remove it, and change it where it is used"
    return Problem(path, hit.line, hit.column, "secret.found", message, hint=hint)
