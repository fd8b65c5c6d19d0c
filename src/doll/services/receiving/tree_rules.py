"""What a push would make of the vault: the files that change, and authority among itself.

Only what changes is read, and `authority/` where it changes. References from memories and
experience into the vault are for `doll validate`, which reads every record.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from doll.errors import Problem, errors_in
from doll.records.model import Experience, Record
from doll.records.names import fold
from doll.records.references import Names, Reference, reference_problem
from doll.services.accepted import entries_of, settings_bytes
from doll.services.checking.alike_names import changed_alike
from doll.services.checking.changed_files import look_at_changes, new_problems
from doll.services.checking.relations import relation_problems
from doll.services.checking.secret_places import CODE as SECRET
from doll.services.checking.wholeness import emptied_areas
from doll.services.receiving.committed import CommittedVault
from doll.vault import layout
from doll.vcs.plumbing import Change, TreeEntry, tree
from doll.vcs.plumbing.history import changes

_AUTHORITY = ("authority", layout.MARKER)


def tree_problems(before: CommittedVault | None, after: CommittedVault) -> list[Problem]:
    """Return the errors that a commit has and the one before it (None: nothing) has not.

    Secrets are not among them: they are looked for in every commit of a push.
    """
    # Not in the vault's folder alone: a folder beside it may be taken for it.
    all_ = changes(after.repository, before.head if before else None, after.head, "")
    alike = list(changed_alike(after, all_))
    changed = {path: c for c in all_ if (path := after.in_vault(c.path)) is not None}
    if not changed:
        return sorted(alike)
    looked = look_at_changes(after, changed)
    problems = [problem for problem in looked.problems if problem.code != SECRET]
    local = [path for path in changed if layout.area_of(path) in layout.LOCAL_AREAS]
    if local or layout.MARKER in changed:
        problems += _relations(before, after, changed, looked.records)
    return sorted({*errors_in(problems), *alike})


def _relations(
    before: CommittedVault | None,
    after: CommittedVault,
    changed: Mapping[str, Change],
    records: Sequence[Record],
) -> Iterator[Problem]:
    items = _items(after)
    rules = [item for item in items if (after.in_vault(item.path) or "").startswith(_AUTHORITY)]
    if any(path.startswith(_AUTHORITY) for path in changed):
        problems = _authority(after, rules)
        if problems:
            known = _authority(before, _items(before)) if before else []
            yield from new_problems(problems, known)
    yield from _same_names(after, changed, items)
    entries = [record for record in records if isinstance(record.fields, Experience)]
    if entries:
        projects = [e.record for e in entries_of(after, rules) if e.record is not None]
        yield from _projects(entries, Names(projects))
    if before is not None and any(change.status == "D" for change in changed.values()):
        yield from emptied_areas(after, _items(before), items)


def _items(vault: CommittedVault) -> tuple[TreeEntry, ...]:
    wanted = [vault.in_git(name) for name in (*layout.LOCAL_AREAS, layout.MARKER)]
    return tree(vault.repository, vault.head, wanted)


def _authority(vault: CommittedVault, items: Iterable[TreeEntry]) -> list[Problem]:
    chosen = [item for item in items if (vault.in_vault(item.path) or "").startswith(_AUTHORITY)]
    marker = settings_bytes(vault, chosen)
    settings = vault.parse_settings(marker)[0] if marker is not None else None
    return errors_in(relation_problems(entries_of(vault, chosen), settings))


def _same_names(
    vault: CommittedVault, changed: Mapping[str, Change], items: Iterable[TreeEntry]
) -> Iterator[Problem]:
    """Yield the new records outside staging whose file names are those of others."""
    new = {
        path
        for path, change in changed.items()
        if change.status == "A" and not path.startswith("staging/") and layout.is_record(path)
    }
    paths = (path for item in items if (path := vault.in_vault(item.path)) is not None)
    homes: dict[str, list[str]] = {}
    for path in filter(layout.is_record, paths) if new else ():
        homes.setdefault(fold(layout.record_id(path)), []).append(path)
    for path in new:
        others = [other for other in homes[fold(layout.record_id(path))] if other != path]
        if others:
            message = f"the id is also that of {', '.join(others)}"
            yield Problem(path, 0, 0, "id.duplicate", message, hint="rename one of them")


def _projects(records: Iterable[Record], names: Names) -> Iterator[Problem]:
    """Yield the entries of experience whose project is none."""
    for record in records:
        assert isinstance(record.fields, Experience)
        reference = Reference(record, "project", record.fields.project, ("project",))
        problem = reference_problem(reference, names)
        if problem is not None:
            yield problem
