"""What has effect at a commit: everything, or what is signed where the vault asks for it.

Loads nothing about signatures for a vault that never asked for them.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from doll.errors import Problem
from doll.services.opening import Vault
from doll.services.signing.asked import may_ask
from doll.vault.settings import Settings
from doll.vcs import plumbing

if TYPE_CHECKING:  # recall asks too, and has no use for the rules
    from doll.preflight import Pending

NOT_SIGNED = "authority.not_signed"
REVIEW_NOT_SIGNED = "review.not_signed"


class UnsignedChange(NamedTuple):
    """A path whose committed version is not the one that counts: why, and the newest commit."""

    path: str
    what: str
    commit: str

    @property
    def code(self) -> str:
        """The code of the problem that this is."""
        return REVIEW_NOT_SIGNED if self.path.startswith("confirmed/") else NOT_SIGNED


class Unsigned(NamedTuple):
    """What has no effect at a commit, sorted by path, and why that is not sure."""

    changes: tuple[UnsignedChange, ...] = ()
    problems: tuple[Problem, ...] = ()


class Counted(NamedTuple):
    """What counts at a commit.

    `authority` are the files that count, a path with several signed versions more than once;
    `markers` are the bytes of the `doll.yaml` that count, none where the vault has none. `unsigned`
    are changes without effect, sorted by path; `problems` say why it is not sure what counts.
    """

    authority: Sequence[plumbing.TreeEntry]
    markers: tuple[bytes, ...]
    unsigned: "tuple[Pending, ...]" = ()
    problems: tuple[Problem, ...] = ()


def what_counts(
    vault: Vault, commit: str, authority: Sequence[plumbing.TreeEntry], marker: bytes | None
) -> Counted:
    """Return what counts at a commit, given its files below `authority/` and its `doll.yaml`.

    GitError when git fails, also for history that is not here.
    """
    if not may_ask(vault, commit):
        return Counted(authority, (marker,) if marker is not None else ())
    from doll.services.signing.counting import counted

    return counted(vault, commit, authority, marker)


def asks_for_signatures(vault: Vault, commit: str) -> bool:
    """Return whether authority has to be signed at a commit; GitError when git fails."""
    if not may_ask(vault, commit):
        return False
    from doll.services.signing.grading import Grader
    from doll.services.signing.regime import regime

    return regime(vault, Grader(vault), commit).authority


def what_does_not_count(vault: Vault, commit: str) -> Unsigned:
    """Return what a commit has of authority and reviews that has no effect for want of a signature.

    GitError when git fails, also for history that is not here.
    """
    if not may_ask(vault, commit):
        return Unsigned()
    from doll.services.signing.counting import unsigned_at

    return unsigned_at(vault, commit)


def unsigned_reviews(vault: Vault, commit: str) -> Unsigned:
    """Return the files of `confirmed/` whose version at a commit is not signed as it has to be.

    GitError when git fails, also for history that is not here.
    """
    if not may_ask(vault, commit):
        return Unsigned()
    from doll.services.signing.counting import unsigned_at

    return unsigned_at(vault, commit, ("confirmed",))


def unsigned_problems(vault: Vault, commit: str) -> tuple[Problem, ...]:
    """Return the same as problems of the vault's files; the first says how all of it is signed."""
    found = what_does_not_count(vault, commit)
    if not found.changes:
        return found.problems
    from doll.services.signing.doubts import adopting

    hints = [
        adopting(vault),
        *(["git commit -S    signs your next change of it"] * len(found.changes)),
    ]
    problems = (
        Problem(each.path, 0, 0, each.code, each.what, hint=hint)
        for each, hint in zip(found.changes, hints, strict=False)
    )
    return *problems, *found.problems


def settings_of(
    vault: Vault, markers: Sequence[bytes]
) -> tuple[Settings | None, tuple[Problem, ...]]:
    """Return the settings that count, with the maps of all `doll.yaml`, and what is wrong in them.

    None where one of them cannot be read.
    """
    read = [vault.parse_settings(marker) for marker in markers]
    problems = {problem for _, some in read for problem in some}
    settings = [found for found, _ in read if found is not None]
    if not settings or len(settings) < len(read):
        return None, tuple(sorted(problems))
    actions = tuple(rule for found in settings for rule in found.actions)
    return msgspec.structs.replace(settings[0], actions=actions), tuple(sorted(problems))


def layers(items: Sequence[plumbing.TreeEntry]) -> list[Sequence[plumbing.TreeEntry]]:
    """Return files as one set for each signed version that a path may have; each has every path."""
    versions: dict[str, list[plumbing.TreeEntry]] = {}
    for item in items:
        versions.setdefault(item.path, []).append(item)
    if len(versions) == len(items):
        return [items]
    most = max(map(len, versions.values()))
    return [[each[min(turn, len(each) - 1)] for each in versions.values()] for turn in range(most)]
