"""What the commit-msg hook says of a redaction: its message names the entry, and is no model's.

Only here the message and what is staged are both known before the commit is history.
"""

from collections.abc import Iterator, Sequence

from doll.errors import Problem
from doll.services.opening import Vault
from doll.services.trailers import BY, REDACTS, Pairs, values
from doll.services.verifying.redactions import Likeness, only_change, said
from doll.vault.layout import record_id
from doll.vault.typed import typed
from doll.vcs import plumbing
from doll.vcs.plumbing.underway import merge_heads

_KEPT = "experience/"


def may_redact(changes: Sequence[plumbing.Change]) -> bool:
    """Return whether staged changes may be a redaction, by their paths in the repository alone."""
    return any(change.status == "M" and _KEPT in change.path for change in changes)


def redaction_problems(
    vault: Vault, changes: Sequence[plumbing.Change], trailers: Pairs
) -> Iterator[Problem]:
    """Yield what a message with these trailers lacks for the redaction that is staged, if one is.

    `changes` are those in the vault's folder, as the repository has them. A merge takes over what
    was judged where it was made. GitError when git cannot give the two versions.
    """
    inside = [change._replace(path=vault.in_vault(change.path) or "") for change in changes]
    change = only_change([each for each in inside if each.path])
    if change is None or merge_heads(vault.repository, starting=True):
        return
    pairs = list(trailers)
    like = said(change.path, pairs)
    if like is Likeness.WHOLE or not _is_redaction(vault, change):
        return
    trailer = f"{REDACTS}: {record_id(change.path)}"
    if like is Likeness.BY_MODEL:
        message = f"this redacts the entry, and the message has `{BY}:`: it is the user's act"
    elif named := values(pairs, REDACTS):
        message = f"this redacts the entry, and the message names another: {', '.join(named)}"
    else:
        message = f"this redacts the entry, and the message lacks the line `{trailer}`"
    yield Problem(
        change.path, 0, 0, "experience.changed", message, hint=_line(change.path, trailer)
    )


def _is_redaction(vault: Vault, change: plumbing.Change) -> bool:
    from doll.services.checking.redacting import is_redaction

    both = (change.old_oid, change.oid)
    found = plumbing.blobs(vault.repository, both)
    return is_redaction(*(found[oid] for oid in both))


def _line(path: str, trailer: str) -> str:
    """Return the line to type."""
    subject = typed(f"redact: {record_id(path)}")
    return f"git commit -m {subject} --trailer {typed(trailer)} -- {typed(path)}"
