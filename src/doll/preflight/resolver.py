"""Ids and aliases to the records they name, over one set of accepted records.

Owns what a reference means. Records that are not the user's are not in it: an imported or
proposed record cannot shadow, resolve or break a reference.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from doll.records.model import Record, RecordType
from doll.records.references import Names


class Resolution(NamedTuple):
    """What a reference names: `ids` of records of the wanted type, and why it is wrong, if it is.

    A sound reference names one record and has no `code`. An ambiguous one still says which records
    it could mean, so that nothing is silent about them.
    """

    ids: tuple[str, ...]
    code: str | None
    others: tuple[str, ...] = ()


class Resolver:
    """Finds records by id or alias; ids are compared in NFC and case-folded."""

    def __init__(self, records: Iterable[Record]) -> None:
        self._known: dict[tuple[str, RecordType], Resolution] = {}
        self.names = Names(sorted(records, key=lambda record: record.path))

    def resolve(self, reference: str, wanted: RecordType) -> Resolution:
        """Return what `reference` names, as a record of the type `wanted`."""
        known = self._known.get((reference, wanted))
        if known is None:
            known = self._known[reference, wanted] = self._resolve(reference, wanted)
        return known

    def record(self, reference: str, wanted: RecordType) -> Record | None:
        """Return the one record that a sound reference names, else None."""
        if self.resolve(reference, wanted).code is not None:
            return None
        return self.names.named(reference)[0]

    def _resolve(self, reference: str, wanted: RecordType) -> Resolution:
        found = self.names.named(reference)
        ids = tuple(record.id for record in found if record.type == wanted)
        paths = tuple(record.path for record in found)
        if not found:
            return Resolution((), "reference.unresolved")
        if len(found) > 1:
            return Resolution(ids, "reference.ambiguous", paths)
        return Resolution(ids, None if ids else "reference.wrong_type", paths)


def by_type(records: Iterable[Record]) -> Mapping[RecordType, list[Record]]:
    """Return the records by type, each list sorted by path."""
    grouped: dict[RecordType, list[Record]] = {}
    for record in sorted(records, key=lambda record: record.path):
        grouped.setdefault(record.type, []).append(record)
    return grouped
