"""Records that a command's words name: references, the ids that are taken, near matches.

References are looked up among confirmed memory, experience and authority of the work tree.
Candidates in staging are never found here: they cannot stand for a record.
"""

from collections.abc import Iterable, Sequence

from doll.errors import UsageError
from doll.records.model import Record, RecordType, with_article
from doll.records.names import TOKEN_LENGTH, fold
from doll.records.references import TARGETS, Names, plain
from doll.services.opening import Vault
from doll.services.recording.wording import readable
from doll.vault.entries import Entry
from doll.vault.layout import LOCAL_AREAS, record_id

_NEAR = 3


class Known:
    """The records of the work tree outside staging, by id and alias."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries = tuple(entries)
        self.records = [entry.record for entry in self.entries if entry.record is not None]
        self.unreadable = tuple(entry.path for entry in self.entries if entry.record is None)
        self._names = Names(self.records)

    def named(self, name: str) -> Sequence[Record]:
        """Return the records that `name` names: by id or alias, else by an entry's token.

        The token is the ten random characters that end the name of an experience entry.
        """
        found = self._names.named(name)
        token = fold(plain(name))
        if not found and len(token) == TOKEN_LENGTH:
            ending = f"-{token}"
            of_type = (record for record in self.records if record.type == "experience")
            found = [record for record in of_type if record.id.endswith(ending)]
        return found

    def one(self, name: str, types: Sequence[RecordType], where: str) -> Record:
        """Return the one record that `name` names; UsageError when it does not, or not of `types`.

        No `types` means any. `where` is the option that names it.
        """
        found = self.named(readable(name, where))
        if len(found) > 1:
            paths = " and ".join(sorted(record.path for record in found)[:_NEAR])
            message = f"{_short(plain(name))!r} names more than one record: {paths}"
            raise UsageError(f"{where}: {message}", hint="give one of them another id or alias")
        if not found:
            wanted = _one_of(types) if types else "record"
            message = f"no {wanted} has the id {_short(plain(name))!r}"
            raise UsageError(f"{where}: {message}", hint=self._hint(name, types))
        if types and found[0].type not in types:
            wanted = with_article(_one_of(types))
            message = f"{found[0].id} is {with_article(found[0].type)}, and this wants {wanted}"
            raise UsageError(f"{where}: {message}", hint=self._hint(name, types))
        return found[0]

    def holder(self, name: str) -> str | None:
        """Return the path of a record that has `name` as its id or alias, also an unreadable one.

        Other than `named` it knows no tokens: it answers whether an id is free.
        """
        for record in self._names.named(name):
            return record.path
        wanted = fold(name)
        return next((path for path in self.unreadable if fold(record_id(path)) == wanted), None)

    def _hint(self, name: str, types: Sequence[RecordType]) -> str:
        near = self.near(name, types)
        if near:
            return f"did you mean {' or '.join(near)}?"
        of_type = f" --type {types[0]}" if types else ""
        lines = [f"doll list{of_type}    shows what there is"]
        if types and not any(record.type in types for record in self.records):
            first = 'log KIND "…"' if types[0] == "experience" else f'new {types[0]} ID --title "…"'
            lines = [f"doll {first}    writes the first one"]
        if self.unreadable:
            lines.append(f"doll validate    {len(self.unreadable)} cannot be read")
        return "\n".join(lines)

    def near(self, name: str, types: Sequence[RecordType] = ()) -> list[str]:
        """Return ids that look like `name`, best first, at most three."""
        from difflib import get_close_matches

        wanted = fold(plain(name))[:200]
        ids = {
            fold(alias): record.id
            for record in self.records
            if not types or record.type in types
            for alias in (*record.fields.aliases, record.id)
        }
        holding = [key for key in sorted(ids) if len(wanted) > 2 and wanted in key]
        found = [*get_close_matches(wanted, sorted(ids), _NEAR, 0.6), *holding]
        return list(dict.fromkeys(ids[key] for key in found))[:_NEAR]


def load(vault: Vault) -> Known:
    """Return what is known in the work tree now."""
    return Known(vault.load(LOCAL_AREAS).entries)


def canonical(
    known: Known, record_type: RecordType, field: str, names: Iterable[str], where: str
) -> list[Record]:
    """Return the records that the references of a field name, each once; UsageError as in `one`."""
    types = TARGETS[record_type, field]
    found = {record.id: record for record in (known.one(name, types, where) for name in names)}
    return list(found.values())


def _one_of(types: Sequence[RecordType]) -> str:
    return " or ".join(types)


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:79] + "…"
