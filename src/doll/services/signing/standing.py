"""Which versions of each path signed commits made, and what unsigned ones changed since. Pure.

A commit changes a path when its version differs from that of any parent. A version counts when a
well-signed commit made it and no other signed change of the path came after; a signed merge
decides between its parents. Source: docs/preflight.md, "Signed".
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Self

import msgspec

from doll.vcs.plumbing.history import Step
from doll.vcs.plumbing.signatures import GOOD

# A version of a path: its mode and blob. `ABSENT`: it is not there.
Version = tuple[str, str]
ABSENT: Version = ("000000", "")

# With so many rounds of signed and bad commits, whatever may matter is asked about at once.
_ROUNDS = 8

Grades = Callable[[Iterable[str]], Mapping[str, str]]


class Touch(NamedTuple):
    """A commit, and the versions of the paths that it changes."""

    commit: str
    parents: tuple[str, ...]
    versions: dict[str, Version]

    @classmethod
    def of(cls, step: Step) -> Self:
        """Return what a commit of the history changes against any of its parents."""
        changed = {
            change.path: ABSENT if change.mode == ABSENT[0] else (change.mode, change.oid)
            for side in step.sides
            for change in side
        }
        return cls(step.commit, step.parents, changed)


class Apart(msgspec.Struct, frozen=True, array_like=True):
    """A path whose version at a commit is not the one that counts.

    `versions` are those that count: none (no signed commit made it, or one removed it), one, or
    several that no signed commit joined, sorted.
    `commit` is the newest change that does not count ("": none is known), `grade` how it is
    signed; `grades` are the grades of all such changes, sorted.
    """

    versions: tuple[Version, ...]
    commit: str
    grade: str
    grades: str


class Walked(NamedTuple):
    """What a piece of history says of each path that it changes.

    `signed` are the versions that count, `unsigned` the newest change after them, `grades` the
    grades of all changes after them. `hidden` are paths whose changes are cut off from view.
    """

    signed: dict[str, set[Version]]
    unsigned: dict[str, tuple[str, str]]
    grades: dict[str, set[str]]
    hidden: set[str]


def walk(
    touches: Sequence[Touch], known: dict[str, str], grades: Grades, cut: frozenset[str]
) -> Walked:
    """Return what commits, children before parents, say of their paths.

    `known` are grades of commits; as few others as possible are asked of `grades`. `cut` are
    commits whose parents are not here, so that nobody can say what they changed.
    """
    for turn in range(len(touches) + 1):
        found, asked = _pass(touches, known, cut, believing=turn < _ROUNDS)
        if not asked:
            return found
        known.update(grades(asked))
    raise AssertionError("each round grades a commit, and there are no more")


def _pass(
    touches: Sequence[Touch], known: Mapping[str, str], cut: frozenset[str], *, believing: bool
) -> tuple[Walked, list[str]]:
    """Walk once, and name the commits that mattered and are not graded.

    `believing` takes them for well signed, else for not: then every one that may matter is named.
    """
    found, asked = Walked({}, {}, {}, set()), list[str]()
    # The paths that a signed descendant changed, by commit; each set is one commit's own.
    covers: dict[str, set[str]] = {}
    for commit, parents, versions in touches:
        cover = covers.pop(commit, set())
        fresh = [path for path in versions if path not in cover]
        if fresh and commit in cut:
            found.hidden.update(fresh)
        elif fresh:
            if commit not in known:
                asked.append(commit)
            grade = known.get(commit, GOOD if believing else "")
            for path in fresh:
                if grade == GOOD:
                    found.signed.setdefault(path, set()).add(versions[path])
                else:
                    found.unsigned.setdefault(path, (commit, grade))
                    found.grades.setdefault(path, set()).add(grade)
            if grade == GOOD:
                cover.update(fresh)
        _hand_down(cover, parents, covers)
    return found, asked


def _hand_down(cover: set[str], parents: Iterable[str], covers: dict[str, set[str]]) -> None:
    mine = True
    for parent in parents:
        if parent in covers:
            covers[parent] |= cover
        elif mine:
            covers[parent], mine = cover, False
        else:
            covers[parent] = set(cover)


def apart_in(
    tree: Mapping[str, Version],
    walked: Walked,
    before: Mapping[str, Version] | None = None,
    was_apart: Mapping[str, Apart] | None = None,
) -> dict[str, Apart]:
    """Return the paths of a commit, whose files are `tree`, that are not as they count.

    For a walk that began after an earlier commit, `before` are the files there and `was_apart`
    what this function said of it.
    """
    earlier = dict(was_apart or {})
    paths = {*walked.signed, *walked.unsigned, *walked.hidden}
    if before is None:
        paths |= tree.keys()
        before = {}
    for path in paths:
        old = earlier.pop(path, None)
        if path in walked.signed:
            versions, old = walked.signed[path], None
        elif old is not None:
            versions = set(old.versions)
        else:
            versions = {before[path]} if path in before else set()
        # Removed and never there are one: what is not there does not count.
        versions = versions if versions != {ABSENT} else set()
        if versions != ({tree[path]} if path in tree else set()):
            earlier[path] = _apart(path, versions, walked, old)
    return earlier


def _apart(path: str, versions: set[Version], walked: Walked, old: Apart | None) -> Apart:
    commit, grade = walked.unsigned.get(path, (old.commit, old.grade) if old else ("", ""))
    letters = walked.grades.get(path, set()) | set(old.grades if old else "")
    return Apart(tuple(sorted(versions)), commit, grade, "".join(sorted(letters)))
