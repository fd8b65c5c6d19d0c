"""What counts of authority and settings at a commit, where the vault asks for signatures."""

from collections.abc import Iterator, Sequence

from doll.preflight import Pending
from doll.services.accepted import marker_blob
from doll.services.opening import Vault
from doll.services.signing.doubts import doubts
from doll.services.signing.effect import NOT_SIGNED, Counted, Unsigned, UnsignedChange
from doll.services.signing.grading import Grader
from doll.services.signing.kept import standing
from doll.services.signing.regime import Regime, regime
from doll.services.signing.standing import Apart
from doll.vault import layout
from doll.vcs import plumbing
from doll.vcs.plumbing.signatures import GRADES


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
    changes = [*_marker(asked), *_unsigned(vault, found.apart, "authority")]
    problems = {*asked.problems, *doubts(vault, grader, found, "authority")}
    return Counted(
        found.counting(authority),
        tuple(marker_blob(vault, oid) for oid in asked.markers),
        tuple(Pending(each.path, each.what, NOT_SIGNED) for each in sorted(changes)),
        tuple(sorted(problems)),
    )


def unsigned_at(
    vault: Vault, commit: str, parts: Sequence[str] = ("authority", "confirmed")
) -> Unsigned:
    """Return what a commit has in some parts of the vault and what has no effect there.

    `doll.yaml` goes with `authority`. GitError when git fails, also for history that is not here.
    """
    grader = Grader(vault)
    asked = regime(vault, grader, commit)
    required = {"authority": asked.authority, "confirmed": asked.review}
    changes, problems = list[UnsignedChange](), {*asked.problems}
    if "authority" in parts:
        changes += _marker(asked)
    for part in parts:
        if required[part]:
            found = standing(vault, grader, commit, part)
            problems |= {*doubts(vault, grader, found, part)}
            changes += _unsigned(vault, found.apart, part)
    return Unsigned(tuple(sorted(changes)), tuple(sorted(problems)))


def _marker(asked: Regime) -> Iterator[UnsignedChange]:
    if asked.authority and asked.apart is not None:
        yield UnsignedChange(layout.MARKER, _said(asked.apart), asked.apart.commit)


def _unsigned(vault: Vault, apart: dict[str, Apart], part: str) -> Iterator[UnsignedChange]:
    for path, each in apart.items():
        place = vault.in_vault(path)
        if place is not None and (layout.is_record(place) or _no_file(each)):
            told = _said_of_memory if part == "confirmed" else _said
            yield UnsignedChange(place, told(each), each.commit)


def _no_file(apart: Apart) -> bool:
    return any(mode not in ("000000", "100644", "100755") for mode, _ in apart.versions)


def _said(apart: Apart) -> str:
    """Return what became of a path, and what counts instead."""
    if not apart.versions:
        counts = "no signed version of it is there, so it does not count"
    elif len(apart.versions) > 1:
        counts = "several signed versions count"
    else:
        counts = "the signed text counts"
    return f"{_how(apart)}; {counts}"


def _said_of_memory(apart: Apart) -> str:
    """Return what became of a path of `confirmed/`: it is found as it is, and marked."""
    if not apart.versions:
        signed = "no version of it is signed"
    elif len(apart.versions) > 1:
        signed = "several other versions of it are signed"
    else:
        signed = "another version of it is signed"
    return f"{_how(apart)}; {signed}"


def _how(apart: Apart) -> str:
    if not apart.commit:
        return "merged without a signature"
    return f"commit {apart.commit[:12]} changed it, and {GRADES[apart.grade]}"
