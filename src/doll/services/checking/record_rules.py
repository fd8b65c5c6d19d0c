"""Rules between records and their folders: what one file alone cannot show. Pure.

Used on the work tree and on what is staged.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from doll.errors import Problem
from doll.records.model import FOLDERS, Experience, Record
from doll.records.names import fold
from doll.records.references import Names, plain, reference_problem, references
from doll.vault.layout import LOCAL_AREAS, PROPOSALS, expected_type, is_record, record_id
from doll.vault.typed import moving

# What must not go round in a circle. Source: docs/vault-format.md, "References".
_CHAINS = (
    ("work-item", "depends_on"),
    ("memory", "supersedes"),
    ("experience", "supersedes"),
    ("experience", "resolves"),
    ("decision", "supersedes"),
)

_LEVELS = 3
_FOLDERS = [folder for folder in FOLDERS.values() if folder.startswith("authority/")]
_AUTHORITY = f"the one of its type: {', '.join(_FOLDERS)}"
_REVIEW = (
    "if you moved it here from staging/: git add it, then doll review approve --staged\n"
    "else move it back to staging/proposals/, commit it, and review it: doll review"
)


def local(records: Iterable[Record]) -> list[Record]:
    """Return the records outside staging."""
    return [record for record in records if not record.path.startswith("staging/")]


def folder_problems(path: str, record: Record | None) -> Iterator[Problem]:
    """Yield what is wrong with where a record lies, with the line that moves it."""
    parts = path.split("/")
    if parts[0] == "authority" and expected_type(path) is None:
        message = "authority/ holds records in the folder of their type only"
        yield _misplaced(path, message, _home(record) if record else None, _AUTHORITY)
    if parts[0] == "experience" and len(parts) != _LEVELS:
        message = "an experience entry lies in experience/<project>/"
        yield _misplaced(path, message, _home(record) if record else None, "that folder")
    if parts[0] == "staging" and len(parts) < _LEVELS:
        message = "a candidate lies in the folder of its import, or in staging/proposals/"
        yield _misplaced(path, message, PROPOSALS, PROPOSALS)


def _home(record: Record) -> str:
    """Return the folder where a record belongs by what it says."""
    folder = FOLDERS[record.type]
    return (
        f"{folder}/{plain(record.fields.project)}"
        if isinstance(record.fields, Experience)
        else folder
    )


def _misplaced(path: str, message: str, home: str | None, homes: str) -> Problem:
    """Return the problem; without `home` the record does not say where, and `homes` it could be."""
    hint = f"move it to {homes}"
    if home is not None:
        new = f"{home}/{path.rpartition('/')[2]}"
        hint = moving(path, new)
    return Problem(path, 0, 0, "path.misplaced", message, hint=hint)


def origin_problems(record: Record) -> Iterator[Problem]:
    """Yield what an imported or model-written record claims above its station."""
    fields, path = record.fields, record.path
    at = (path, record.line("origin"), 1)
    reviewed = fields.reviewed_by is not None
    if path.startswith("authority/") and fields.origin != "user":
        message = f"origin {fields.origin}: only what the user wrote is authority"
        yield Problem(*at, "authority.origin", message, hint="remove the file, or write your own")
    if path.startswith("confirmed/") and fields.origin != "user" and not reviewed:
        message = f"origin {fields.origin}, and no review: it cannot be confirmed memory"
        yield Problem(*at, "review.missing", message, hint=_REVIEW)
    if isinstance(fields, Experience) and path.startswith("experience/"):
        if fields.origin != "user" and fields.assertion.startswith("user_"):
            message = f"origin {fields.origin} cannot carry the assertion {fields.assertion}"
            hint = "write imported_external, model_proposed or deterministic_system"
            line = record.line("assertion")
            yield Problem(path, line, 1, "experience.assertion", message, hint=hint)
        if fields.origin == "import" and not reviewed:
            message = "an imported entry without a review"
            yield Problem(*at, "review.missing", message, hint=_REVIEW)


def reference_problems(records: Sequence[Record], names: Names) -> list[Problem]:
    """Return the references that do not resolve, and experience in another project's folder."""
    problems = [
        problem
        for record in records
        for reference in references(record)
        if (problem := reference_problem(reference, names)) is not None
    ]
    for record in records:
        if isinstance(record.fields, Experience):
            problems.extend(_project_folder(record, record.fields, names))
    return [*problems, *_near_folders(records, names)]


