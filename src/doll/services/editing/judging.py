"""What is wrong with an edited text: by itself, and with the records around it. Writes nothing."""

from collections.abc import Iterable

from doll.errors import Problem, errors_in
from doll.records.digest import blob_id
from doll.services.checking import file_rules
from doll.services.checking.relations import relation_problems
from doll.services.opening import Vault
from doll.vault.entries import Entry, parse_file
from doll.vault.layout import LOCAL_AREAS
from doll.vault.snapshot import Stamp

_NO_STAMP = Stamp(0, 0, 0, 0)


def judge(vault: Vault, path: str, before: bytes, after: bytes) -> tuple[list[Problem], bool]:
    """Return the problems of a text for the record at `path`, and whether they stand against it.

    Those of the text itself are all there; of those between records, and of the file's name and
    place, the ones that the text has brought. An error stands against it, a warning does not.
    """
    known = _substances(file_rules.look_at(vault, path, before).problems)
    found = file_rules.look_at(vault, path, after)
    problems = [p for p in found.problems if p.line or _substance(p) not in known]
    if found.record is not None and found.record.fields == _fields(before, path):
        return sorted(set(problems)), bool(errors_in(problems))  # between records all is as it was
    entries = vault.load(LOCAL_AREAS).entries
    oid = blob_id(after, vault.repository.algorithm)
    new = Entry(path, _NO_STAMP, oid, found.record, found.problems)
    changed = [new if entry.path == path else entry for entry in entries]
    around = _substances(relation_problems(entries, vault.settings))
    problems += [
        problem
        for problem in relation_problems(changed, vault.settings)
        if _substance(problem) not in around
    ]
    return sorted(set(problems)), bool(errors_in(problems))


def _fields(data: bytes, path: str) -> object:
    record = parse_file(data, path)[0]
    return None if record is None else record.fields


def _substances(problems: Iterable[Problem]) -> set[tuple[str, str, str]]:
    return set(map(_substance, problems))


def _substance(problem: Problem) -> tuple[str, str, str]:
    return problem.path, problem.code, problem.message
