"""Where candidates are that were met before: in staging, approved, or in no folder any more.

Reads the names of files; records only where a name is missing, since an approved memory may have
been given another name.
"""

from collections.abc import Iterable

from doll.records.names import fold
from doll.services.importing.ledger import Line
from doll.services.opening import Vault
from doll.vault.layout import record_id
from doll.vault.snapshot import snapshot

_PLACES = ("staging", "confirmed", "experience")


def dropped_stems(vault: Vault, lines: Iterable[Line]) -> frozenset[str]:
    """Return the stems of those staged entries whose candidate is in no folder any more.

    A record that says the same source id and digest is the candidate, whatever it is called now.
    """
    found = snapshot(vault.root, _PLACES)
    there = {fold(record_id(file.path).rpartition("/")[2]) for file in found.files}
    missing = {line for line in lines if fold(line.stem) not in there}
    if not missing:
        return frozenset()
    entries = {
        (record.fields.origin_id, record.fields.origin_sha256)
        for record in vault.load(_PLACES).records
    }
    gone = (line for line in missing if (line.source_id, line.digest) not in entries)
    return frozenset(line.stem for line in gone)
