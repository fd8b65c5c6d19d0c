"""What must not come in with any commit of a push: secrets, and authority that is not the user's.

A later commit of the same push that takes it away does not help: history keeps it.
"""

from collections import Counter
from collections.abc import Iterator

from doll.errors import Problem
from doll.services.checking.file_rules import secrets_in
from doll.services.checking.kept import FILES
from doll.services.checking.record_rules import origin_problems
from doll.services.checking.secret_places import listed
from doll.services.opening import Vault
from doll.services.verifying.faults import SHORT, Fault
from doll.services.verifying.reviews import is_users
from doll.vault.entries import parse_file
from doll.vault.layout import is_record
from doll.vcs.plumbing.contents import Contents
from doll.vcs.plumbing.history import Step

# An import's source may be so large, and nothing of a vault is larger.
LIMIT = 256 * 1024 * 1024
# Where a symbolic link leads to is text as well.
_TEXTS = (*FILES, "120000")


def content_faults(vault: Vault, step: Step, contents: Contents) -> Iterator[Fault]:
    """Yield what a commit brings into the vault that no history may hold.

    `vault` is that of the last commit of the push, where false alarms are declared.
    """
    for path, oid in _new_files(step):
        data = contents.read([oid]).get(oid)
        if data is None:
            message = "is larger than 256 MiB, or no file that git can give"
            yield _fault(step, Problem(path, 0, 0, "file.unreadable", message))
            continue
        for problem in listed(secrets_in(vault, path, data)):
            yield _fault(step, problem)
        if path.startswith("authority/") and is_record(path) and not is_users(data):
            record = parse_file(data, path)[0]
            for problem in origin_problems(record) if record else ():
                yield _fault(step, problem)


def _new_files(step: Step) -> Iterator[tuple[str, str]]:
    """Yield path and blob of the files that no parent has so."""
    needed = max(len(step.parents), 1)
    if len(step.sides) == needed:
        seen = Counter(
            (change.path, change.oid)
            for side in step.sides
            for change in side
            if change.mode in _TEXTS
            and (change.oid != change.old_oid or change.old_mode not in _TEXTS)
        )
        yield from (place for place, times in seen.items() if times == needed)


def _fault(step: Step, problem: Problem) -> Fault:
    said = f"commit {step.commit[:SHORT]}: {problem.message}"
    return Fault(problem._replace(message=said), step.commit)
