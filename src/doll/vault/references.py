"""References between records: ids and aliases to records, and which references do not resolve.

Pure. Candidates in staging neither resolve a reference nor shadow or break one.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from doll.errors import Problem
from doll.records.model import Record, RecordType
from doll.records.names import fold

# field -> the types that a reference in it may name; experience may rest on anything.
TARGETS: dict[tuple[RecordType, str], tuple[RecordType, ...]] = {
    ("memory", "supersedes"): ("memory",),
    ("memory", "contradicts"): ("memory",),
    ("memory", "related"): (),
    ("experience", "project"): ("project",),
    ("experience", "work_item"): ("work-item",),
    ("experience", "sources"): (),
    ("experience", "resolves"): ("experience",),
    ("experience", "supersedes"): ("experience",),
    ("work-item", "project"): ("project",),
    ("work-item", "depends_on"): ("work-item",),
    ("decision", "project"): ("project",),
    ("decision", "supersedes"): ("decision",),
    ("procedure", "project"): ("project",),
    ("policy", "projects"): ("project",),
    ("permission", "projects"): ("project",),
    ("permission", "capability"): ("capability",),
}


class Names:
    """The ids and aliases of `records`, folded; several records may share a name."""

    def __init__(self, records: Iterable[Record]) -> None:
        self._found: dict[str, list[Record]] = {}
        for record in records:
            for name in {fold(record.id), *map(fold, record.fields.aliases)}:
                self._found.setdefault(name, []).append(record)

    def named(self, name: str) -> Sequence[Record]:
        """Return the records whose id or alias is `name`."""
        return self._found.get(fold(plain(name)), ())

    def clashes(self) -> Iterator[tuple[str, Sequence[Record]]]:
        """Yield each name that more than one record has."""
        for name, records in sorted(self._found.items()):
            if len(records) > 1:
                yield name, sorted(records, key=lambda record: record.path)


class Reference(NamedTuple):
    """One reference: the record that makes it, its field, the name, and the allowed types."""

    record: Record
    field: str
    name: str
    types: tuple[RecordType, ...]


def plain(name: str) -> str:
    """Return a reference without the brackets of a wikilink, its label and its heading."""
    if name.startswith("[[") and name.endswith("]]"):
        name = name[2:-2]
    return name.partition("|")[0].partition("#")[0].strip()


def references(record: Record) -> Iterator[Reference]:
    """Yield the references in a record's front matter."""
    for (record_type, field), types in TARGETS.items():
        if record_type == record.type:
            value = getattr(record.fields, field)
            for name in (value,) if isinstance(value, str) else value or ():
                yield Reference(record, field, name, types)


def reference_problem(reference: Reference, names: Names) -> Problem | None:
    """Return what is wrong with one reference, or None."""
    record, field, name, types = reference
    found = names.named(name)
    line = record.line(field)
    if not found:
        message = f"`{field}`: no record has the id {plain(name)}"
        hint = "write the id of a record (`doll list` shows them), or remove the line"
        return Problem(record.path, line, 1, "reference.unresolved", message, hint=hint)
    if len(found) > 1:
        paths = " and ".join(sorted(other.path for other in found)[:3])
        message = f"`{field}`: {plain(name)} names more than one record: {paths}"
        hint = "give one of them another id or alias"
        return Problem(record.path, line, 1, "reference.ambiguous", message, hint=hint)
    if types and found[0].type not in types:
        message = f"`{field}`: {plain(name)} is a {found[0].type}, and this wants a {types[0]}"
        hint = f"write the id of a {types[0]}"
        return Problem(record.path, line, 1, "reference.wrong_type", message, hint=hint)
    return None
