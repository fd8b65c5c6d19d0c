"""What the user declared to be no secret when a record was written by hand.

A declaration stands as a trailer in the record's commit, where everybody finds it, and by the
digest of the bytes in `<git dir>/doll/not-a-secret`, where the hook of that very commit finds it.
"""

import functools
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from doll.errors import StorageError
from doll.records.digest import sha256
from doll.services.opening import Vault
from doll.services.recording.screening import Place
from doll.services.trailers import FALSE_ALARM
from doll.vault import own_files
from doll.vcs import plumbing

_FILE = "not-a-secret"


def declare(vault: Vault, data: bytes, places: Sequence[Place]) -> None:
    """Remember on this machine that `places` in a file of these bytes hold no secret."""
    if not places:
        return
    lines = "".join(f"{sha256(data)} {place.detector}\n" for place in places)
    try:
        own_files.add(vault.state / _FILE, lines.encode())
    except OSError as error:
        raise StorageError(
            f"the declaration cannot be kept in {vault.state}: {error.strerror}",
            hint="check the permissions of the folder",
        ) from error


class Declarations:
    """What was declared by the time that a vault was first asked."""

    def __init__(self, here: Iterable[str], committed: Mapping[str, Iterable[str]]) -> None:
        self._here = frozenset(here)
        self._committed = {
            path: {value.partition(":")[0] for value in values}
            for path, values in committed.items()
        }

    def detectors(self, path: str, data: bytes) -> frozenset[str]:
        """Return the detectors whose hits in a file are declared to be none.

        `path` is relative to the top of the repository.
        """
        digest = sha256(data)
        here = {line.partition(" ")[2] for line in self._here if line.startswith(digest)}
        return frozenset(here | self._committed.get(path, set()))


@functools.lru_cache(maxsize=1)
def declarations(vault: Vault) -> Declarations:
    """Return what is declared in the vault when it is first asked, by one call of git.

    That reads the whole history, so ask only when there is a hit.
    """
    here: list[str] = []
    with suppress(OSError, UnicodeDecodeError):
        here = (vault.state / _FILE).read_text(encoding="utf-8").splitlines()
    return Declarations(here, plumbing.trailers(vault.repository, vault.head, FALSE_ALARM))
