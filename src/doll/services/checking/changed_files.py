"""What is wrong with changed files one by one, beyond what was wrong with them before.

The changes are those of a commit, of the index or between two commits: files are read from git.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from doll.errors import Problem
from doll.records.limits import MAX_FILE_BYTES
from doll.records.model import Record
from doll.services.checking import wholeness
from doll.services.checking.file_rules import look_at
from doll.services.checking.kept import FILES
from doll.services.opening import Vault
from doll.vault.layout import is_record
from doll.vcs import plumbing

Changes = Mapping[str, plumbing.Change]


class Looked(NamedTuple):
    """What was looked at: the problems, the readable records, and the bytes by path."""

    problems: list[Problem]
    records: list[Record]
    data: Mapping[str, bytes]


def look_at_changes(vault: Vault, changes: Changes) -> Looked:
    """Look at changed files of the vault; `changes` are by their path there."""
    regular = {path: change for path, change in changes.items() if change.mode in FILES}
    data = _bytes(vault, {path: change.oid for path, change in regular.items()})
    found = {path: look_at(vault, path, each) for path, each in data.items()}
    faulty = {path: file.problems for path, file in found.items() if file.problems}
    before = _before(vault, changes, faulty)
    problems = [
        problem
        for path, all_ in faulty.items()
        for problem in new_problems(all_, before.get(path, ()))
    ]
    no_files = (wholeness.no_file(vault, path, change) for path, change in changes.items())
    problems += [problem for problem in no_files if problem is not None]
    records = [file.record for file in found.values() if file.record is not None]
    return Looked(problems, records, data)


def new_problems(after: Iterable[Problem], before: Iterable[Problem]) -> list[Problem]:
    """Return the problems that were not there before; lines may have moved."""
    known = Counter(map(_substance, before))
    new = []
    for problem in after:
        known[_substance(problem)] -= 1
        if known[_substance(problem)] < 0:
            new.append(problem)
    return new


def _before(vault: Vault, changes: Changes, paths: Iterable[str]) -> dict[str, list[Problem]]:
    """Return the problems that files had already.

    A file that was not at its path can have been moved: then its bytes were at one that goes.
    """
    gone = {change.old_oid: path for path, change in changes.items() if change.status == "D"}
    homes = {}
    for path in paths:
        change = changes[path]
        if change.old_mode in FILES:
            homes[path] = (path, change.old_oid)
        elif change.oid in gone:
            homes[path] = (gone[change.oid], change.oid)
    data = _bytes(vault, dict(homes.values()))
    return {
        path: [p._replace(path=path) for p in look_at(vault, home, data[home]).problems]
        for path, (home, _) in homes.items()
    }


def _bytes(vault: Vault, oids: Mapping[str, str]) -> dict[str, bytes]:
    """Return the bytes of files by path; of a record no more than show that it is too large."""
    records = [oid for path, oid in oids.items() if is_record(path)]
    others = [oid for path, oid in oids.items() if not is_record(path)]
    bounded = plumbing.blobs(vault.repository, records, MAX_FILE_BYTES)
    whole = plumbing.blobs(vault.repository, others)
    return {path: (bounded if is_record(path) else whole)[oid] for path, oid in oids.items()}


def _substance(problem: Problem) -> tuple[str, str, str]:
    return problem.path, problem.code, problem.message
