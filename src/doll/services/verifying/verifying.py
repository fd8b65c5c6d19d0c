"""Verify a vault's history, whole or in a range: every commit against every parent.

Reads git alone, and writes only what was verified into the cache.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from doll.errors import GitError, Problem, errors_in
from doll.services.accepted import settings_bytes
from doll.services.checking.wholeness import refuse_newer
from doll.services.opening import Vault
from doll.services.ranging import ends_of
from doll.services.verifying import remembered
from doll.services.verifying.experience import kept_faults
from doll.services.verifying.faults import SHORT, Fault
from doll.services.verifying.gaps import missing, partial, shallow
from doll.services.verifying.ground import Ground
from doll.services.verifying.reviews import review_faults
from doll.services.verifying.signatures import signature_faults
from doll.services.verifying.steps import steps
from doll.vault import layout
from doll.vcs import plumbing
from doll.vcs.plumbing.history import Step, cut_off

Tell = Callable[[int], None]


class Range(NamedTuple):
    """The commits in the history of `tip` and not in that of `base`, both ids of commits."""

    base: str
    tip: str


class Verified(NamedTuple):
    """What verify found.

    `commits` is how many commits it answers for, of which `now` were looked at this time; `tip` is
    the last of them. `faults` are sorted by place; `gaps` say what could not be looked at.
    """

    tip: str
    commits: int
    now: int
    faults: tuple[Fault, ...]
    gaps: tuple[Problem, ...]

    @property
    def complete(self) -> bool:
        """Whether every commit could be looked at."""
        return not self.gaps


def parse_range(vault: Vault, text: str) -> Range:
    """Return what `A..B` names; UsageError as `ranging.ends_of`."""
    return Range(*ends_of(vault.repository, text, "doll verify --range main..HEAD"))


def verify(
    vault: Vault,
    only: Range | None = None,
    *,
    full: bool = False,
    tell: Tell | None = None,
) -> Verified:
    """Verify the history of HEAD, or only a range, which the cache has no part in.

    `full` does without the cache. `tell` is called with the number of commits looked at so far.
    ConfigurationError when a newer doll wrote the `doll.yaml`; GitError when git fails for another
    reason than objects that a partial clone left out.
    """
    tip = only.tip if only else vault.head
    # What was verified before is no history that is here now.
    is_kept = not (only or full) and plumbing.is_whole(vault.repository)
    known = remembered.recall(vault, tip) if is_kept else None
    start = only.base if only else known.commit if known else None
    new = _Walk(vault, (tip,), (start,) if start else (), tell)
    faults = [*(known.found() if known else ()), *new.faults]
    number = new.number + (known.number if known else 0)
    whole = only is None and not new.gaps
    if whole and new.number:
        remembered.remember(vault, tip, number, sorted(set(faults)))
    try:
        faults += _settings_faults(vault, tip)
        unsigned, unsure = signature_faults(vault, tip, only.base if only else None)
        faults += unsigned
    except GitError as error:
        unsure = (partial(vault.repository, error),)
    gaps = [
        *new.gaps,
        *(each for each in unsure if each.code not in {gap.code for gap in new.gaps}),
    ]
    return Verified(tip, number, new.number, tuple(sorted(set(faults))), tuple(gaps))


def judge(step: Step, ground: Ground) -> Iterator[Fault]:
    """Yield what is wrong with a commit, and note what it excuses in later ones."""
    if step.sides:
        yield from kept_faults(step, ground)
        yield from review_faults(step, ground)
        ground.earlier.note(step)


class _Walk:
    """One pass over commits: what was found, what could not be looked at, and how many they are."""

    def __init__(
        self,
        vault: Vault,
        tips: tuple[str, ...],
        known: tuple[str, ...],
        tell: Tell | None,
    ) -> None:
        self.faults: list[Fault] = []
        self.gaps: list[Problem] = []
        self.number = 0
        if tips == known:
            return
        repository = vault.repository
        cut = cut_off(repository)
        with Ground(vault, known) as ground:
            try:
                for step in steps(repository, vault.prefix, tips, known):
                    self.number += 1
                    if tell is not None:
                        tell(self.number)
                    if step.commit in cut:
                        self.gaps.append(shallow(step.commit))
                        ground.earlier.cut = True
                        continue
                    self.faults += judge(step, ground)
            except GitError as error:
                self.gaps.append(partial(repository, error))
            if ground.contents.missing:
                number = len(ground.contents.missing)
                self.gaps.append(missing(number))


def _settings_faults(vault: Vault, tip: str) -> list[Fault]:
    """Return what keeps the settings at a commit from being read."""
    items = plumbing.tree(vault.repository, tip, [vault.in_git(layout.MARKER)])
    marker = settings_bytes(vault, items)
    if marker is None:
        message = f"commit {tip[:SHORT]} has no {layout.MARKER}, so it holds no vault here"
        return [Fault(Problem(layout.MARKER, 0, 0, "vault.unusable", message), tip)]
    problems = vault.parse_settings(marker)[1]
    refuse_newer(problems)
    return [Fault(each, tip) for each in errors_in(problems)]
