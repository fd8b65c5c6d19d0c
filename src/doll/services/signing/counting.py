"""What counts of authority and settings at a commit, where the vault asks for signatures."""

from collections.abc import Iterator, Sequence

from doll.preflight import Pending
from doll.services.accepted import marker_blob
from doll.services.opening import Vault
from doll.services.signing.doubts import doubts
from doll.services.signing.effect import Counted
from doll.services.signing.grading import Grader
from doll.services.signing.kept import standing
from doll.services.signing.regime import Regime, regime
from doll.services.signing.standing import Apart
from doll.vault import layout
from doll.vcs import plumbing
from doll.vcs.plumbing.signatures import GRADES

NOT_SIGNED = "authority.not_signed"
REVIEW_NOT_SIGNED = "review.not_signed"


def counted(
    vault: Vault, commit: str, authority: Sequence[plumbing.TreeEntry], marker: bytes | None
) -> Counted:
    """Return what counts at a commit, given its files below `authority/` and its `doll.yaml`.

    GitError when git fails, also for history that is not here.
    """
    grader = Grader(vault)
    asked = regime(vault, grader, commit)
    if not asked.authority:
        return Counted(authority, (marker,) if marker is not None else (), (), asked.problems)
    found = standing(vault, grader, commit, "authority")
    said = [*_marker(asked), *_unsigned(vault, found.apart)]
    problems = {*asked.problems, *doubts(vault, grader, found, "authority")}
    return Counted(
        found.counting(authority),
        tuple(marker_blob(vault, oid) for oid in asked.markers),
        tuple(sorted(said)),
        tuple(sorted(problems)),
    )


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
