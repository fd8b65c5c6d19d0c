"""What is wrong with the references of authority records and of the request.

Which of them stop a commit is `doll.preflight.context`; which fields are references is
`doll.records.references`.
"""

from collections.abc import Iterator

from doll.errors import Problem
from doll.preflight.resolver import Resolver
from doll.records.model import Record, RecordType
from doll.records.references import name_problem, references
from doll.records.references import reference_problem as problem_in_record


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
    for reference in references(record):
        if problem := problem_in_record(reference, resolver.names):
            yield problem


def reference_problem(
    reference: str, wanted: RecordType, resolver: Resolver, path: str, line: int
) -> Problem | None:
    """Return what is wrong with a reference that stands at `path` and `line`, or None."""
    at = (path, line, 1 if line else 0)
    return name_problem(reference, (wanted,), resolver.names, at)
