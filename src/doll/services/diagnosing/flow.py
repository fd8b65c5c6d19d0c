"""Doctor: every area is looked over, whatever became of the others. Changes not one byte.

What cannot be looked at is a finding itself. Notes are to know; errors and warnings want mending.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from doll.errors import ConfigurationError, DollError, GitError, NoVaultError, Problem
from doll.services.diagnosing import (
    clashes,
    clocks,
    clones,
    derived,
    git_settings,
    left,
    signing,
    standing,
    watched,
    whole,
)
from doll.services.diagnosing.subject import Subject, opened
from doll.services.diagnosing.without_git import opened_without_git, unanswered
from doll.services.hooks.diagnosing import Diagnosis, diagnose
from doll.services.locating import Place, find, find_on_disk
from doll.vcs import plumbing

_Look = Callable[[Subject], Iterable[Problem]]

# In this order they are told, and their lines are typed: many fail while git is locked.
AREAS: dict[str, tuple[_Look, ...]] = {
    "vault": (
        standing.held,
        whole.settings,
        whole.loss,
        whole.unreadable,
        whole.git_files,
        whole.read_only,
        whole.locks,
    ),
    "git": (
        git_settings.version,
        git_settings.identity,
        signing.signing,
        git_settings.line_endings,
        git_settings.attributes,
        git_settings.rebase,
        git_settings.case,
        git_settings.hooks_path,
        clones.history,
        clones.unseen_files,
        clones.ignored,
        standing.branch_and_upstream,
        standing.waiting,
    ),
    "names": (clashes.clashes,),
    "clock": (clocks.files_ahead, clocks.commits_out_of_order, clocks.entries_ahead),
    "index": (derived.derived,),
    "state": (left.left_behind, standing.rescued, watched.watcher),
}
HOOKS = "hooks"
# What needs no git.
ON_DISK: dict[str, tuple[_Look, ...]] = {
    "vault": (whole.settings, whole.unreadable, whole.read_only),
    "names": (clashes.clashes,),
    "clock": (clocks.files_ahead, clocks.entries_ahead),
}


class Area(NamedTuple):
    """One area, and what was found in it."""

    name: str
    problems: tuple[Problem, ...]


class Checkup(NamedTuple):
    """What was looked over.

    `root` is the vault's, None where no vault is here, or it does not open: then `obstacle` says
    why. `hooks` are None where the working folder lies in no repository.
    """

    root: Path | None
    areas: tuple[Area, ...]
    hooks: Diagnosis | None
    obstacle: str = ""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Everything that was found, in the order in which it is told."""
        return tuple(problem for area in self.areas for problem in area.problems)

    @property
    def to_mend(self) -> bool:
        """Whether anything is more than a note."""
        return any(problem.severity != "note" for problem in self.problems)


def check_up(
    place: Place,
    here: plumbing.Repository | None,
    kinds: Sequence[str],
    now: datetime,
    deadline: float,
) -> Checkup:
    """Look over the vault that `place` leads to, and the hooks `kinds` of the repository `here`.

    At `deadline` (of `time.monotonic`) git is not waited for any more: what it did not say by then
    could not be looked at.
    A vault of which git says nothing is looked over without it. Raises NoVaultError and GitError
    where there is neither, NoVaultError in a bare repository that nothing of doll guards.
    """
    if here is not None and here.top == here.git_dir and find_on_disk(place) is not None:
        here = None  # only said to be bare: what git answers about it is no answer
    hooks, found = _hooks(place, here, kinds, now)
    try:
        subject = _subject(place, now, deadline, here)
    except DollError as error:
        fallen_back = opened_without_git(place, error, now)
        if fallen_back is not None:
            return _without_git(fallen_back, error, found, hooks)
        if here is None:
            raise
        return Checkup(None, _without(found, error), hooks, error.message)
    if subject is None:
        if hooks is not None and hooks.is_absent and here is not None and here.top == here.git_dir:
            raise _no_work_tree(here)
        return Checkup(None, (found,), hooks)
    areas = _areas(subject, AREAS)
    if here is None:
        return Checkup(subject.vault.root, _once(areas), hooks)
    if here.common_dir == subject.vault.repository.common_dir:
        found = _explained(areas, found)
    return Checkup(subject.vault.root, _once([*areas, found]), hooks)


