"""References between records: ids and aliases to records, and which references do not resolve.

Pure. Candidates in staging neither resolve a reference nor shadow or break one.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from doll.errors import Problem
from doll.records.model import Record, RecordType, with_article
from doll.records.names import fold, id_fault

# field -> the types that a reference in it may name; experience may rest on anything.
TARGETS: dict[tuple[RecordType, str], tuple[RecordType, ...]] = {
    ("memory", "supersedes"): ("memory",),
    ("memory", "contradicts"): ("memory",),
    ("memory", "related"): ("memory",),
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

# The same by type: thousands of records are asked for theirs at each preflight.
_FIELDS: dict[RecordType, list[tuple[str, tuple[RecordType, ...]]]] = {}
for (_type, _field), _types in TARGETS.items():
    _FIELDS.setdefault(_type, []).append((_field, _types))


class Names:
    """The ids and aliases of `records`, folded; several records may share a name."""

    def __init__(self, records: Iterable[Record]) -> None:
        self._found: dict[str, list[Record]] = {}
        self._asked: dict[str, Sequence[Record]] = {}
        for record in records:
            for name in {fold(record.id), *map(fold, record.fields.aliases)}:
                self._found.setdefault(name, []).append(record)

    def named(self, name: str) -> Sequence[Record]:
        """Return the records whose id or alias is `name`."""
        known = self._asked.get(name)
        if known is None:
            known = self._asked[name] = self._found.get(fold(plain(name)), ())
        return known

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
    for field, types in _FIELDS.get(record.type, ()):
        value = getattr(record.fields, field)
        for name in (value,) if isinstance(value, str) else value or ():
            yield Reference(record, field, name, types)


def reference_problem(reference: Reference, names: Names) -> Problem | None:
    """Return what is wrong with a reference in a record, at its line, or None."""
    record, field, name, types = reference
    if _is_sound(names.named(name), types):  # nearly every one is, and its line is not needed
        return None
    at = (record.path, record.line(field), 1)
    return name_problem(name, types, names, at, f"`{field}`: ")


def name_problem(
    name: str,
    types: Sequence[RecordType],
    names: Names,
    at: tuple[str, int, int],
    said: str = "",
) -> Problem | None:
    """Return what is wrong with a name that should name one record of `types` (none: any type).

    `at` is the path, line and column to report, `said` how the message begins.
    """
    found = names.named(name)
    if _is_sound(found, types):
        return None
    wanted = types[0] if types else "record"
    if not found:
        message = f"{said}no {wanted} has the id or alias {_shown(plain(name))}"
        return Problem(*at, "reference.unresolved", message, hint=_unresolved(plain(name), types))
    if len(found) > 1:
        paths = " and ".join(sorted(other.path for other in found)[:3])
        message = f"{said}{plain(name)} names more than one record: {paths}"
        hint = "give one of them another id or alias"
        return Problem(*at, "reference.ambiguous", message, hint=hint)
    what = f"{with_article(found[0].type)}, and this wants {with_article(wanted)}"
    message = f"{said}{plain(name)} is {what}"
    hint = f"`doll list{_listed(types)}` shows what it can name"
    return Problem(*at, "reference.wrong_type", message, hint=hint)


def _shown(name: str) -> str:
    """Return a name as it is, in quotes where it is none that a record could have."""
    return name if id_fault(name) is None else repr(name)


def _is_sound(found: Sequence[Record], types: Sequence[RecordType]) -> bool:
    """Return whether what a name names is one record, of one of the types."""
    return len(found) == 1 and (not types or found[0].type in types)


def _unresolved(name: str, types: Sequence[RecordType]) -> str:
    from doll.records.handler import inline

    lines = [f"`doll list{_listed(types)}` shows what it can name"]
    if ", " in name:
        lines.append(f"for several, write [{name}]")
    elif id_fault(name) is None:
        lines.append(f"if it was renamed, add `aliases: {inline([name])}` to the new record")
    return "\n".join(lines)


def _listed(types: Sequence[RecordType]) -> str:
    return f" --type {types[0]}" if types else ""
