"""The usage log of a vault: signals added to it, and what it says at a moment.

Signals order answers and do nothing else: no record is read or changed here. Files that git tracks
came from elsewhere: they are not read, and nothing is added to them.
"""

from collections.abc import Container
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from doll.errors import ConflictError, GitError
from doll.records import times
from doll.services.opening import Vault
from doll.vault import usage
from doll.vault.layout import USAGE
from doll.vault.signals import Signal, Uses, add_up, encode
from doll.vcs import plumbing


class Known(NamedTuple):
    """What the signals of some time add up to, and in words what could not be read."""

    uses: Uses
    faults: tuple[str, ...]


def add(vault: Vault, signal: Signal, *, limit: int = usage.MAX_FILE) -> str:
    """Add a signal to the file of its day; return the path of the file.

    Raises ConflictError (a link, a file that git tracks, a full one) and StorageError.
    """
    if fault := _tracked(vault):
        raise ConflictError(f"nothing was written: {fault}", hint=_untrack(vault))
    day = times.parse(signal.at).date()
    return usage.append(vault.root, vault.state, day, encode(signal), limit=limit)


def known(vault: Vault, as_of: datetime, days: int, names: Container[str]) -> Known:
    """Return what the signals of the last `days` days up to a moment add up to.

    `names` are the folded ids that are asked for.
    """
    last = as_of.astimezone(UTC)
    until = times.render(last)
    if fault := _tracked(vault):
        return Known(add_up((), until), (fault,))
    try:
        first = (last - timedelta(days=days)).date()
    except OverflowError:
        first = datetime.min.replace(tzinfo=UTC).date()
    stored = usage.read(vault.root, first, last.date())
    return Known(add_up(stored.days, until, names), stored.faults)


def _tracked(vault: Vault) -> str:
    """Return in words that git tracks files of the log, or may do so; "" where it does not."""
    try:
        found = plumbing.tracks(vault.repository, vault.in_git(USAGE))
    except GitError as error:
        return f"whether git tracks {USAGE} cannot be told: {error.message}"
    return f"git tracks files in {USAGE}, so they are not this machine's own" if found else ""


def _untrack(vault: Vault) -> str:
    import shlex

    return f"git -C {shlex.quote(str(vault.root))} rm -r --cached --quiet -- {USAGE}"