def _explained(areas: Iterable[Area], hooks: Area) -> Area:
    """Return the area of the hooks without what a `core.hooksPath` to nowhere makes of each."""
    if all(problem.code != "git.hooks_path" for area in areas for problem in area.problems):
        return hooks
    left = (p for p in hooks.problems if p.code not in ("hooks.shadowed", "hooks.missing"))
    return Area(hooks.name, tuple(left))


def _areas(subject: Subject, wanted: dict[str, tuple[_Look, ...]]) -> list[Area]:
    return [Area(name, _looked_over(subject, looks)) for name, looks in wanted.items()]


def _without_git(
    subject: Subject, error: DollError, found: Area, hooks: Diagnosis | None
) -> Checkup:
    """Return what can be looked over of a vault of which git says nothing, and that it does not."""
    areas = _areas(subject, ON_DISK)
    is_told = any(problem.message == error.message for problem in found.problems)
    areas.insert(1, Area("git", () if is_told else (unanswered(error),)))
    return Checkup(subject.vault.root, _once([*areas, found] if hooks else areas), hooks)


def _no_work_tree(here: plumbing.Repository) -> NoVaultError:
    return NoVaultError(
        f"{here.git_dir} is a bare repository: it has no work tree, so no vault to look over",
        hint="run this in a clone of it",
    )


def _without(hooks: Area, error: DollError) -> tuple[Area, ...]:
    """Return the areas where the vault does not open, which a hook may have told already."""
    if any(problem.message == error.message for problem in hooks.problems):
        return (hooks,)
    return (Area("vault", (whole.unusable(error),)), hooks)


def _subject(
    place: Place, now: datetime, deadline: float, here: plumbing.Repository | None
) -> Subject | None:
    """Return the vault, None where nobody names one and none is here."""
    if place.explicit is None and not place.environment:
        if here is not None and here.top == here.git_dir:
            return None
        try:
            find(place)
        except NoVaultError:
            repository = place.repository()
            if repository is None or plumbing.config(repository, "doll.vault") is not None:
                raise
            return None
    return opened(place, now, deadline)


def _hooks(
    place: Place, here: plumbing.Repository | None, kinds: Sequence[str], now: datetime
) -> tuple[Diagnosis | None, Area]:
    if here is None:
        return None, Area(HOOKS, ())
    try:
        found = diagnose(here, kinds, place.cwd, place.environment, now)
    except GitError as error:
        return None, Area(HOOKS, (_failed(error),))
    return found, Area(HOOKS, found.problems)


def _looked_over(subject: Subject, looks: Iterable[_Look]) -> tuple[Problem, ...]:
    found = list[Problem]()
    for look in looks:
        found += _guarded(look, subject)
    return tuple(dict.fromkeys(found))


def _guarded(look: _Look, subject: Subject) -> Iterator[Problem]:
    """Yield what a look finds, and why it ended where it could not go on."""
    try:
        yield from look(subject)
    except (NoVaultError, ConfigurationError) as error:
        yield whole.unusable(error)
    except DollError as error:
        yield _failed(error)
    except OSError as error:
        message = f"this cannot be looked at: {error.strerror or error}"
        hint = "# check its permissions, and that its disk is mounted"
        yield Problem(str(error.filename or ""), 0, 0, "file.unreadable", message, hint=hint)


def _failed(error: DollError) -> Problem:
    return Problem("", 0, 0, "git.failed", error.message, hint=error.hint or "git status")


def _once(areas: Iterable[Area]) -> tuple[Area, ...]:
    """Return the areas, each finding only where it is told first.

    That git failed is told where no other finding has the line that mends it.
    """
    said, mended = set[str](), set[str]()
    told = list[Area]()
    for area in areas:
        fresh = [p for p in area.problems if f"{p.path}\n{p.message}" not in said]
        fresh = [p for p in fresh if p.code != "git.failed" or p.hint not in mended]
        said.update(f"{p.path}\n{p.message}" for p in fresh)
        mended.update(p.hint for p in fresh)
        told.append(Area(area.name, tuple(fresh)))
    return tuple(told)
