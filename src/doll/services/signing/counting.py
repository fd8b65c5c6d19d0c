"""What counts of authority and settings at a commit, where the vault asks for signatures."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from doll.errors import Problem
from doll.preflight import Pending
from doll.services.opening import Vault
from doll.services.signing.doubts import doubts
from doll.services.signing.grading import Grader
from doll.services.signing.kept import standing
from doll.services.signing.regime import Regime, regime
from doll.services.signing.standing import Apart
from doll.vault import layout
from doll.vcs import plumbing
from doll.vcs.plumbing.signatures import GRADES

NOT_SIGNED = "authority.not_signed"
REVIEW_NOT_SIGNED = "review.not_signed"


class Counted(NamedTuple):
    """What counts at a commit.

    `authority` are the files that count, a path with several signed versions more than once.
    `markers` are the blobs of `doll.yaml` that count, None where the committed one does. `unsigned`
    are changes without effect, sorted by path; `problems` say why it is not sure what counts.
    """

    authority: Sequence[plumbing.TreeEntry]
    markers: tuple[str, ...] | None = None
    unsigned: tuple[Pending, ...] = ()
    problems: tuple[Problem, ...] = ()


def counted(vault: Vault, commit: str, authority: Sequence[plumbing.TreeEntry]) -> Counted:
    """Return what counts at a commit whose files below `authority/` are given.

    GitError when git fails, also for history that is not here.
    """
    grader = Grader(vault)
    asked = regime(vault, grader, commit)
    if not asked.authority:
        return Counted(authority, problems=asked.problems)
    found = standing(vault, grader, commit, "authority")
    said = [*_marker(asked), *_unsigned(vault, found.apart)]
    problems = {*asked.problems, *doubts(vault, grader, found, "authority")}
    return Counted(
        found.counting(authority), asked.markers, tuple(sorted(said)), tuple(sorted(problems))
    )


def layers(items: Sequence[plumbing.TreeEntry]) -> list[list[plumbing.TreeEntry]]:
    """Return files as one set for each signed version that a path may have; each has every path."""
    versions: dict[str, list[plumbing.TreeEntry]] = {}
    for item in items:
        versions.setdefault(item.path, []).append(item)
    most = max(map(len, versions.values()), default=1)
    return [[each[min(turn, len(each) - 1)] for each in versions.values()] for turn in range(most)]


def unsigned_settings_change(vault: Vault, commit: str) -> tuple[Pending, ...]:
    """Return the change of `doll.yaml` that is not signed where that is required."""
    return tuple(_marker(regime(vault, Grader(vault), commit)))


def unsigned_reviews(vault: Vault, commit: str) -> tuple[Pending, ...]:
    """Return the files of `confirmed/` whose version at a commit is not signed, sorted by path.

    Nothing where `review.signed` is off. GitError when git fails.
    """
    grader = Grader(vault)
    if not regime(vault, grader, commit).review:
        return ()
    apart = standing(vault, grader, commit, "confirmed").apart
    folder = vault.in_git("confirmed")
    items = plumbing.tree(vault.repository, commit, [folder]) if apart else ()
    found = []
    for item in items:
        path = vault.in_vault(item.path)
        if path is not None and layout.is_record(path) and item.path in apart:
            found.append(Pending(path, _how(apart[item.path]), REVIEW_NOT_SIGNED))
    return tuple(sorted(found))


def _marker(asked: Regime) -> Iterator[Pending]:
    if asked.authority and asked.apart is not None:
        yield Pending(layout.MARKER, _said(asked.apart), NOT_SIGNED)


def _unsigned(vault: Vault, apart: dict[str, Apart]) -> Iterator[Pending]:
    for path, each in apart.items():
        place = vault.in_vault(path)
        if place is not None and (layout.is_record(place) or _no_file(each)):
            yield Pending(place, _said(each), NOT_SIGNED)


def _no_file(apart: Apart) -> bool:
    return any(mode not in ("000000", "100644", "100755") for mode, _ in apart.versions)


def _said(apart: Apart) -> str:
    """Return what became of a path, and what counts instead."""
    if not apart.versions:
        counts = "no signed commit has it, so it does not count"
    elif len(apart.versions) > 1:
        counts = "several signed versions count"
    elif not apart.versions[0][1]:
        counts = "a signed commit removed it, and that counts"
    else:
        counts = "the signed text counts"
    return f"{_how(apart)}; {counts}"


def _how(apart: Apart) -> str:
    if not apart.commit:
        return "merged without a signature"
    return f"commit {apart.commit[:12]} changed it, and {GRADES[apart.grade]}"
