"""Secrets in files of the vault as problems, save those that the user declared to be none."""

from doll.errors import Problem
from doll.services.checking.declarations import declared
from doll.services.checking.false_alarms import false_alarms
from doll.services.opening import Vault


def secret_places(vault: Vault, path: str, text: str) -> tuple[Problem, ...]:
    """Return a problem for each place of `text` that looks like a secret and counts as one."""
    from doll.secrets import scan

    hits = scan(text)
    if not hits:
        return ()
    alarms = false_alarms(vault)
    return tuple(
        Problem(
            path,
            hit.line,
            hit.column,
            "secret.found",
            f"this looks like a secret ({hit.detector})",
            hint="remove it from the file, and change it where it is used",
        )
        for hit in hits
        if not alarms.cover(path, hit.detector)
        and not declared(vault, path, text.encode(), hit.detector)
    )