def _project_folder(record: Record, fields: Experience, names: Names) -> Iterator[Problem]:
    _, folder, *rest = record.path.split("/")
    if len(rest) != 1:
        return
    projects = [r for r in names.named(fields.project) if r.type == "project"]
    known = {fold(name) for p in projects for name in (p.id, *p.fields.aliases)}
    if projects and fold(folder) not in known:
        message = f"the folder says {folder}, and `project` says {plain(fields.project)}"
        hint = f"the entry belongs in experience/{projects[0].id}/"
        yield Problem(record.path, record.line("project"), 1, "path.misplaced", message, hint=hint)


def _near_folders(records: Iterable[Record], names: Names) -> Iterator[Problem]:
    """Yield a warning for each folder of experience that is called like a project but for case.

    Where case does not count in the names of files it is one with the project's own.
    """
    found = {
        (folder, record.fields.project)
        for record in records
        if isinstance(record.fields, Experience)
        for _, folder, *rest in [record.path.split("/")]
        if len(rest) == 1
    }
    for folder, project in sorted(found):
        for target in (r for r in names.named(project) if r.type == "project"):
            known = (target.id, *target.fields.aliases)
            if folder not in known and fold(folder) in map(fold, known):
                right = next(name for name in known if fold(name) == fold(folder))
                message = f"the folder of the project is experience/{right}/, in just this spelling"
                hint = (
                    f"move entries that are not committed to experience/{right}/; committed ones "
                    f"stay, and `aliases: [{folder}]` in {target.path} keeps the folder"
                )
                path = f"experience/{folder}"
                yield Problem(path, 0, 0, "path.misplaced", message, "warning", hint)


def name_problems(
    records: Sequence[Record], names: Names, unreadable: Iterable[str] = ()
) -> list[Problem]:
    """Return ids and aliases that more than one record has; unreadable files have ids too."""
    problems = []
    for name, sharing in names.clashes():
        for record in sharing:
            others = ", ".join(other.path for other in sharing if other.path != record.path)
            message = f"the id or alias {name} is also that of {others}"
            hint = "rename one of them, or remove the alias"
            line = record.line("aliases")
            problems.append(Problem(record.path, line, 1, "id.duplicate", message, hint=hint))
    ids = {fold(record.id): record.path for record in records}
    for path in unreadable:
        other = ids.get(fold(record_id(path)))
        if is_record(path) and path.partition("/")[0] in LOCAL_AREAS and other:
            message = f"the id is also that of {other}"
            problems.append(Problem(path, 0, 0, "id.duplicate", message, hint="rename one of them"))
    return problems


def cycle_problems(records: Sequence[Record], names: Names) -> list[Problem]:
    """Return one problem for each record in a circle of dependencies or of `supersedes`."""
    problems = []
    for record_type, field in _CHAINS:
        members = {record.id: record for record in records if record.type == record_type}
        edges = {
            record.id: [
                target.id
                for name in getattr(record.fields, field)
                for target in names.named(name)
                if target.type == record_type
            ]
            for record in members.values()
        }
        for circle in _circles(edges):
            first = members[circle[0]]
            message = f"`{field}` goes round in a circle: {' → '.join([*circle, circle[0]])}"
            hint = f"remove one of the `{field}` entries"
            at = (first.path, first.line(field), 1)
            problems.append(Problem(*at, "reference.cycle", message, hint=hint))
    return problems


def _circles(edges: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Return the circles that a depth-first walk in id order meets, each once."""
    state: dict[str, int] = {}
    circles = []
    for start in sorted(edges):
        path: list[str] = []
        stack: list[tuple[str, int]] = [(start, 0)] if state.get(start) is None else []
        while stack:
            node, index = stack.pop()
            if index == 0:
                state[node] = 1
                path.append(node)
            targets = sorted(edges.get(node, ()))
            if index < len(targets):
                stack.append((node, index + 1))
                target = targets[index]
                if state.get(target) is None and target in edges:
                    stack.append((target, 0))
                elif state.get(target) == 1:
                    circles.append(path[path.index(target) :])
            else:
                state[node] = 2
                path.pop()
    return circles
