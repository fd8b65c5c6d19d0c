"""Which fields of authority records name other records, and what is wrong with what they name.

The one table of references; which of them stop a commit is `doll.preflight.context`.
"""

from collections.abc import Iterator, Mapping

from doll.errors import Problem
from doll.preflight.resolver import Resolver
from doll.records.model import Record, RecordType

# type → field → the type that the field's ids must have. Source: docs/vault-format.md, "Fields".
REFERENCES: Mapping[RecordType, Mapping[str, RecordType]] = {
    "work-item": {"project": "project", "depends_on": "work-item"},
    "decision": {"project": "project", "supersedes": "decision"},
    "procedure": {"project": "project"},
    "policy": {"projects": "project"},
    "permission": {"projects": "project", "capability": "capability"},
}

_FAULTS = {
    "reference.unresolved": "{reference!a} names no {wanted}",
    "reference.ambiguous": "{reference!a} names more than one record: {others}",
    "reference.wrong_type": "{reference!a} names {others}, which is no {wanted}",
}
_HINTS = {
    "reference.unresolved": "`doll list --type {wanted}` shows what it can name",
    "reference.ambiguous": "give one of them another name or alias",
    "reference.wrong_type": "`doll list --type {wanted}` shows what it can name",
}


def names_in(record: Record, field: str) -> tuple[str, ...]:
    """Return the ids that a field holds, whether it takes one or a list."""
    value = getattr(record.fields, field)
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)


def projects_of(record: Record) -> tuple[str, ...]:
    """Return the projects that an authority or experience record names, as it names them."""
    field = "projects" if hasattr(record.fields, "projects") else "project"
    return names_in(record, field) if hasattr(record.fields, field) else ()


def broken_references(record: Record, resolver: Resolver) -> Iterator[Problem]:
    """Yield a problem for each reference of `record` that names no record, two, or a wrong type."""
    for field, wanted in REFERENCES.get(record.type, {}).items():
        for reference in names_in(record, field):
            problem = reference_problem(
                reference, wanted, resolver, record.path, record.line(field)
            )
            if problem:
                yield problem


def reference_problem(
    reference: str, wanted: RecordType, resolver: Resolver, path: str, line: int
) -> Problem | None:
    """Return what is wrong with a reference that stands at `path` and `line`, or None."""
    _, code, paths = resolver.resolve(reference, wanted)
    if code is None:
        return None
    words = {"reference": reference, "wanted": wanted, "others": ", ".join(paths)}
    message, hint = _FAULTS[code].format(**words), _HINTS[code].format(**words)
    return Problem(path, line, 1 if line else 0, code, message, hint=hint)
