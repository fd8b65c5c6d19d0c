"""What the user declared to be no secret when a record was written by hand.

A declaration stands as a trailer in the record's commit, where everybody finds it, and by the
digest of the bytes in `<git dir>/doll/not-a-secret`, where the hook of that very commit finds it.
"""

from collections.abc import Sequence
from contextlib import suppress

from doll.errors import DollError
from doll.records.digest import sha256
from doll.services.opening import Vault
from doll.services.recording.screening import TRAILER, Place
from doll.vcs import plumbing

_FILE = "not-a-secret"


def declare(vault: Vault, data: bytes, places: Sequence[Place]) -> None:
    """Remember on this machine that `places` in a file of these bytes hold no secret."""
    if not places:
        return
    lines = "".join(f"{sha256(data)} {place.detector}\n" for place in places)
    try:
        vault.state.mkdir(parents=True, exist_ok=True)
        with (vault.state / _FILE).open("a", encoding="utf-8") as file:
            file.write(lines)
    except OSError as error:
        raise DollError(
            f"the declaration cannot be kept in {vault.state}: {error.strerror}",
            hint="check the permissions of the folder",
        ) from error


def declared(vault: Vault, path: str, data: bytes, detector: str) -> bool:
    """Return whether hits of `detector` in the file at `path` are declared to be none."""
    wanted = f"{sha256(data)} {detector}"
    with suppress(OSError, UnicodeDecodeError):
        if wanted in (vault.state / _FILE).read_text(encoding="utf-8").splitlines():
            return True
    said = plumbing.trailers(vault.repository, vault.head, TRAILER, vault.in_git(path))
    return any(value.partition(":")[0] == detector for value in said)
