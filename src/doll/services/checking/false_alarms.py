"""Which hits of the secret detectors the user declared to be none, file by file.

The declarations stand in the imports' `_import.md`. One counts for its candidate wherever that lies
by now: its file name stays when it is approved.
"""

import functools
from collections import defaultdict
from collections.abc import Iterable

from doll.services.importing import history as import_history
from doll.services.importing.ledger import Ledger
from doll.services.opening import Vault

_HOMES = ("staging/", "confirmed/", "experience/")


class FalseAlarms:
    """What the ledgers of a vault declare."""

    def __init__(self, ledgers: Iterable[Ledger] = ()) -> None:
        self._known: defaultdict[str, set[str]] = defaultdict(set)
        for ledger in ledgers:
            for alarm in ledger.false_alarms:
                folder = f"staging/{ledger.adapter}/{ledger.name}"
                inside = "/" in alarm.file
                name = f"{folder}/{alarm.file}" if inside else alarm.file
                self._known[name].add(alarm.detector)

    def cover(self, path: str, detector: str) -> bool:
        """Return whether hits of `detector` in the file at `path` are declared to be none."""
        name = path.rpartition("/")[2]
        if not path.startswith(_HOMES):
            return False
        return detector in self._known.get(path, ()) or detector in self._known.get(name, ())


@functools.lru_cache(maxsize=1)
def false_alarms(vault: Vault) -> FalseAlarms:
    """Return what was declared in the vault when it is first asked.

    That costs git calls, so ask only when there is a hit. A ledger that cannot be read declares
    nothing.
    """
    return FalseAlarms(import_history.known(vault, vault.head).ledgers)
