"""The vault itself: whether it opens, what of it is missing or unreadable, what git knows of it."""

import os
from collections.abc import Iterator

from doll.errors import ConfigurationError, DollError, NoVaultError, Problem
from doll.services import missing
from doll.services.checking.git_files import git_file_problems
from doll.services.diagnosing.subject import Subject
from doll.services.opening import emptied
from doll.vault import layout
from doll.vault.obstacles import LOCKS, in_the_way, permitting


def loss(subject: Subject) -> Iterator[Problem]:
    """Yield that no record is on disk, or that most are missing."""
    gone = emptied(subject.vault)
    if gone is not None:
        yield unusable(gone)
    elif (found := missing.look(subject.vault)) is not None:
        said, hint = missing.sentence(found), f"{found.restoring}    brings them back"
        yield Problem("", 0, 0, "vault.missing", said, hint=hint)


def git_files(subject: Subject) -> Iterator[Problem]:
    """Yield what git has to know of a vault and does not, and what it tracks in vain."""
    return git_file_problems(subject.vault)


def unusable(error: DollError) -> Problem:
    """Return the finding for a vault that does not open."""
    return Problem("", 0, 0, "vault.unusable", error.message, hint=error.hint or "git status")


def settings(subject: Subject) -> Iterator[Problem]:
    """Yield what is wrong with `doll.yaml` in the work tree."""
    try:
        subject.vault.settings  # noqa: B018 - reading them is the question
    except ConfigurationError as error:
        yield from error.problems
    except NoVaultError as error:
        yield unusable(error)


def unreadable(subject: Subject) -> Iterator[Problem]:
    """Yield the first record that cannot be read, with a count of the others."""
    entries, problems = subject.vault.load()
    yield from problems
    broken = [entry for entry in entries if entry.record is None]
    if broken:
        first = next(p for p in broken[0].problems if p.severity == "error")
        more = f"; {len(broken) - 1:,} more cannot be read" if len(broken) > 1 else ""
        yield first._replace(message=f"{first.message}{more}", hint="doll validate")


def read_only(subject: Subject) -> Iterator[Problem]:
    """Yield the folders in which doll has to write and may not."""
    vault, repository = subject.vault, subject.vault.repository
    refs = repository.common_dir / "refs"
    gits = [repository.git_dir, repository.common_dir, repository.common_dir / "objects"]
    areas = [vault.root / area for area in layout.AREAS]
    for place in dict.fromkeys([vault.root, *areas, *gits, refs, refs / "heads", vault.state]):
        if os.path.isdir(place) and not os.access(place, os.W_OK | os.X_OK):  # noqa: PTH112
            message = "you may not write in this folder"
            hint = permitting(place)
            yield Problem(str(place), 0, 0, "vault.read_only", message, "warning", hint)


def locks(subject: Subject) -> Iterator[Problem]:
    """Yield what keeps doll from taking one of its locks, so that it does not write or sync."""
    found = (in_the_way(subject.vault.state / name) for name in LOCKS)
    for place, hint in dict.fromkeys(each for each in found if each is not None):
        message = "this stands in the way of a lock of doll, which cannot do without it"
        yield Problem(str(place), 0, 0, "vault.lock", message, hint=hint)
